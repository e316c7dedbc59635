//! The factor at which the largest weight reaches nine tenths.

use ndarray::{Array1, array};

use super::NOTEBOOK;
use crate::attention::{softmax, top_k};
use crate::exercise::entry::{About, Counterexample, Exercise, Misconception, Property};
use crate::exercise::numbers::{each, unless};
use crate::exercise::text::{Language, Text};

/// From a row of scores to the factor at which its largest weight reaches nine tenths.
pub type Sharpening = fn(&Array1<f64>) -> f64;

pub(in crate::exercise) static SCALE: Exercise<Sharpening> = Exercise {
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
                "Daugiklį sumažinus vienu procentu, didžiausiasis svoris turi būti mažesnis už 0,9.",
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
    #[cfg(feature = "rehearsal")]
    stub: |_| todo!(),
    #[cfg(feature = "rehearsal")]
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

/// The weights of scores times a factor.
fn sharpened(scores: &Array1<f64>, factor: f64) -> Array1<f64> {
    softmax(&each(scores, &|score| score * factor))
}

fn threshold(scores: &Array1<f64>) -> f64 {
    let (mut low, mut high) = (0.0, 1000.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if largest(&sharpened(scores, middle)) < SHARE {
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

fn reaches(scale: Sharpening, nudge: f64, fits: fn(f64) -> bool, wanted: &str) -> Result<(), Counterexample> {
    for scores in rows() {
        let factor = scale(&scores);
        let fit = fits(largest(&sharpened(&scores, factor * nudge)));
        let share = largest(&sharpened(&scores, factor));
        unless(
            fit,
            format!("s = {scores}"),
            format!("c = {factor:.4}: max α = {share:.4}"),
            format!("max α {wanted}"),
        )?;
    }
    Ok(())
}
