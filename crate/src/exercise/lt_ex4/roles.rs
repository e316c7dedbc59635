//! Who is query, key and value in squeeze and excitation.

use ndarray::{Array1, Array2, Axis};

use super::{layers, scene, sigmoid};
use crate::attention::{Dot, attention_pooling};
use crate::exercise::entry::{About, Counterexample, Exercise, Misconception, Property};
use crate::exercise::lt_ex1::NOTEBOOK;
use crate::exercise::numbers::{close, each, flat, matrix, shown, unless};
use crate::exercise::text::{Language, Text};
use crate::random::{normal, seeded};

/// From the pixels of an image (n x c) to a query (d), keys (m x d) and values (m x d_v).
pub type Roles = fn(&Array2<f64>) -> (Array1<f64>, Array2<f64>, Array2<f64>);
/// From the channels of an image (c x n) and the weights of two layers to a query (d), keys (c x d) and values (c x n).
pub type GateRoles = fn(&Array2<f64>, &Array2<f64>, &Array2<f64>) -> (Array1<f64>, Array2<f64>, Array2<f64>);

/// Pixels, one a row: n and the number of channels.
fn pixels(seed: u64) -> Array2<f64> {
    let shape = [(4, 3), (6, 2), (1, 3), (9, 4)][seed as usize % 4];
    each(&normal(shape, &mut seeded(seed + 90)), &|x| x + 0.5)
}

/// The sizes of query, keys and values.
fn sizes(q: &Array1<f64>, k: &Array2<f64>, v: &Array2<f64>) -> String {
    format!("q: {}, K: {} × {}, V: {} × {}", q.len(), k.nrows(), k.ncols(), v.nrows(), v.ncols())
}

/// From pixels, weights and output to what is got, what is wanted, and the letter for both.
type Compared = fn(&Array2<f64>, Array1<f64>, Array1<f64>) -> (Array1<f64>, Array1<f64>, &'static str);

/// Tries a property of the weights and the output on each image.
fn attended(roles: Roles, of: Compared) -> Result<(), Counterexample> {
    for seed in 0..4 {
        let pixels = pixels(seed);
        let (q, k, v) = roles(&pixels);
        let (weights, output) = attention_pooling(&q, &k, &v, Dot);
        let (got, wanted, name) = of(&pixels, weights, output);
        let input = format!("X = {}", shown(&pixels));
        unless(close(&got, &wanted), input, format!("{name} = {got:.4}"), format!("{name} = {wanted:.4}"))?;
    }
    Ok(())
}

pub(in crate::exercise) static SQUEEZE: Exercise<Roles> = Exercise {
    about: About {
        id: "lt-ex4c",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 2,
        minutes: 15,
        title: Text("Suspaudimas yra dėmesys", "Стискання – це увага", "Squeezing is attention"),
        prompt: Text(
            "Kas suspaudime yra užklausa, raktai ir reikšmės? Duoti vaizdo taškai (n × c): viena eilutė – viena padėtis. \
             Grąžinkite tokius q, K ir V, kad `attention_pooling(&q, &k, &v, Dot)` apskaičiuotų kanalų vidurkius.",
            "Що у стисканні є запитом, ключами та значеннями? Дано пікселі (n × c): один рядок – одне положення. \
             Поверніть такі q, K і V, щоб `attention_pooling(&q, &k, &v, Dot)` обчислила середні каналів.",
            "What are query, keys and values when an image is squeezed? You are given its pixels (n × c), a row for each \
             position. Return q, K and V with which `attention_pooling(&q, &k, &v, Dot)` gives the channels' means.",
        ),
        hints: [
            Text(
                "Vidurkis – tai mišinys su vienodais svoriais. Kokie turi būti įvertinimai, kad svoriai būtų vienodi?",
                "Середнє – це суміш з однаковими вагами. Якими мають бути оцінки, щоб ваги були однаковими?",
                "A mean is a mixture with equal weights. Which scores make the weights equal?",
            ),
            Text(
                "Softmax grąžina 1/n, kai visi q·kᵢ vienodi: pakanka, kad q = 0 arba kad visi raktai sutaptų. vᵢ = xᵢ.",
                "Softmax повертає 1/n, коли всі q·kᵢ однакові: досить, щоб q = 0 або щоб усі ключі збігалися. vᵢ = xᵢ.",
                "Softmax returns 1/n when all q·kᵢ are equal: q = 0 will do, or equal keys. vᵢ = xᵢ.",
            ),
            Text::code("let query = Array1::zeros(pixels.ncols());\n(query, …, …)"),
        ],
        next: Text(
            "Nulinė užklausa nieko neklausia, todėl į visas padėtis žiūrima vienodai. Kas pasikeistų, jei užklausa \
             būtų mokomas vektorius?",
            "Нульовий запит нічого не питає, тому на всі положення дивимося однаково. Що змінилося б, якби запит був \
             вектором, який добирає навчання?",
            "A query of zeros asks for nothing, so every position is looked at alike. What if the query were a \
             learned vector?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Kiekviena padėtis turi turėti raktą ir reikšmę, o užklausa turi būti tokio pat ilgio kaip raktas.",
                "Кожне положення повинне мати ключ і значення, а запит має бути такої самої довжини, як ключ.",
                "Every position must have its key and its value, and the query must be as long as a key.",
            ),
            holds: |roles| {
                for seed in 0..4 {
                    let pixels = pixels(seed);
                    let (n, c) = pixels.dim();
                    let (q, k, v) = roles(&pixels);
                    let fits = k.nrows() == n && q.len() == k.ncols() && v.dim() == (n, c);
                    let wanted = format!("q: d, K: {n} × d, V: {n} × {c}");
                    unless(fits, format!("X = {}", shown(&pixels)), sizes(&q, &k, &v), wanted)?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Vidurkiui visos padėtys vienodai svarbios: visi svoriai turi būti lygūs 1/n.",
                "Середнє дивиться на всі положення однаково: усі ваги мають дорівнювати 1/n.",
                "A mean looks at every position alike: all weights must be 1/n.",
            ),
            holds: |roles| {
                attended(roles, |pixels, weights, _| {
                    let n = pixels.nrows();
                    (weights, Array1::from_elem(n, (n as f64).recip()), "α")
                })
            },
        },
        Property {
            says: Text(
                "Išvestis turi būti kanalų vidurkiai.",
                "Виходом мають бути середні каналів.",
                "The output must be the channels' means.",
            ),
            holds: |roles| attended(roles, |pixels, _, output| (output, means(&pixels.t().to_owned()), "z")),
        },
    ],
    fingerprint: |roles| {
        let (q, k, v) = roles(&pixels(0));
        if k.nrows() != v.nrows() || k.ncols() != q.len() || k.nrows() == 0 {
            return Vec::new();
        }
        // Queries and keys that give the same weights stand for the same thought.
        let (weights, output) = attention_pooling(&q, &k, &v, Dot);
        weights.into_iter().chain(output).collect()
    },
    misconceptions: &[
        Misconception {
            answer: |pixels| (Array1::ones(pixels.ncols()), pixels.clone(), pixels.clone()),
            says: Text(
                "tokia užklausa šviesesnėms padėtims duoda didesnį svorį, o suspaudimas jų neskiria",
                "такий запит дає світлішим положенням більшу вагу, а стискання їх не розрізняє",
                "this query gives brighter positions more weight, but squeezing makes no difference between them",
            ),
        },
        Misconception {
            answer: |pixels| (means(&pixels.t().to_owned()), pixels.clone(), pixels.clone()),
            says: Text(
                "vidurkis čia paimtas kaip užklausa, o jis turi būti išvestis: tokia užklausa svorius padaro nevienodus",
                "середнє тут узято як запит, а воно має бути виходом: такий запит робить ваги неоднаковими",
                "the mean is taken as the query, but it should be the output: such a query makes the weights unequal",
            ),
        },
        Misconception {
            answer: |pixels| (Array1::zeros(pixels.nrows()), pixels.t().to_owned(), pixels.t().to_owned()),
            says: Text(
                "raktai ir reikšmės čia – kanalai, tad sumaišomi kanalai, o ne padėtys",
                "ключі та значення тут – канали, тож змішано канали, а не положення",
                "keys and values are the channels here, so channels are mixed and not positions",
            ),
        },
        Misconception {
            answer: |pixels| {
                (Array1::zeros(pixels.ncols()), pixels.clone(), each(pixels, &|x| x / pixels.nrows() as f64))
            },
            says: Text(
                "iš padėčių skaičiaus padalyta du kartus: softmax svoriai jau lygūs 1/n",
                "на кількість положень поділено двічі: ваги softmax уже дорівнюють 1/n",
                "divided by the number of positions twice: the weights of softmax are 1/n already",
            ),
        },
        Misconception {
            answer: |pixels| {
                let mean = means(&pixels.t().to_owned());
                (Array1::zeros(pixels.ncols()), Array2::zeros((1, pixels.ncols())), mean.insert_axis(Axis(0)))
            },
            says: Text(
                "vidurkis apskaičiuotas iš anksto ir įrašytas kaip vienintelė reikšmė: dėmesiui nebelieko ko maišyti",
                "середнє обчислено заздалегідь і записано як єдине значення: увазі вже нема чого змішувати",
                "the mean is computed beforehand and put in as the only value: attention has nothing left to mix",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |pixels| (Array1::zeros(pixels.ncols()), pixels.clone(), pixels.clone()),
        |pixels| (Array1::ones(1), Array2::zeros((pixels.nrows(), 1)), pixels.clone()),
        |pixels| (Array1::from_elem(2, 0.7), Array2::from_elem((pixels.nrows(), 2), -3.0), pixels.clone()),
    ],
};

/// The channels of an image, one a row, and the weights of two layers.
fn channels(seed: u64) -> (Array2<f64>, Array2<f64>, Array2<f64>) {
    let (c, r, n) = [(4, 2, 6), (3, 5, 2), (5, 3, 1)][seed as usize % 3];
    let (image, first, second) = scene(seed + 120, [c, r, 1, n]);
    (image.remove_axis(Axis(1)), first, second)
}

/// The mean of each row.
fn means(channels: &Array2<f64>) -> Array1<f64> {
    channels.outer_iter().map(|channel| channel.sum() / channel.len() as f64).collect()
}

fn hidden(channels: &Array2<f64>, first: &Array2<f64>) -> Array1<f64> {
    each(&first.dot(&means(channels)), &|x| x.max(0.0))
}

pub(in crate::exercise) static EXCITATION: Exercise<GateRoles> = Exercise {
    about: About {
        id: "lt-ex4d",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 3,
        minutes: 15,
        title: Text("Sužadinimas ir dėmesys", "Збудження й увага", "Excitation and attention"),
        prompt: Text(
            "Kas sužadinime yra užklausa, raktai ir reikšmės? Duoti kanalai (c × n) ir abiejų sluoksnių svoriai. \
             Grąžinkite tokius q, K ir V, kad i-ojo kanalo vartai būtų sigmoid(q·kᵢ), o iš jų padaugintas kanalas – \
             sigmoid(q·kᵢ) vᵢ.",
            "Що у збудженні є запитом, ключами та значеннями? Дано канали (c × n) і ваги обох шарів. Поверніть такі q, \
             K і V, щоб вентиль каналу i дорівнював sigmoid(q·kᵢ), а масштабований канал – sigmoid(q·kᵢ) vᵢ.",
            "What are query, keys and values in excitation? You are given the channels (c × n) and both layers' weights. \
             Return q, K and V such that the gate of channel i is sigmoid(q·kᵢ) and the rescaled channel sigmoid(q·kᵢ) vᵢ.",
        ),
        hints: [
            Text(
                "Raktų turi būti tiek, kiek kanalų. Kurios matricos eilučių yra tiek pat ir kas jas daugina?",
                "Ключів має бути стільки, скільки каналів. У якої матриці стільки ж рядків і на що їх множать?",
                "There must be a key for each channel. Which matrix has as many rows, and what multiplies them?",
            ),
            Text(
                "g = sigmoid(W₂ u), u = ReLU(W₁ z): i-ojo kanalo vartų įvertinimas yra W₂ i-osios eilutės ir u skaliarinė \
                 sandauga.",
                "g = sigmoid(W₂ u), u = ReLU(W₁ z): оцінка для вентиля i – скалярний добуток рядка i матриці W₂ та u.",
                "g = sigmoid(W₂ u), u = ReLU(W₁ z): the score of gate i is the dot product of row i of W₂ and u.",
            ),
            Text::code(
                "let z = channels.mean_axis(Axis(1)).unwrap();\nlet query = w1.dot(&z).mapv(|x| …);\n(query, …, …)",
            ),
        ],
        next: Text(
            "Raktai čia išmokti ir visiems vaizdams tie patys, o užklausą kiekvienas vaizdas pateikia pats. Kuo tai \
             skiriasi nuo dėmesio, kurio ir raktai apskaičiuojami iš įvesties?",
            "Ключі тут навчені й однакові для всіх зображень, а запит кожне зображення ставить саме. Чим це \
             відрізняється від уваги, ключі якої теж обчислюються із входу?",
            "The keys are learned here and the same for all images, while each image asks its own query. How does that \
             differ from attention whose keys, too, are computed from the input?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Kiekvienas kanalas turi turėti raktą ir reikšmę, o užklausa turi būti tokio pat ilgio kaip raktas.",
                "Кожен канал повинен мати ключ і значення, а запит має бути такої самої довжини, як ключ.",
                "Every channel must have its key and its value, and the query must be as long as a key.",
            ),
            holds: |roles| {
                for seed in 0..3 {
                    let (channels, first, second) = channels(seed);
                    let (c, n) = channels.dim();
                    let (q, k, v) = roles(&channels, &first, &second);
                    let fits = k.nrows() == c && q.len() == k.ncols() && v.dim() == (c, n);
                    let input = format!("X = {}, {}", shown(&channels), layers(&first, &second));
                    unless(fits, input, sizes(&q, &k, &v), format!("q: d, K: {c} × d, V: {c} × {n}"))?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Sigmoidė, pritaikyta įvertinimams q·kᵢ, turi duoti kanalų vartus.",
                "Сигмоїда, застосована до оцінок q·kᵢ, має дати вентилі каналів.",
                "Sigmoid of the scores q·kᵢ must give the channels' gates.",
            ),
            holds: |roles| {
                for seed in 0..3 {
                    let (channels, first, second) = channels(seed);
                    let (q, k, _) = roles(&channels, &first, &second);
                    let got = each(&k.dot(&q), &sigmoid);
                    let wanted = each(&second.dot(&hidden(&channels, &first)), &sigmoid);
                    let input = format!("X = {}, {}", shown(&channels), layers(&first, &second));
                    unless(close(&got, &wanted), input, format!("g = {got:.4}"), format!("g = {wanted:.4}"))?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Reikšmė, padauginta iš vartų, turi būti lygi iš jų padaugintam kanalui.",
                "Значення, помножене на вентиль, має бути масштабованим каналом.",
                "A value times its gate must be the rescaled channel.",
            ),
            holds: |roles| {
                for seed in 0..3 {
                    let (channels, first, second) = channels(seed);
                    let (.., v) = roles(&channels, &first, &second);
                    let input = format!("X = {}", shown(&channels));
                    unless(close(&v, &channels), input, format!("V = {}", shown(&v)), "V = X")?;
                }
                Ok(())
            },
        },
    ],
    fingerprint: |roles| {
        let (channels, first, second) = channels(0);
        let (q, k, v) = roles(&channels, &first, &second);
        // Of queries and keys the scores count, since the same ones can be made in many ways.
        let scores = if k.ncols() == q.len() { k.dot(&q) } else { Array1::zeros(0) };
        flat([scores.insert_axis(Axis(1)), v])
    },
    misconceptions: &[
        Misconception {
            answer: |channels, first, _| (means(channels), first.clone(), channels.clone()),
            says: Text(
                "W₁ eilučių yra ne tiek, kiek kanalų: pirmasis sluoksnis tik paruošia užklausą, o raktai yra antrajame",
                "рядків у W₁ не стільки, скільки каналів: перший шар лише готує запит, а ключі – у другому",
                "W₁ does not have a row for each channel: the first layer prepares the query, the second holds the keys",
            ),
        },
        Misconception {
            answer: |channels, first, second| (first.dot(&means(channels)), second.clone(), channels.clone()),
            says: Text("užklausai trūksta ReLU", "запиту бракує ReLU", "the query lacks its ReLU"),
        },
        Misconception {
            answer: |channels, first, second| {
                (hidden(channels, first), second.clone(), means(channels).insert_axis(Axis(1)))
            },
            says: Text(
                "reikšmės čia – kanalų vidurkiai, bet sužadinimas iš vartų daugina pačius kanalus su visais jų vaizdo taškais",
                "значення тут – середні каналів, але збудження масштабує самі канали з усіма їхніми пікселями",
                "the values are the channels' means here, but excitation rescales the channels with all their pixels",
            ),
        },
        Misconception {
            answer: |channels, _, _| (means(&channels.t().to_owned()), channels.clone(), channels.clone()),
            says: Text(
                "raktai čia – patys kanalai, tarsi tai būtų savidėmesys; sužadinimo raktai išmokti ir nuo vaizdo \
                 nepriklauso",
                "ключі тут – самі канали, ніби це самоувага; ключі збудження навчені й від зображення не залежать",
                "the keys are the channels themselves here, as in self-attention; those of excitation are learned and \
                 do not depend on the image",
            ),
        },
        Misconception {
            answer: |channels, first, second| {
                let query = hidden(channels, first);
                let gates = each(&second.dot(&query), &sigmoid);
                (query, second.clone(), matrix(channels.dim(), &|i, j| channels[[i, j]] * gates[i]))
            },
            says: Text(
                "reikšmės jau padaugintos iš vartų: taip jos iš vartų būtų padaugintos du kartus",
                "значення вже помножено на вентилі: так їх було б масштабовано двічі",
                "the values already hold their gates: they would be rescaled twice",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |channels, first, second| (hidden(channels, first), second.clone(), channels.clone()),
        |channels, first, second| (2.0 * hidden(channels, first), 0.5 * second, channels.clone()),
        |channels, first, second| {
            let scores = second.dot(&hidden(channels, first));
            (Array1::ones(1), scores.insert_axis(Axis(1)), channels.clone())
        },
    ],
};
