//! A query map that makes tower attend to Eiffel.

use ndarray::{Array1, Array2, array};

use super::NOTEBOOK;
use crate::attention::{Mask, attention, top_k};
use crate::exercise::entry::{About, Exercise, Misconception, Property};
use crate::exercise::numbers::{flat, shown, unless};
use crate::exercise::text::{Language, Text};

/// A query map of the two-axis space (2 x 2).
pub type QueryMap = fn() -> Array2<f64>;

pub(in crate::exercise) static MAP: Exercise<QueryMap> = Exercise {
    about: About {
        id: "uk-ex2a",
        notebook: NOTEBOOK,
        language: Language::Uk,
        difficulty: 1,
        minutes: 10,
        title: Text("Kad tower žiūrėtų į Eiffel", "Щоб tower дивився на Eiffel", "Make tower look at Eiffel"),
        prompt: Text(
            "Sakinys – the, Eiffel, tower, raktai – patys vektoriai. Grąžinkite tokią matricą Wq (2 × 2), kad tower \
             skirtų Eiffel svorį, didesnį už 0,9.",
            "Речення – the, Eiffel, tower; ключі – самі вектори. Поверніть таку матрицю Wq (2 × 2), щоб tower надавав \
             Eiffel вагу, більшу за 0,9.",
            "The sentence is the, Eiffel, tower, and the vectors are their own keys. Return a matrix Wq (2 × 2) with \
             which tower gives Eiffel a weight above 0.9.",
        ),
        hints: [
            Text(
                "Kuri Wq eilutė tampa tower užklausa, jei tower = [1, 0]?",
                "Який рядок Wq стає запитом tower, якщо tower = [1, 0]?",
                "Which row of Wq becomes tower's query, given tower = [1, 0]?",
            ),
            Text(
                "Kai užklausa [0, b], Eiffel svoris yra eᵗ / (eᵗ + 2), t = b/√2. Jis viršija 0,9, kai t > ln 18.",
                "Для запиту [0, b] вага Eiffel дорівнює eᵗ / (eᵗ + 2), де t = b/√2. Вона перевищує 0,9, коли t > ln \
                 18.",
                "With the query [0, b], Eiffel's weight is eᵗ / (eᵗ + 2) with t = b/√2. It exceeds 0.9 when t > ln \
                 18.",
            ),
            Text::code("array![[0.0, …], [0.0, 0.0]]"),
        ],
        next: Text(
            "Kad ir kokia ilga užklausa, kitų teksto vienetų eksponentės teigiamos, todėl svoris 1 nepasiekiamas. \
             Kodėl vis dėlto kompiuteris kartais išspausdina lygiai 1?",
            "Хоч який довгий запит, експоненти решти токенів додатні, тож ваги 1 не досягти. Чому ж комп'ютер інколи \
             друкує рівно 1?",
            "However long the query, the other words keep a positive exponential, so 1 is never reached. Why does a \
             computer sometimes print exactly 1 all the same?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Užklausų matrica turi būti 2 × 2, o jos skaičiai – baigtiniai.",
                "Матриця запиту має бути 2 × 2, а її числа – скінченними.",
                "The query map must be 2 × 2 and its numbers finite.",
            ),
            holds: |map| {
                let wq = map();
                unless(fits(&wq), "d = d_k = 2".into(), format!("Wq = {}", shown(&wq)), "2 × 2, |w| < ∞")
            },
        },
        Property {
            says: Text(
                "tower turi skirti Eiffel didesnį svorį nei 0,9.",
                "tower має надавати Eiffel вагу, більшу за 0,9.",
                "tower must give Eiffel a weight above 0.9.",
            ),
            holds: |map| {
                let wq = map();
                let row = tower(&wq);
                unless(
                    row[1] > 0.9,
                    format!("Wq = {}", shown(&wq)),
                    format!("α(the, Eiffel, tower) = {row:.4}"),
                    "α(Eiffel) > 0.9",
                )
            },
        },
    ],
    // Not the entries but what they do: whom tower prefers, the sign of its query, a number in the wrong row.
    fingerprint: |map| {
        let wq = map();
        if !fits(&wq) {
            return flat([wq]);
        }
        let (along, across) = (wq[[0, 1]], wq[[1, 0]]);
        let sign = if along == 0.0 { 0.0 } else { along.signum() };
        vec![top_k(&tower(&wq), 1)[0].0 as f64, sign, f64::from(along == 0.0 && across > 0.0)]
    },
    misconceptions: &[
        Misconception {
            answer: || array![[0.0, 1.0], [1.0, 0.0]],
            says: Text(
                "kryptis teisinga, bet užklausa per trumpa: įvertinimas prieš softmax dar dalijamas iš √2",
                "напрямок правильний, але запит закороткий: перед softmax оцінку ще ділять на √2",
                "the direction is right but the query too short: the score is still divided by √2 before softmax",
            ),
        },
        Misconception {
            answer: || array![[9.0, 0.0], [0.0, 9.0]],
            says: Text(
                "tower klausia paties savęs: jo užklausa nukreipta į struktūros ašį",
                "tower запитує про самого себе: його запит спрямовано вздовж осі структури",
                "tower asks for itself: its query points along the axis of structure",
            ),
        },
        Misconception {
            answer: || array![[0.0, 0.0], [9.0, 0.0]],
            says: Text(
                "skaičius ne toje eilutėje: tower = [1, 0] skaito pirmąją Wq eilutę, o ne antrąją",
                "число не в тому рядку: tower = [1, 0] читає перший рядок Wq, а не другий",
                "the number is in the wrong row: tower = [1, 0] reads the first row of Wq, not the second",
            ),
        },
        Misconception {
            answer: || array![[0.0, -9.0], [0.0, 0.0]],
            says: Text(
                "užklausa priešinga Eiffel raktui: neigiamas įvertinimas svorį mažina",
                "запит протилежний ключу Eiffel: від'ємна оцінка зменшує вагу",
                "the query opposes Eiffel's key: a negative score makes the weight smaller",
            ),
        },
        Misconception {
            answer: || Array2::zeros((2, 2)),
            says: Text(
                "nulinė užklausa visus vertina vienodai, todėl svoriai lygūs",
                "нульовий запит оцінює всіх однаково, тому ваги рівні",
                "a zero query scores everyone alike, so the weights are equal",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: || todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        || array![[0.0, 5.0], [0.0, 0.0]],
        || array![[0.0, 30.0], [7.0, -2.0]],
        || array![[-20.0, 3.2], [0.0, 0.0]],
    ],
};

fn fits(wq: &Array2<f64>) -> bool {
    wq.dim() == (2, 2) && wq.iter().all(|entry| entry.is_finite())
}

/// The weights of tower on the, Eiffel and tower, with the vectors as keys.
fn tower(wq: &Array2<f64>) -> Array1<f64> {
    let x = array![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]];
    let eye = Array2::eye(2);
    attention(&x, wq, &eye, &eye, Mask::None).0.row(2).to_owned()
}
