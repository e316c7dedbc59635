//! Exercise 4 of section 11.1: squeeze and excitation (J. Hu, L. Shen and G. Sun, 2018) beside attention.

mod roles;

use ndarray::{Array1, Array2, Array3, ArrayView2};

use super::entry::{About, Exercise, Misconception, Property};
use super::lt_ex1::NOTEBOOK;
use super::numbers::{close, each, flat, matrix, shown, unless};
use super::text::{Language, Text};
use crate::attention::softmax;
use crate::random::{normal, seeded};
pub(super) use roles::{EXCITATION, GateRoles, Roles, SQUEEZE};

/// From an image (c x h x w) and the weights of two layers (r x c and c x r) to the gate of each channel (c).
pub type Gates = fn(&Array3<f64>, &Array2<f64>, &Array2<f64>) -> Array1<f64>;
/// From an image (c x h x w) and its gates (c) to the rescaled image (c x h x w).
pub type Rescale = fn(&Array3<f64>, &Array1<f64>) -> Array3<f64>;

fn sigmoid(x: f64) -> f64 {
    (1.0 + (-x).exp()).recip()
}

/// The mean of each channel.
fn squeezed(image: &Array3<f64>) -> Array1<f64> {
    by_channel(image, &|channel| channel.sum() / channel.len() as f64)
}

/// The image whose number in channel i, row j and column k is `number(i, j, k)`.
fn painted(shape: (usize, usize, usize), number: &dyn Fn(usize, usize, usize) -> f64) -> Array3<f64> {
    Array3::from_shape_fn(shape, |(i, j, k)| number(i, j, k))
}

fn by_channel(image: &Array3<f64>, summary: &dyn Fn(ArrayView2<f64>) -> f64) -> Array1<f64> {
    image.outer_iter().map(summary).collect()
}

/// What the two layers make of a summary, before the sigmoid.
fn excited(summary: &Array1<f64>, first: &Array2<f64>, second: &Array2<f64>) -> Array1<f64> {
    second.dot(&each(&first.dot(summary), &|x| x.max(0.0)))
}

/// An image of `c` channels, h x w, and the weights of two layers with `r` numbers between them.
fn scene(seed: u64, [c, r, h, w]: [usize; 4]) -> (Array3<f64>, Array2<f64>, Array2<f64>) {
    let mut generator = seeded(seed);
    let image: Array3<f64> = normal((c, h, w), &mut generator);
    (each(&image, &|x| x + 0.5), normal((r, c), &mut generator), normal((c, r), &mut generator))
}

const SCENES: [[usize; 4]; 4] = [[3, 2, 3, 3], [4, 2, 2, 5], [2, 1, 1, 1], [6, 3, 4, 2]];

fn image_of(image: &Array3<f64>) -> String {
    let (c, h, w) = image.dim();
    format!("X ({c} × {h} × {w}) = {}", shown(&matrix((c, h * w), &|i, j| image[[i, j / w, j % w]])))
}

fn layers(first: &Array2<f64>, second: &Array2<f64>) -> String {
    format!("W₁ = {}, W₂ = {}", shown(first), shown(second))
}

pub(super) static GATES: Exercise<Gates> = Exercise {
    about: About {
        id: "lt-ex4a",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 2,
        minutes: 15,
        title: Text("Kanalų vartai", "Вентилі каналів", "The gates of the channels"),
        prompt: Text(
            "Suspauskite vaizdą (kiekvieną kanalą pakeiskite jo vidurkiu) ir gautam vektoriui pritaikykite du \
             sluoksnius: po pirmojo – ReLU, po antrojo – sigmoidė, sigmoid(x) = 1/(1 + e⁻ˣ). Grąžinkite po vieną skaičių \
             kiekvienam kanalui.",
            "Стисніть зображення (замініть кожен канал його середнім) і пропустіть отриманий вектор крізь два шари: \
             після першого ReLU, після другого сигмоїда, sigmoid(x) = 1/(1 + e⁻ˣ). Поверніть по одному числу для кожного \
             каналу.",
            "Squeeze the image (replace each channel by its mean) and pass the vector through two layers: ReLU after \
             the first, sigmoid(x) = 1/(1 + e⁻ˣ) after the second. Return one number for each channel.",
        ),
        hints: [
            Text(
                "Kiek skaičių lieka iš vaizdo jį suspaudus? Tiek, kiek jame kanalų; kiek jame vaizdo taškų, nebesvarbu.",
                "Скільки чисел лишається від стисненого зображення? Стільки, скільки в ньому каналів; кількість \
                 пікселів уже не важлива.",
                "How many numbers are left of the squeezed image? As many as it has channels, however many pixels.",
            ),
            Text(
                "g = sigmoid(W₂ · ReLU(W₁ z)), čia zᵢ – visų i-ojo kanalo skaičių vidurkis.",
                "g = sigmoid(W₂ · ReLU(W₁ z)), де zᵢ – середнє всіх чисел каналу i.",
                "g = sigmoid(W₂ · ReLU(W₁ z)), where zᵢ is the mean of all numbers of channel i.",
            ),
            Text::code(
                "let z = image.mean_axis(Axis(2)).unwrap().mean_axis(Axis(1)).unwrap();\nlet hidden = \
                 w1.dot(&z).mapv(|x| …);\nw2.dot(&hidden).mapv(|x| …)",
            ),
        ],
        next: Text(
            "Dėmesio svoriai konkuruoja: vienam padidėjus, kiti sumažėja. Ar gali visi vartai būti plačiai atverti \
             iškart? O visi užverti?",
            "Ваги уваги змагаються: якщо одна зростає, решта спадає. Чи можуть усі вентилі бути широко відкритими \
             водночас? А всі закритими?",
            "Attention weights compete: as one grows, the others shrink. Can all gates be wide open at once? All shut?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Kai antrojo sluoksnio svoriai nuliniai, visų kanalų vartai turi būti atverti lygiai pusiau, \
                 nes sigmoid(0) = 0,5.",
                "Коли ваги другого шару нульові, вентилі всіх каналів мають бути відкриті рівно наполовину: сигмоїда \
                 перетворює нуль на 0,5.",
                "When the second layer's weights are zero, every gate must be exactly half open: sigmoid turns 0 \
                 into 0.5.",
            ),
            holds: |gates| {
                let (image, first, _) = scene(1, SCENES[0]);
                let second = Array2::zeros((3, 2));
                let (got, wanted) = (gates(&image, &first, &second), Array1::from_elem(3, 0.5));
                let input = format!("{}, {}", layers(&first, &second), image_of(&image));
                unless(close(&got, &wanted), input, format!("g = {got:.4}"), format!("g = {wanted:.4}"))
            },
        },
        Property {
            says: Text(
                "Greta vaizdo prijungus antrą tokį pat vaizdą, kanalų vidurkiai nepasikeičia, tad ir vartai turi \
                 likti tokie patys.",
                "Якщо приставити до зображення ще одне таке саме, середні каналів не зміняться, тож вентилі мають \
                 лишитися такими самими.",
                "Putting a second copy beside the image leaves the channels' means as they are, so the gates must \
                 stay the same.",
            ),
            holds: |gates| {
                let (image, first, second) = scene(2, SCENES[1]);
                let (c, h, w) = image.dim();
                let twice = painted((c, h, 2 * w), &|i, j, k| image[[i, j, k % w]]);
                let (wanted, got) = (gates(&image, &first, &second), gates(&twice, &first, &second));
                let input = format!("{}, {}", layers(&first, &second), image_of(&twice));
                unless(close(&got, &wanted), input, format!("g = {got:.4}"), format!("g = {wanted:.4}"))
            },
        },
        Property {
            says: Text(
                "Vartai turi būti lygūs sigmoid(W₂ · ReLU(W₁ z)), čia z – kanalų vidurkiai.",
                "Вентилі мають дорівнювати sigmoid(W₂ · ReLU(W₁ z)), де z – середні каналів.",
                "The gates must equal sigmoid(W₂ · ReLU(W₁ z)), where z holds the channels' means.",
            ),
            holds: |gates| {
                for (seed, sizes) in (3..).zip(SCENES) {
                    let (image, first, second) = scene(seed, sizes);
                    let wanted = each(&excited(&squeezed(&image), &first, &second), &sigmoid);
                    let got = gates(&image, &first, &second);
                    let input = format!("z = {:.4}, {}", squeezed(&image), layers(&first, &second));
                    unless(close(&got, &wanted), input, format!("g = {got:.4}"), format!("g = {wanted:.4}"))?;
                }
                Ok(())
            },
        },
    ],
    fingerprint: |gates| {
        flat((3..).zip(SCENES).map(|(seed, sizes)| {
            let (image, first, second) = scene(seed, sizes);
            gates(&image, &first, &second)
        }))
    },
    misconceptions: &[
        Misconception {
            answer: |image, first, second| softmax(&excited(&squeezed(image), first, second)),
            says: Text(
                "vietoj sigmoidės pritaikytas softmax: jis priverčia kanalus dalytis vienetą, o vartai vieni nuo kitų \
                 nepriklauso ir jų suma gali būti bet kokia",
                "замість сигмоїди застосовано softmax: він змушує канали ділити одиницю, а вентилі один від одного не \
                 залежать, і їхня сума може бути будь-якою",
                "softmax stands in place of sigmoid: it makes the channels share a total of 1, but gates are \
                 independent and may sum to anything",
            ),
        },
        Misconception {
            answer: |image, first, second| {
                let sums = by_channel(image, &|channel| channel.sum());
                each(&excited(&sums, first, second), &sigmoid)
            },
            says: Text(
                "kanalas susumuotas, bet nepadalytas iš vaizdo taškų skaičiaus: didesniame vaizde vartai būtų kitokie",
                "канал підсумовано, але не поділено на кількість пікселів: у більшому зображенні вентилі були б інші",
                "the channel is summed but not divided by the number of pixels: a larger image would get other gates",
            ),
        },
        Misconception {
            answer: |image, first, second| {
                let largest = by_channel(image, &|channel| channel.fold(f64::NEG_INFINITY, |a, &b| a.max(b)));
                each(&excited(&largest, first, second), &sigmoid)
            },
            says: Text(
                "imtas didžiausias kanalo skaičius, o ne vidurkis: visa kita, kas tame kanale yra, dingsta",
                "узято найбільше число каналу, а не середнє: усе інше, що є в каналі, зникає",
                "the largest number of the channel is taken, not its mean: all else in it is lost",
            ),
        },
        Misconception {
            answer: |image, first, second| each(&second.dot(&first.dot(&squeezed(image))), &sigmoid),
            says: Text(
                "tarp sluoksnių trūksta ReLU: du tiesiniai sluoksniai iš eilės tėra vienas tiesinis sluoksnis",
                "між шарами бракує ReLU: два лінійні шари поспіль – це лише один лінійний шар",
                "ReLU is missing between the layers: two linear layers in a row are just one linear layer",
            ),
        },
        Misconception {
            answer: |image, first, second| excited(&squeezed(image), first, second),
            says: Text(
                "pamiršta sigmoidė: vartai turi būti tarp 0 ir 1",
                "забуто сигмоїду: вентиль має бути між 0 і 1",
                "the sigmoid is forgotten: a gate must lie between 0 and 1",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |image, first, second| each(&excited(&squeezed(image), first, second), &sigmoid),
        |image, first, second| {
            let (c, h, w) = image.dim();
            let pixels = image.to_shape((c, h * w)).expect("as many numbers").t().to_owned();
            let (_, summary) =
                crate::attention::attention_pooling(&Array1::zeros(c), &pixels, &pixels, crate::attention::Dot);
            excited(&summary, first, second).mapv(|x| 0.5 + 0.5 * (0.5 * x).tanh())
        },
        |image, first, second| {
            let z: Vec<f64> = image.outer_iter().map(|channel| channel.mean().unwrap_or(0.0)).collect();
            let dot = |row: &[f64], x: &[f64]| row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
            let hidden: Vec<f64> = first.outer_iter().map(|row| dot(&row.to_vec(), &z).max(0.0)).collect();
            second.outer_iter().map(|row| sigmoid(dot(&row.to_vec(), &hidden))).collect()
        },
    ],
};

/// An image and gates; in the first few all three axes are equally long, so that every axis takes the gates.
fn gated(seed: u64) -> (Array3<f64>, Array1<f64>) {
    let sizes = [[3, 1, 3, 3], [2, 1, 2, 2], [4, 1, 2, 3], [1, 1, 5, 2]][seed as usize % 4];
    let (image, ..) = scene(seed + 30, sizes);
    let gates: Array1<f64> = normal(sizes[0], &mut seeded(seed + 60));
    (image, each(&gates, &sigmoid))
}

fn told(image: &Array3<f64>, gates: &Array1<f64>) -> String {
    format!("g = {gates:.3}, {}", image_of(image))
}

fn rescaled(image: &Array3<f64>, gates: &Array1<f64>) -> Array3<f64> {
    painted(image.dim(), &|i, j, k| image[[i, j, k]] * gates[i])
}

pub(super) static RESCALE: Exercise<Rescale> = Exercise {
    about: About {
        id: "lt-ex4b",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 1,
        minutes: 10,
        title: Text("Kanalai dauginami iš vartų", "Масштабування каналів", "Rescaling the channels"),
        prompt: Text(
            "Kiekvieną vaizdo kanalą padauginkite iš jo vartų. Grąžinkite tokio pat dydžio vaizdą.",
            "Помножте кожен канал зображення на його вентиль. Поверніть зображення такого самого розміру.",
            "Multiply each channel of the image by its gate. Return an image of the same size.",
        ),
        hints: [
            Text(
                "Rašant `image * gates`, vartai būtų pritaikyti paskutinei ašiai, o kanalai yra pirmojoje.",
                "Якщо написати `image * gates`, вентилі буде застосовано до останньої осі, а канали – на першій.",
                "Written as `image * gates`, the gates would go along the last axis, but channels are on the first.",
            ),
            Text(
                "Yᵢ = gᵢ · Xᵢ, čia Xᵢ – i-asis kanalas, h × w matrica.",
                "Yᵢ = gᵢ · Xᵢ, де Xᵢ – канал i, матриця h × w.",
                "Yᵢ = gᵢ · Xᵢ, where Xᵢ is channel i, a matrix h × w.",
            ),
            Text::code(
                "let mut rescaled = image.clone();\nfor (mut channel, gate) in \
                 rescaled.outer_iter_mut().zip(gates) {\n    channel *= …;\n}\nrescaled",
            ),
        ],
        next: Text(
            "Dėmesys iš reikšmių sudeda vieną išvestį, o čia išvesčių tiek pat, kiek kanalų. Kas liktų iš vaizdo, jei \
             jo kanalus sudėtume su svoriais, lygiais vartams?",
            "Увага складає зі значень один вихід, а тут виходів стільки, скільки каналів. Що лишилося б від \
             зображення, якби ми додали його канали з вагами, рівними вентилям?",
            "Attention adds the values up to one output; here there are as many outputs as channels. What would be \
             left of the image if its channels were added with the gates as weights?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Kai visi vartai atverti iki galo (lygūs 1), vaizdas turi likti toks, koks buvo.",
                "Коли всі вентилі відкриті повністю (дорівнюють 1), зображення має лишитися таким, яким було.",
                "When every gate is fully open (equal to 1), the image must stay as it was.",
            ),
            holds: |rescale| {
                for seed in 0..2 {
                    let (image, gates) = gated(seed);
                    let open = Array1::ones(gates.len());
                    let got = rescale(&image, &open);
                    unless(close(&got, &image), told(&image, &open), image_of(&got), image_of(&image))?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Užvėrus vieno kanalo vartus (0), užgęsta tik tas kanalas, o kiti nepasikeičia.",
                "Якщо закрити вентиль одного каналу (0), згасне лише цей канал, а решта не зміниться.",
                "Shutting one channel's gate (0) must put out that channel alone and leave the others.",
            ),
            holds: |rescale| {
                for seed in 0..4 {
                    let (image, mut gates) = gated(seed);
                    gates.fill(1.0);
                    gates[0] = 0.0;
                    let (got, wanted) = (rescale(&image, &gates), rescaled(&image, &gates));
                    unless(close(&got, &wanted), told(&image, &gates), image_of(&got), image_of(&wanted))?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Kiekvienas kanalo skaičius turi būti padaugintas iš to kanalo vartų.",
                "Кожне число каналу має бути помножене на вентиль цього каналу.",
                "Every number of a channel must be multiplied by that channel's gate.",
            ),
            holds: |rescale| {
                for seed in 0..8 {
                    let (image, gates) = gated(seed);
                    let (got, wanted) = (rescale(&image, &gates), rescaled(&image, &gates));
                    unless(close(&got, &wanted), told(&image, &gates), image_of(&got), image_of(&wanted))?;
                }
                Ok(())
            },
        },
    ],
    // Only where all axes are equally long do all the wrong answers give an image.
    fingerprint: |rescale| {
        flat([0, 1, 4].map(|seed| {
            let (image, gates) = gated(seed);
            rescale(&image, &gates)
        }))
    },
    misconceptions: &[
        Misconception {
            answer: |image, gates| painted(image.dim(), &|i, j, k| image[[i, j, k]] * gates[k]),
            says: Text(
                "`ndarray` vartus pritaikė paskutinei ašiai: iš vartų padauginti vaizdo stulpeliai, o ne kanalai",
                "`ndarray` застосував вентилі до останньої осі: масштабовано стовпці зображення, а не канали",
                "`ndarray` ran the gates along the last axis: the image's columns are rescaled, not its channels",
            ),
        },
        Misconception {
            answer: |image, gates| painted(image.dim(), &|i, j, k| image[[i, j, k]] * gates[j]),
            says: Text(
                "iš vartų padaugintos vaizdo eilutės, o ne kanalai",
                "масштабовано рядки зображення, а не канали",
                "the image's rows are rescaled, not its channels",
            ),
        },
        Misconception {
            answer: |image, gates| {
                let ((c, h, w), rescaled) = (image.dim(), rescaled(image, gates));
                painted((1, h, w), &|_, j, k| (0..c).map(|i| rescaled[[i, j, k]]).sum())
            },
            says: Text(
                "kanalai sudėti į vieną, kaip dėmesys sudeda reikšmes, o čia kiekvienas kanalas lieka atskiras",
                "канали додано в один, як увага додає значення, а тут кожен канал лишається окремим",
                "the channels are added up as attention adds values, but here each channel stays on its own",
            ),
        },
        Misconception {
            answer: |image, gates| rescaled(image, &each(gates, &|gate| gate / gates.sum())),
            says: Text(
                "vartai padalyti iš jų sumos, bet jie nėra skirstinys",
                "вентилі поділено на їхню суму, але вони не є розподілом",
                "the gates are divided by their sum, but they are no distribution",
            ),
        },
        Misconception {
            answer: |image, gates| rescaled(image, &each(gates, &sigmoid)),
            says: Text(
                "sigmoidė pritaikyta antrą kartą: vartai jau yra tarp 0 ir 1",
                "сигмоїду застосовано вдруге: вентилі вже між 0 і 1",
                "sigmoid is applied a second time: the gates already lie between 0 and 1",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        rescaled,
        |image, gates| image * &gates.to_shape((gates.len(), 1, 1)).expect("as many numbers"),
        |image, gates| Array3::from_shape_fn(image.dim(), |(c, i, j)| gates[c] * image[[c, i, j]]),
    ],
};
