//! One row of the mixture, without the head.

use ndarray::{Array1, Array2, array};

use super::NOTEBOOK;
use crate::attention::{Mask, attention, softmax};
use crate::exercise::entry::{About, Exercise, Misconception, Property};
use crate::exercise::numbers::{close, flat, shown, unless};
use crate::exercise::text::{Language, Text};
use crate::random::{normal, seeded};

/// From the tokens (n x d) and a position to the mixture (d) that this position collects.
pub type RowMixture = fn(&Array2<f64>, usize) -> Array1<f64>;

pub(in crate::exercise) static ROW: Exercise<RowMixture> = Exercise {
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
            answer: |x, _| Array1::from_elem(x.nrows(), 1.0 / x.nrows() as f64).dot(x),
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
    #[cfg(feature = "rehearsal")]
    stub: |_, _| todo!(),
    #[cfg(feature = "rehearsal")]
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
