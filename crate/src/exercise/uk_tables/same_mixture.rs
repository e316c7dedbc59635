//! Other weights, the same mixture.

use ndarray::{Array1, Array2, array};

use super::NOTEBOOK;
use crate::attention::{Mask, attention};
use crate::exercise::entry::{About, Exercise, Misconception, Property};
use crate::exercise::numbers::{flat, shown, unless};
use crate::exercise::text::{Language, Text};

/// A query map and a value map of the two-axis space (2 x 2 each).
pub type QueryAndValueMaps = fn() -> (Array2<f64>, Array2<f64>);

pub(in crate::exercise) static SAME_MIXTURE: Exercise<QueryAndValueMaps> = Exercise {
    about: About {
        id: "uk-ex3b",
        notebook: NOTEBOOK,
        language: Language::Uk,
        difficulty: 2,
        minutes: 15,
        title: Text("Kiti svoriai, tas pats mišinys", "Інші ваги, та сама суміш", "Other weights, the same mixture"),
        prompt: Text(
            "Sakinys – the, Eiffel, tower, Wk – vienetinė matrica. Kai Wq ir Wv irgi vienetinės, tower mišinys yra \
             [0,5035; 0,2483]. Grąžinkite kitą porą (Wq, Wv), su kuria bent vienas tower svoris skiriasi daugiau kaip \
             0,01, o mišinys – tas pats.",
            "Речення – the, Eiffel, tower; Wk – одинична матриця. Коли Wq і Wv теж одиничні, суміш tower дорівнює \
             [0,5035; 0,2483]. Поверніть іншу пару (Wq, Wv), за якої хоча б одна вага tower відрізняється більш ніж на \
             0,01, а суміш та сама.",
            "The sentence is the, Eiffel, tower, and Wk is the identity. With Wq and Wv identities as well, tower's \
             mixture is [0.5035, 0.2483]. Return another pair (Wq, Wv) with which at least one of tower's weights \
             differs by more than 0.01 while the mixture is the same.",
        ),
        hints: [
            Text(
                "Vektorius the nulinis, todėl ir jo reikšmė nulinė. Mišinys dedamas tik iš Eiffel ir tower reikšmių.",
                "Вектор the нульовий, тому і його значення нульове. Суміш складається лише зі значень Eiffel і tower.",
                "The vector of the is zero, and so is its value. The mixture is made of Eiffel's and tower's values \
                 alone.",
            ),
            Text(
                "Eiffel reikšmė yra antroji Wv eilutė, tower – pirmoji: mišinys = a_E·Wv[1] + a_t·Wv[0].",
                "Значення Eiffel – другий рядок Wv, значення tower – перший: суміш = a_E·Wv[1] + a_t·Wv[0].",
                "Eiffel's value is the second row of Wv and tower's the first: mixture = a_E·Wv[1] + a_t·Wv[0].",
            ),
            Text::code("let swap = array![[0.0, 1.0], [1.0, 0.0]];\n(swap.clone(), …)"),
        ],
        next: Text(
            "Ar iš šilumos žemėlapio būtų galima pasakyti, kad abi galvos surinko tą patį?",
            "Чи видно було б із теплової карти, що обидві голови зібрали те саме?",
            "Could one tell from the heatmaps that both heads gathered the same?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Reikia dviejų 2 × 2 matricų iš baigtinių skaičių.",
                "Потрібні дві матриці 2 × 2 зі скінченних чисел.",
                "Two 2 × 2 matrices of finite numbers are wanted.",
            ),
            holds: |maps| {
                let (wq, wv) = maps();
                unless(
                    fit(&wq, &wv),
                    "d = d_k = d_v = 2".into(),
                    format!("Wq = {}, Wv = {}", shown(&wq), shown(&wv)),
                    "2 × 2, 2 × 2",
                )
            },
        },
        Property {
            says: Text(
                "Bent vienas tower svoris turi skirtis nuo ankstesnio daugiau kaip 0,01.",
                "Хоча б одна вага tower має відрізнятися від початкової більш ніж на 0,01.",
                "At least one of tower's weights must differ from the former one by more than 0.01.",
            ),
            holds: |maps| {
                let ((wq, wv), old) = (maps(), plain());
                let (weights, _) = tower(&wq, &wv);
                unless(
                    far(&weights, &old.0),
                    format!("Wq = {}", shown(&wq)),
                    format!("α = {weights:.4}"),
                    format!("max |α − {:.4}| > {APART}", old.0),
                )
            },
        },
        Property {
            says: Text(
                "tower mišinys turi likti toks pat.",
                "Суміш tower має лишитися такою самою.",
                "tower's mixture must stay the same.",
            ),
            holds: |maps| {
                let ((wq, wv), old) = (maps(), plain());
                let (_, mixture) = tower(&wq, &wv);
                let input = format!("Wq = {}, Wv = {}", shown(&wq), shown(&wv));
                unless(alike(&mixture, &old.1), input, format!("{mixture:.4}"), format!("{:.4}", old.1))
            },
        },
    ],
    // Not the entries but what they do: other weights, the same mixture, values left alone, values thrown away.
    fingerprint: |maps| {
        let (wq, wv) = maps();
        if !fit(&wq, &wv) {
            return flat([wq, wv]);
        }
        let (old, new) = (plain(), tower(&wq, &wv));
        let told = [
            far(&new.0, &old.0),
            alike(&new.1, &old.1),
            wv.iter().eq(&Array2::<f64>::eye(2)),
            wv.iter().all(|&entry| entry == 0.0),
        ];
        told.map(f64::from).to_vec()
    },
    misconceptions: &[
        Misconception {
            answer: || (Array2::eye(2), Array2::eye(2)),
            says: Text(
                "tai ta pati galva: pakeiskite užklausas",
                "це та сама голова: змініть запити",
                "this is the same head: change the queries",
            ),
        },
        Misconception {
            answer: || (swap(), Array2::eye(2)),
            says: Text(
                "svoriai pasikeitė, o reikšmės ne, todėl pasikeitė ir mišinys",
                "ваги змінилися, а значення ні, тому змінилася й суміш",
                "the weights changed and the values did not, so the mixture changed as well",
            ),
        },
        Misconception {
            answer: || (Array2::eye(2), swap()),
            says: Text(
                "reikšmės svorių nekeičia: svorius lemia užklausos ir raktai",
                "значення ваг не змінюють: їх визначають запити й ключі",
                "values do not change the weights: queries and keys do",
            ),
        },
        Misconception {
            answer: || (swap(), Array2::zeros((2, 2))),
            says: Text(
                "nulinės reikšmės nieko neatneša: mišinys nulinis",
                "нульові значення нічого не приносять: суміш нульова",
                "zero values bring nothing: the mixture is zero",
            ),
        },
        Misconception {
            answer: || (5.0 * swap(), swap()),
            says: Text(
                "pakeitus svorius, reikia pritaikyti ir reikšmes: kiek kartų svoris padidėjo, tiek kartų reikšmę \
                 mažinkite",
                "до змінених ваг треба припасувати й значення: у скільки разів вага зросла, у стільки зменште \
                 значення",
                "the values have to follow the weights: as many times as a weight grew, make its value smaller",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: || todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        || (swap(), swap()),
        || {
            // Whatever the weights are, Eiffel's value alone makes up the mixture.
            let wq = array![[-1.0, 3.0], [0.0, 0.0]];
            let (weights, _) = tower(&wq, &swap());
            let value = plain().1 / weights[1];
            (wq, array![[0.0, 0.0], [value[0], value[1]]])
        },
        || (Array2::zeros((2, 2)), array![[3.0 * plain().1[0], 0.0], [0.0, 3.0 * plain().1[1]]]),
    ],
};

fn swap() -> Array2<f64> {
    array![[0.0, 1.0], [1.0, 0.0]]
}

fn fit(wq: &Array2<f64>, wv: &Array2<f64>) -> bool {
    [wq, wv].iter().all(|map| map.dim() == (2, 2) && map.iter().all(|entry| entry.is_finite()))
}

/// tower's weights and mixture with these query and value maps and identity keys.
fn tower(wq: &Array2<f64>, wv: &Array2<f64>) -> (Array1<f64>, Array1<f64>) {
    let x = array![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]];
    let (weights, mixture) = attention(&x, wq, &Array2::eye(2), wv, Mask::None);
    (weights.row(2).to_owned(), mixture.row(2).to_owned())
}

fn plain() -> (Array1<f64>, Array1<f64>) {
    tower(&Array2::eye(2), &Array2::eye(2))
}

/// How far a weight has to move: more than a rounding to two decimals hides.
const APART: f64 = 0.01;

fn far(a: &Array1<f64>, b: &Array1<f64>) -> bool {
    a.iter().zip(b).any(|(a, b)| (a - b).abs() > APART)
}

/// To the three decimals that a learner reads off the notebook's mixture.
fn alike(a: &Array1<f64>, b: &Array1<f64>) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3)
}
