//! Exercises on the first mixture: a row by hand, and how far its scores have to be stretched.

use ndarray::{Array1, Array2, Axis, array};

use super::entry::{About, Exercise, Misconception, Property};
use super::numbers::{close, flat, shown, unless};
use super::text::{Language, Text};
use crate::attention::{Mask, attention, softmax, top_k};
use crate::random::{normal, seeded};

const NOTEBOOK: &str = "uk/1-sumish.ipynb";

/// From the tokens (n x d) and a position to the mixture (d) that this position collects.
pub type RowMixture = fn(&Array2<f64>, usize) -> Array1<f64>;
/// From a row of scores to the factor at which its largest weight reaches nine tenths.
pub type Sharpening = fn(&Array1<f64>) -> f64;

pub(super) static ROW: Exercise<RowMixture> = Exercise {
    about: About {
        id: "uk-ex1a",
        notebook: NOTEBOOK,
        language: Language::Uk,
        difficulty: 1,
        minutes: 10,
        title: Text("Viena eilutė be galvos", "Один рядок без голови", "One row without the head"),
        prompt: Text(
            "Grąžinkite mišinį, kurį surenka i-oji pozicija, kai visos projekcijos – vienetinės matricos. Pakanka \
             vienos eilutės: visos matricos A skaičiuoti nereikia.",
            "Поверніть суміш, яку збирає позиція i, коли всі проєкції – одиничні матриці. Досить одного рядка: усієї \
             матриці A обчислювати не треба.",
            "Return the mixture that position i collects when every projection is the identity. One row is enough: \
             there is no need for the whole matrix A.",
        ),
        hints: [
            Text(
                "Trys žingsniai: įvertinimai, svoriai, svertinė suma. Kiek įvertinimų turi viena eilutė?",
                "Три кроки: оцінки, ваги, зважена сума. Скільки оцінок в одному рядку?",
                "Three steps: scores, weights, weighted sum. How many scores does one row have?",
            ),
            Text(
                "sⱼ = xᵢ·xⱼ / √d, a = softmax(s), mišinys = Σⱼ aⱼxⱼ.",
                "sⱼ = xᵢ·xⱼ / √d, a = softmax(s), суміш = Σⱼ aⱼxⱼ.",
                "sⱼ = xᵢ·xⱼ / √d, a = softmax(s), mixture = Σⱼ aⱼxⱼ.",
            ),
            Text::code("let scores = x.dot(&x.row(i)) / (x.ncols() as f64).sqrt();\nsoftmax(&scores).dot(…)"),
        ],
        next: Text(
            "Kaip pasikeistų mišinys, jei sakinio teksto vienetus sukeistume vietomis? O svoriai?",
            "Як змінилася б суміш, якби токени речення поміняти місцями? А ваги?",
            "How would the mixture change if the words of the sentence changed places? And the weights?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Kai visi vektoriai vienodi, mišinys yra tas pats vektorius, nes svorių suma lygi 1.",
                "Коли всі вектори однакові, суміш – той самий вектор, бо сума ваг дорівнює 1.",
                "When all vectors are equal, the mixture is that vector, since the weights sum to 1.",
            ),
            holds: |row| {
                let token = array![0.5, -1.0, 2.0];
                let x = token.broadcast((4, 3)).expect("a row fits any number of rows").to_owned();
                let got = row(&x, 2);
                unless(close(&got, &token), told(&x, 2), format!("{got:.4}"), format!("{token:.4}"))
            },
        },
        Property {
            says: Text(
                "Mišinys turi sutapti su atitinkama galvos išvesties eilute.",
                "Суміш має збігатися з відповідним рядком виходу голови.",
                "The mixture must be the same as that row of the head's output.",
            ),
            holds: |row| {
                for (x, i) in sentences() {
                    let (got, wanted) = (row(&x, i), mixture(&x, i));
                    unless(close(&got, &wanted), told(&x, i), format!("{got:.4}"), format!("{wanted:.4}"))?;
                }
                Ok(())
            },
        },
    ],
    fingerprint: |row| flat(sentences().into_iter().map(|(x, i)| row(&x, i))),
    misconceptions: &[
        Misconception {
            answer: |x, i| softmax(&x.dot(&x.row(i))).dot(x),
            says: Text("įvertinimai nepadalyti iš √d", "оцінки не поділено на √d", "the scores are not divided by √d"),
        },
        Misconception {
            answer: |x, i| softmax(&(x.dot(&x.row(i)) / x.ncols() as f64)).dot(x),
            says: Text("padalyta iš d, o ne iš √d", "поділено на d, а не на √d", "divided by d instead of √d"),
        },
        Misconception {
            answer: |x, i| softmax(&(x.dot(&x.row(i)) / (x.nrows() as f64).sqrt())).dot(x),
            says: Text(
                "po šaknimi turi būti vektoriaus matmenų skaičius d, o ne teksto vienetų skaičius n",
                "під коренем має стояти вимірність вектора d, а не кількість токенів n",
                "under the root belongs the vectors' length d, not the number of tokens n",
            ),
        },
        Misconception {
            answer: |x, i| {
                let scores = x.dot(&x.row(i));
                (&scores / scores.sum()).dot(x)
            },
            says: Text(
                "įvertinimai padalyti iš jų sumos, bet prieš tai nepritaikyta eksponentė: softmax daro abu dalykus",
                "оцінки поділено на їхню суму, але без експоненти: softmax робить і те, і те",
                "the scores are divided by their sum but not exponentiated first: softmax does both",
            ),
        },
        Misconception {
            answer: |x, _| x.mean_axis(Axis(0)).unwrap_or_default(),
            says: Text(
                "tai paprastas vidurkis: įvertinimai jam nerūpi",
                "це звичайне середнє: оцінки на нього не впливають",
                "this is the plain mean: it does not care about scores",
            ),
        },
        Misconception {
            answer: |x, i| softmax(&(x.dot(&x.row(i)) / (x.ncols() as f64).sqrt())),
            says: Text(
                "grąžinti svoriai; pagal juos dar reikia sumaišyti vektorius",
                "повернуто ваги; за ними ще треба змішати вектори",
                "these are the weights; the vectors have yet to be mixed by them",
            ),
        },
    ],
    stub: |_, _| todo!(),
    solutions: &[
        |x, i| softmax(&(x.dot(&x.row(i)) / (x.ncols() as f64).sqrt())).dot(x),
        mixture,
        |x, i| {
            let shares: Vec<f64> =
                x.outer_iter().map(|source| (x.row(i).dot(&source) / (x.ncols() as f64).sqrt()).exp()).collect();
            let total: f64 = shares.iter().sum();
            let mut sum = Array1::zeros(x.ncols());
            for (share, source) in shares.iter().zip(x.outer_iter()) {
                sum.scaled_add(share / total, &source);
            }
            sum
        },
    ],
};

fn mixture(x: &Array2<f64>, i: usize) -> Array1<f64> {
    let eye = Array2::eye(x.ncols());
    attention(x, &eye, &eye, &eye, Mask::None).1.row(i).to_owned()
}

/// Tokens and the position that collects: the notebook's sentence, then random ones of other sizes.
fn sentences() -> Vec<(Array2<f64>, usize)> {
    let sentence = array![[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.2], [0.5, 0.5, 0.8, 0.2]];
    let mut sentences = vec![(sentence.clone(), 2), (sentence, 1)];
    sentences.extend([(1, 5, 3, 0), (2, 2, 6, 1), (3, 1, 2, 0), (4, 4, 9, 3)].map(|(seed, n, d, i)| {
        let x: Array2<f64> = normal((n, d), &mut seeded(seed));
        (x, i)
    }));
    sentences
}

fn told(x: &Array2<f64>, i: usize) -> String {
    format!("X = {}, i = {i}", shown(x))
}

pub(super) static SCALE: Exercise<Sharpening> = Exercise {
    about: About {
        id: "uk-ex1b",
        notebook: NOTEBOOK,
        language: Language::Uk,
        difficulty: 2,
        minutes: 15,
        title: Text(
            "Nuo kurio daugiklio – devynios dešimtosios",
            "Від якого множника – дев'ять десятих",
            "Nine tenths, from which factor on",
        ),
        prompt: Text(
            "Duota įvertinimų eilutė, kurioje vienas įvertinimas didžiausias. Grąžinkite mažiausią daugiklį, iš kurio \
             padauginus visus įvertinimus, didžiausiasis svoris pasiekia 0,9 (užtenka vieno procento tikslumo).",
            "Дано рядок оцінок, одна з яких найбільша. Поверніть найменший множник, на який треба помножити всі \
             оцінки, щоб найбільша вага сягнула 0,9 (досить точності в один відсоток).",
            "You are given a row of scores, one of which is the largest. Return the smallest factor by which all \
             scores must be multiplied for the largest weight to reach 0.9 (to one per cent).",
        ),
        hints: [
            Text(
                "Didžiausiasis svoris auga kartu su daugikliu. Kaip rasti vietą, kurioje didėjanti funkcija įgyja \
                 duotą reikšmę?",
                "Найбільша вага зростає разом із множником. Як знайти місце, де функція, що зростає, набуває заданого \
                 значення?",
                "The largest weight grows with the factor. How does one find where a growing function takes a given \
                 value?",
            ),
            Text(
                "1 / (1 + Σⱼ exp(−c·(s_max − sⱼ))) = 0,9, suma – per visus kitus. Lygtį spręskite dalydami atkarpą \
                 pusiau.",
                "1 / (1 + Σⱼ exp(−c·(s_max − sⱼ))) = 0,9, сума – за всіма іншими. Розв'язуйте поділом відрізка \
                 навпіл.",
                "1 / (1 + Σⱼ exp(−c·(s_max − sⱼ))) = 0.9, summed over all others. Solve it by halving an interval.",
            ),
            Text::code(
                "let (mut low, mut high) = (0.0, 1000.0);\nfor _ in 0..60 {\n    let middle = (low + high) / 2.0;\n    \
                 let weights = softmax(&(scores * middle));\n    …\n}\nhigh",
            ),
        ],
        next: Text(
            "O kuris svoris bus didžiausias, jei daugiklis neigiamas?",
            "А чия вага стане найбільшою, якщо множник від'ємний?",
            "And whose weight becomes the largest when the factor is negative?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Padauginus iš šio daugiklio, didžiausiasis svoris turi būti bent 0,9.",
                "Після множення на цей множник найбільша вага має бути не меншою за 0,9.",
                "With this factor, the largest weight must be at least 0.9.",
            ),
            holds: |scale| reaches(scale, 1.01, |share| share >= SHARE, "≥ 0.9"),
        },
        Property {
            says: Text(
                "Su vienu procentu mažesniu daugikliu didžiausiasis svoris dar turi būti mažesnis už 0,9.",
                "З множником, на один відсоток меншим, найбільша вага ще має бути меншою за 0,9.",
                "With a factor one per cent smaller, the largest weight must still be below 0.9.",
            ),
            holds: |scale| reaches(scale, 0.99, |share| share < SHARE, "= 0.9"),
        },
    ],
    fingerprint: |scale| rows().iter().map(scale).collect(),
    misconceptions: &[
        Misconception {
            answer: |_| 5.0,
            says: Text(
                "penketas – pavyzdžio skaičius: eilutėje bank jis duoda tik 0,78, o kitoms eilutėms reikia kitokių",
                "п'ять – число з прикладу: у рядку bank воно дає лише 0,78, а іншим рядкам потрібні інші числа",
                "five is the example's number: it brings bank to 0.78 only, and other rows need other numbers",
            ),
        },
        Misconception {
            answer: |_| 100.0,
            says: Text(
                "tokio daugiklio pakanka su atsarga, bet reikia mažiausio",
                "такого множника вистачає із запасом, але потрібен найменший",
                "such a factor is more than enough, but the smallest is asked for",
            ),
        },
        Misconception {
            answer: |scores| {
                let best = top_k(scores, 2);
                9f64.ln() / (best[0].1 - best[1].1)
            },
            says: Text(
                "atsižvelgta tik į artimiausią varžovą, o svorio dalį gauna visi",
                "ураховано лише найближчого суперника, а частку отримують усі",
                "only the closest rival is counted, but all of them take a share",
            ),
        },
        Misconception {
            answer: |scores| SHARE / largest(&softmax(scores)),
            says: Text(
                "svoris nėra proporcingas daugikliui: tarp jų – eksponentės",
                "вага не пропорційна множнику: між ними стоять експоненти",
                "a weight is not proportional to the factor: exponentials stand between them",
            ),
        },
        Misconception {
            answer: |scores| threshold(scores).recip(),
            says: Text(
                "tai temperatūra, iš kurios reikėtų dalyti; daugiklis yra jai atvirkštinis",
                "це температура, на яку слід було б ділити; множник – обернене до неї число",
                "this is the temperature to divide by; the factor is its reciprocal",
            ),
        },
    ],
    stub: |_| todo!(),
    solutions: &[
        threshold,
        |scores| {
            let mut factor = 0.0;
            while largest(&softmax(&(scores * factor))) < SHARE {
                factor += 0.002;
            }
            factor
        },
        |scores| {
            // Newton's method on Σ exp(-c gap) = 1 + 1/9, where the winner's own term is the 1.
            let gaps = largest(scores) - scores;
            (0..200).fold(0.0, |factor: f64, _| {
                let terms = gaps.mapv(|gap| (-factor * gap).exp());
                factor + (terms.sum() - 1.0 / SHARE) / (&terms * &gaps).sum()
            })
        },
    ],
};

/// The weight that is asked for.
const SHARE: f64 = 0.9;

fn largest(numbers: &Array1<f64>) -> f64 {
    numbers.fold(f64::NEG_INFINITY, |a, &b| a.max(b))
}

fn threshold(scores: &Array1<f64>) -> f64 {
    let (mut low, mut high) = (0.0, 1000.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if largest(&softmax(&(scores * middle))) < SHARE {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Rows of scores, each with one largest: first that of bank.
fn rows() -> [Array1<f64>; 5] {
    [
        array![0.1, 0.27, 0.59],
        array![1.0, 0.2, -0.5, 0.3],
        array![2.0, 1.5],
        array![0.0, -1.0, -3.0, 0.9, 0.1],
        array![-5.0, -4.6, -6.0],
    ]
}

fn reaches(scale: Sharpening, nudge: f64, fits: fn(f64) -> bool, wanted: &str) -> Result<(), super::Counterexample> {
    for scores in rows() {
        let factor = scale(&scores);
        let fit = fits(largest(&softmax(&(&scores * (factor * nudge)))));
        let share = largest(&softmax(&(&scores * factor)));
        unless(
            fit,
            format!("s = {scores}"),
            format!("c = {factor:.4}: max α = {share:.4}"),
            format!("max α {wanted}"),
        )?;
    }
    Ok(())
}
