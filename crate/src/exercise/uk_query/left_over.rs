//! What the winner leaves for the others.

use ndarray::Array1;

use super::NOTEBOOK;
use crate::attention::{softmax, top_k};
use crate::exercise::entry::{About, Counterexample, Exercise, Misconception, Property};
use crate::exercise::numbers::{each, unless};
use crate::exercise::text::{Language, Text};

/// From a row of scores to what all but the largest weight amount to.
pub type LeftOver = fn(&Array1<f64>) -> f64;

pub(in crate::exercise) static LEFT_OVER: Exercise<LeftOver> = Exercise {
    about: About {
        id: "uk-ex2b",
        notebook: NOTEBOOK,
        language: Language::Uk,
        difficulty: 2,
        minutes: 10,
        title: Text("Kiek lieka kitiems", "Скільки лишається решті", "What is left for the others"),
        prompt: Text(
            "Duota įvertinimų eilutė, kurioje vienas įvertinimas didžiausias. Grąžinkite visų kitų svorių sumą. Kad \
             ir koks stiprus būtų nugalėtojas, atsakymas turi būti teigiamas ir tikslus.",
            "Дано рядок оцінок, одна з яких найбільша. Поверніть суму ваг усіх інших. Хоч яка велика перевага \
             переможця, відповідь має бути додатною й точною.",
            "You are given a row of scores, one of which is the largest. Return the sum of all other weights. However \
             strong the winner, the answer must be positive and accurate.",
        ),
        hints: [
            Text(
                "`f64` turi apie šešiolika skaitmenų. Kas lieka iš 1 − α, kai α skiriasi nuo 1 dvidešimtuoju \
                 skaitmeniu?",
                "`f64` має близько шістнадцяти цифр. Що лишиться від 1 − α, коли α відрізняється від 1 двадцятою \
                 цифрою?",
                "An `f64` has about sixteen digits. What is left of 1 − α when α differs from 1 in the twentieth?",
            ),
            Text(
                "Σ exp(sⱼ − s_max) / (1 + Σ exp(sⱼ − s_max)), abi sumos – per visus, išskyrus nugalėtoją.",
                "Σ exp(sⱼ − s_max) / (1 + Σ exp(sⱼ − s_max)), обидві суми – за всіма, крім переможця.",
                "Σ exp(sⱼ − s_max) / (1 + Σ exp(sⱼ − s_max)), both summed over all but the winner.",
            ),
            Text::code("let winner = top_k(scores, 1)[0].0;\nlet weights = softmax(scores);\n…"),
        ],
        next: Text(
            "Kuo artimesnis svoris vienetui, tuo mažesnis softmax gradientas. Ko iš to negalėtų išmokti modelis?",
            "Що ближча вага до одиниці, то менший градієнт softmax. Чого через це не зможе навчитися модель?",
            "The closer a weight is to one, the smaller the gradient of softmax. What would a model fail to learn \
             because of it?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Nugalėtojo svoris ir likutis kartu turi sudaryti 1.",
                "Вага переможця й решта разом мають становити 1.",
                "The winner's weight and what is left must make 1.",
            ),
            holds: |left| leaves(left, &ROWS[..3]),
        },
        Property {
            says: Text(
                "Kad ir kaip nugalėtojas pirmautų, kitiems visada lieka daugiau negu nulis.",
                "Хоч би яка велика перевага переможця, решті завжди дістається більше за нуль.",
                "However far ahead the winner is, the others always get more than zero.",
            ),
            holds: |left| leaves(left, &ROWS[3..5]),
        },
        Property {
            says: Text(
                "Dideli įvertinimai neturi perpildyti eksponentės.",
                "Великі оцінки не мають переповнювати експоненту.",
                "Large scores must not overflow the exponential.",
            ),
            holds: |left| leaves(left, &ROWS[5..]),
        },
    ],
    fingerprint: |left| ROWS.iter().map(|row| left(&Array1::from(row.to_vec()))).collect(),
    misconceptions: &[
        Misconception {
            answer: |scores| 1.0 - softmax(scores)[winner(scores)],
            says: Text(
                "atimtis iš vieneto praranda skaitmenis: svoris suapvalinamas iki 1, ir lieka 0",
                "від віднімання губляться цифри: вага округлюється до 1, і лишається 0",
                "subtracting from one loses the digits: the weight is rounded to 1, and 0 remains",
            ),
        },
        Misconception {
            answer: |_| 0.0,
            says: Text(
                "nulis – tik suapvalintas atsakymas: nė viena eksponentė nėra lygi nuliui",
                "нуль – лише округлена відповідь: жодна експонента не дорівнює нулю",
                "zero is only the rounded answer: no exponential is ever zero",
            ),
        },
        Misconception {
            answer: |scores| others(scores),
            says: Text(
                "tai kitų eksponentės, palygintos su nugalėtojo eksponente; dar reikia padalyti iš visų sumos",
                "це експоненти решти відносно експоненти переможця; їх ще треба поділити на суму всіх",
                "these are the others' exponentials relative to the winner's; they have yet to be divided by the sum \
                 of all",
            ),
        },
        Misconception {
            answer: |scores| {
                let terms = each(scores, &f64::exp);
                (terms.sum() - terms[winner(scores)]) / terms.sum()
            },
            says: Text(
                "pirma sudėta viskas, paskui nugalėtojas atimtas: maži dėmenys jau prarasti, o dideli perpildo",
                "спершу додано все, а потім віднято переможця: малі доданки вже втрачено, а від великих настає \
                 переповнення",
                "everything was added first and the winner taken away again: the small terms are lost by then, and \
                 large ones overflow",
            ),
        },
        Misconception {
            answer: |scores| softmax(scores)[top_k(scores, 2)[1].0],
            says: Text(
                "tai tik antrojo svoris, o lieka visiems kitiems kartu",
                "це вага лише другого, а лишається всім іншим разом",
                "this is the runner-up's weight alone, but all the others share what is left",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |scores| {
            let winner = winner(scores);
            softmax(scores).iter().enumerate().filter(|&(j, _)| j != winner).map(|(_, weight)| weight).sum()
        },
        |scores| others(scores) / (1.0 + others(scores)),
        |scores| 1.0 / (1.0 + others(scores).recip()),
    ],
};

/// Rows of scores: close ones, a far winner, large ones.
const ROWS: [&[f64]; 6] = [
    &[0.1, 0.27, 0.59],
    &[0.0, 3.5, 0.0],
    &[-2.0, 1.0, 0.0, 0.5, -1.0],
    &[0.0, 50.0, 0.0],
    &[300.0, 1.0, 0.0, -4.0],
    &[960.0, 950.0, 1000.0],
];

fn winner(scores: &Array1<f64>) -> usize {
    top_k(scores, 1)[0].0
}

/// Σ exp(s_j - s_max) over all but the winner.
fn others(scores: &Array1<f64>) -> f64 {
    let winner = winner(scores);
    let others = scores.iter().enumerate().filter(|&(j, _)| j != winner);
    others.map(|(_, score)| (score - scores[winner]).exp()).sum()
}

fn leaves(left: LeftOver, rows: &[&[f64]]) -> Result<(), Counterexample> {
    for row in rows {
        let scores = Array1::from(row.to_vec());
        let (got, wanted) = (left(&scores), others(&scores) / (1.0 + others(&scores)));
        // Relative to what is wanted, which may be tiny.
        unless(
            (got - wanted).abs() <= 1e-6 * wanted,
            format!("s = {scores}"),
            format!("{got:e}"),
            format!("{wanted:.6e}"),
        )?;
    }
    Ok(())
}
