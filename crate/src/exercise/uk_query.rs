//! Exercises on the query and its space: a query map to write down, what the others keep, what a map ignores.

use ndarray::{Array1, Array2, array};

use super::Counterexample;
use super::entry::{About, Exercise, Misconception, Property};
use super::numbers::{flat, shown, unless};
use super::text::{Language, Text};
use crate::attention::{Mask, attention, softmax, top_k};
use crate::random::{normal, seeded};

const NOTEBOOK: &str = "uk/2-zapyt.ipynb";

/// A query map of the two-axis space (2 x 2).
pub type QueryMap = fn() -> Array2<f64>;
/// From a row of scores to what all but the largest weight amount to.
pub type LeftOver = fn(&Array1<f64>) -> f64;
/// From a map (3 x 2) to a direction that it ignores and one that it reads.
pub type Directions = fn(&Array2<f64>) -> (Array1<f64>, Array1<f64>);
/// Two inputs of the four-axis space.
pub type Twins = fn() -> (Array1<f64>, Array1<f64>);

pub(super) static MAP: Exercise<QueryMap> = Exercise {
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
            "Речення – the, Eiffel, tower, ключі – самі вектори. Поверніть таку матрицю Wq (2 × 2), щоб tower надавав \
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
    stub: || todo!(),
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

pub(super) static LEFT_OVER: Exercise<LeftOver> = Exercise {
    about: About {
        id: "uk-ex2b",
        notebook: NOTEBOOK,
        language: Language::Uk,
        difficulty: 2,
        minutes: 10,
        title: Text("Kiek lieka kitiems", "Скільки лишається решті", "What is left for the others"),
        prompt: Text(
            "Duota įvertinimų eilutė, kurioje vienas įvertinimas didžiausias. Grąžinkite visų kitų svorių sumą. Kad \
             ir koks stiprus nugalėtojas, atsakymas turi būti teigiamas ir tikslus.",
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
                "віднімання від одиниці втрачає цифри: вага округлюється до 1, і лишається 0",
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
                let terms = scores.mapv(f64::exp);
                (terms.sum() - terms[winner(scores)]) / terms.sum()
            },
            says: Text(
                "pirma sudėta viskas, paskui nugalėtojas atimtas: maži dėmenys jau prarasti, o dideli perpildo",
                "спершу додано все, а потім віднято переможця: малі доданки вже втрачено, а великі переповнюють",
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
    stub: |_| todo!(),
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

pub(super) static IGNORED: Exercise<Directions> = Exercise {
    about: About {
        id: "uk-ex2c",
        notebook: NOTEBOOK,
        language: Language::Uk,
        difficulty: 2,
        minutes: 15,
        title: Text(
            "Ko užklausa nemato ir ką mato",
            "Чого запит не бачить і що бачить",
            "What a query does not see, and what it does",
        ),
        prompt: Text(
            "Duota Wq (3 × 2), kurios stulpeliai nelygiagretūs. Grąžinkite du vektorius: nenulinį vektorių iš nulinės \
             erdvės (x·Wq = 0) ir vektorių, kuris į ją neįeina.",
            "Дано Wq (3 × 2) з непаралельними стовпцями. Поверніть два вектори: ненульовий вектор із нуль-простору \
             (x·Wq = 0) і вектор, що йому не належить.",
            "You are given Wq (3 × 2), whose columns are not parallel. Return two vectors: a nonzero one from its \
             null space (x·Wq = 0) and one outside it.",
        ),
        hints: [
            Text(
                "x·Wq = 0 reiškia, kad x statmenas abiem stulpeliams. Kas trimatėje erdvėje statmena dviem \
                 vektoriams?",
                "x·Wq = 0 означає, що x перпендикулярний до обох стовпців. Що в тривимірному просторі перпендикулярне \
                 до двох векторів?",
                "x·Wq = 0 says that x is perpendicular to both columns. What is perpendicular to two vectors in \
                 space?",
            ),
            Text(
                "Vektorinė sandauga a × b = (a₂b₃ − a₃b₂, a₃b₁ − a₁b₃, a₁b₂ − a₂b₁). Antrajam vektoriui tinka pats \
                 stulpelis.",
                "Векторний добуток a × b = (a₂b₃ − a₃b₂, a₃b₁ − a₁b₃, a₁b₂ − a₂b₁). За другий вектор підійде сам \
                 стовпець.",
                "The cross product a × b = (a₂b₃ − a₃b₂, a₃b₁ − a₁b₃, a₁b₂ − a₂b₁). A column itself will do as the \
                 other vector.",
            ),
            Text::code(
                "let (a, b) = (wq.column(0), wq.column(1));\n(array![a[1] * b[2] - a[2] * b[1], …, …], a.to_owned())",
            ),
        ],
        next: Text(
            "Kiek nepriklausomų krypčių nematytų 4 × 2 matrica? O 12 288 × 128?",
            "Скільки незалежних напрямків не бачила б матриця 4 × 2? А 12 288 × 128?",
            "How many independent directions would a 4 × 2 matrix ignore? And one of 12 288 × 128?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Reikia dviejų trimačių vektorių, ir pirmasis turi būti nenulinis: nulinis vektorius priklauso \
                 kiekvienai nulinei erdvei.",
                "Потрібні два тривимірні вектори, і перший має бути ненульовим: нульовий вектор належить кожному \
                 нуль-простору.",
                "Two vectors of three coordinates are wanted, the first of them nonzero: the zero vector lies in \
                 every null space.",
            ),
            holds: |directions| {
                maps().iter().try_for_each(|wq| {
                    let (ignored, seen) = directions(wq);
                    let fit =
                        ignored.len() == 3 && seen.len() == 3 && length(&ignored) > 0.0 && length(&seen).is_finite();
                    unless(fit, told(wq), format!("{ignored:.4}, {seen:.4}"), "|x| > 0")
                })
            },
        },
        Property {
            says: Text(
                "Pirmasis vektorius užklausos neturi keisti: x·Wq = 0.",
                "Перший вектор не має змінювати запиту: x·Wq = 0.",
                "The first vector must not change the query: x·Wq = 0.",
            ),
            holds: |directions| {
                maps().iter().try_for_each(|wq| {
                    let ignored = directions(wq).0;
                    let change = ignored.dot(wq);
                    unless(
                        length(&change) <= 1e-9 * length(&ignored),
                        told(wq),
                        format!("x = {ignored:.4}: x·Wq = {change:.4}"),
                        "x·Wq = [0, 0]",
                    )
                })
            },
        },
        Property {
            says: Text(
                "Antrasis vektorius užklausą turi keisti.",
                "Другий вектор має змінювати запит.",
                "The second vector must change the query.",
            ),
            holds: |directions| {
                maps().iter().try_for_each(|wq| {
                    let seen = directions(wq).1;
                    let change = seen.dot(wq);
                    unless(
                        length(&change) > 1e-6 * length(&seen),
                        told(wq),
                        format!("x = {seen:.4}: x·Wq = {change:.4}"),
                        "x·Wq ≠ [0, 0]",
                    )
                })
            },
        },
    ],
    fingerprint: |directions| {
        flat(maps().iter().flat_map(|wq| {
            let (ignored, seen) = directions(wq);
            [ignored, seen]
        }))
    },
    misconceptions: &[
        Misconception {
            answer: |_| (array![1.0, 1.0, -1.0], array![1.0, 0.0, 0.0]),
            says: Text(
                "(1, 1, −1) nemato tik pavyzdžio matrica; kitos matricos nulinė erdvė kita",
                "(1, 1, −1) не бачить лише матриця з прикладу; в іншої матриці інший нуль-простір",
                "only the example's matrix ignores (1, 1, −1); another matrix has another null space",
            ),
        },
        Misconception {
            answer: |wq| (Array1::zeros(3), wq.column(0).to_owned()),
            says: Text(
                "nulinis vektorius nieko neparodo: ieškokite krypties",
                "нульовий вектор нічого не показує: шукайте напрямок",
                "the zero vector shows nothing: look for a direction",
            ),
        },
        Misconception {
            answer: |wq| (wq.column(0).to_owned(), cross(wq)),
            says: Text(
                "vektoriai sukeisti vietomis: pirmasis turi būti tas, kurio užklausa nemato",
                "вектори поміняно місцями: перший має бути той, якого запит не бачить",
                "the vectors changed places: the first should be the one that the query ignores",
            ),
        },
        Misconception {
            answer: |wq| (array![0.0, 0.0, 1.0], wq.column(0).to_owned()),
            says: Text(
                "matrica ne šiaip išmeta trečiąją koordinatę: ji irgi patenka į abi sumas",
                "матриця не просто відкидає третю координату: та теж потрапляє в обидві суми",
                "the matrix does not simply drop the third coordinate: it too enters both sums",
            ),
        },
        Misconception {
            answer: |wq| (cross(wq), 2.0 * cross(wq)),
            says: Text(
                "nulinės erdvės vektoriaus kartotinis irgi priklauso nulinei erdvei",
                "кратний вектора з нуль-простору теж лежить у нуль-просторі",
                "a multiple of a vector from the null space lies in the null space as well",
            ),
        },
    ],
    stub: |_| todo!(),
    solutions: &[
        |wq| (cross(wq), wq.column(0).to_owned()),
        |wq| (-0.5 * cross(wq), wq.column(0).to_owned() + 3.0 * cross(wq)),
        |wq| {
            // A vector less its part along the columns, which are made perpendicular first.
            let first = wq.column(0).to_owned();
            let second = &wq.column(1) - &(&first * (first.dot(&wq.column(1)) / first.dot(&first)));
            let any = array![0.3, -0.7, 0.9];
            let along = |column: &Array1<f64>| column * (column.dot(&any) / column.dot(column));
            (&any - &along(&first) - along(&second), second)
        },
    ],
};

/// The notebook's map and others; none of them has parallel columns.
fn maps() -> Vec<Array2<f64>> {
    let mut maps = vec![array![[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], array![[2.0, -1.0], [0.0, 1.0], [1.0, 3.0]]];
    maps.extend((1..6).map(|seed| normal((3, 2), &mut seeded(seed))));
    maps
}

/// The cross product of a map's columns.
fn cross(wq: &Array2<f64>) -> Array1<f64> {
    let (a, b) = (wq.column(0), wq.column(1));
    array![a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(vector: &Array1<f64>) -> f64 {
    vector.dot(vector).sqrt()
}

fn told(wq: &Array2<f64>) -> String {
    format!("Wq = {}", shown(wq))
}

pub(super) static TWINS: Exercise<Twins> = Exercise {
    about: About {
        id: "uk-ex2d",
        notebook: NOTEBOOK,
        language: Language::Uk,
        difficulty: 2,
        minutes: 10,
        title: Text(
            "Dvyniai vienai galvai, bet ne kitai",
            "Близнята для однієї голови, але не для іншої",
            "Twins to one head but not to another",
        ),
        prompt: Text(
            "Pirmoji galva skaito finansų ir vandens sumą bei struktūrą, antroji – finansų ir vandens skirtumą bei \
             struktūrą. Grąžinkite du vektorius (finansai, vanduo, struktūra, bendra), kurių pirmoji galva sakinyje \
             the, x, bank neatskiria, o antroji atskiria.",
            "Перша голова читає суму фінансів і води та структуру, друга – різницю фінансів і води та структуру. \
             Поверніть два вектори (фінанси, вода, структура, загальне), яких перша голова в реченні the, x, bank не \
             розрізняє, а друга розрізняє.",
            "The first head reads the sum of finance and water, and structure; the second their difference, and \
             structure. Return two vectors (finance, water, structure, generic) that the first head cannot tell apart \
             in the sentence the, x, bank, while the second can.",
        ),
        hints: [
            Text(
                "Ieškokite krypties, kuria judant nesikeičia nei suma, nei struktūra.",
                "Шукайте напрямок, рух уздовж якого не змінює ні суми, ні структури.",
                "Look for a direction that changes neither the sum nor the structure.",
            ),
            Text(
                "Skirtumas δ turi tenkinti δ₁ + δ₂ = 0 ir δ₃ = 0, bet δ₁ − δ₂ ≠ 0.",
                "Різниця δ має задовольняти δ₁ + δ₂ = 0 і δ₃ = 0, але δ₁ − δ₂ ≠ 0.",
                "The difference δ must satisfy δ₁ + δ₂ = 0 and δ₃ = 0, but δ₁ − δ₂ ≠ 0.",
            ),
            Text::code("(array![1.0, 0.0, 0.0, 0.2], array![…, …, 0.0, 0.2])"),
        ],
        next: Text(
            "Ar liekamoji jungtis šiuos du vektorius skiria? O blokas, kuriame yra abi galvos?",
            "Чи розрізняє ці два вектори залишкове з'єднання? А блок, у якому є обидві голови?",
            "Does the residual connection tell the two vectors apart? And a block that has both heads?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Reikia dviejų keturmačių vektorių iš baigtinių skaičių.",
                "Потрібні два чотиривимірні вектори зі скінченних чисел.",
                "Two vectors of four finite numbers are wanted.",
            ),
            holds: |twins| {
                let (a, b) = twins();
                let fit = a.len() == 4 && b.len() == 4 && a.iter().chain(&b).all(|entry| entry.is_finite());
                unless(fit, "d = 4".into(), format!("{a}, {b}"), "4, 4")
            },
        },
        Property {
            says: Text(
                "Pirmosios galvos svoriai ir mišiniai turi likti tokie patys.",
                "Ваги й суміші першої голови мають лишитися такими самими.",
                "The first head's weights and mixtures must stay the same.",
            ),
            holds: |twins| {
                let ((a, b), gap) = (twins(), gap(twins, 1.0));
                unless(gap <= 1e-9, format!("{a}, {b}"), format!("|Δ| = {gap:.4}"), "|Δ| = 0")
            },
        },
        Property {
            says: Text(
                "Antrosios galvos svoriai arba mišiniai turi pasikeisti.",
                "Ваги або суміші другої голови мають змінитися.",
                "The second head's weights or mixtures must change.",
            ),
            holds: |twins| {
                let ((a, b), gap) = (twins(), gap(twins, -1.0));
                unless(gap > 1e-6, format!("{a}, {b}"), format!("|Δ| = {gap:.4}"), "|Δ| > 0")
            },
        },
    ],
    // Which of the four numbers that matter the two inputs differ in.
    fingerprint: |twins| {
        let (a, b) = twins();
        if a.len() != 4 || b.len() != 4 {
            return flat([a, b]);
        }
        let d = b - a;
        let read = [d[0] + d[1], d[0] - d[1], d[2]].map(|change| change.abs() > 1e-12);
        let generic = read == [false; 3] && d[3] != 0.0;
        read.into_iter().chain([generic]).map(f64::from).collect()
    },
    misconceptions: &[
        Misconception {
            answer: || (array![1.0, 0.0, 0.0, 0.2], array![1.0, 0.0, 0.0, 0.2]),
            says: Text(
                "tai tas pats vektorius du kartus",
                "це двічі той самий вектор",
                "this is the same vector twice",
            ),
        },
        Misconception {
            answer: || (array![1.0, 0.0, 0.0, 0.2], array![1.0, 0.0, 0.0, 0.9]),
            says: Text(
                "bendrosios koordinatės neskaito nė viena galva",
                "загальної координати не читає жодна з голів",
                "neither head reads the generic coordinate",
            ),
        },
        Misconception {
            answer: || (array![1.0, 0.0, 0.0, 0.2], array![2.0, 1.0, 0.0, 0.2]),
            says: Text(
                "atvirkščiai: finansų ir vandens skirtumas liko tas pats, o suma pasikeitė",
                "навпаки: різниця фінансів і води лишилася тією самою, а сума змінилася",
                "the other way round: the difference of finance and water stayed, and their sum changed",
            ),
        },
        Misconception {
            answer: || (array![1.0, 0.0, 0.0, 0.2], array![1.0, 1.0, 0.0, 0.2]),
            says: Text(
                "pakeitus vien vandenį (ar vien finansus), pasikeičia ir suma: kiek vieno pridedama, tiek kito turi \
                 sumažėti",
                "якщо змінити лише воду (чи лише фінанси), зміниться й сума: скільки одного додано, стільки іншого \
                 має відняти",
                "changing water alone (or finance alone) changes the sum too: what one gains the other has to lose",
            ),
        },
        Misconception {
            answer: || (array![1.0, 0.0, 0.0, 0.2], array![1.0, 0.0, 0.5, 0.2]),
            says: Text("struktūrą skaito abi galvos", "структуру читають обидві голови", "both heads read structure"),
        },
    ],
    stub: || todo!(),
    solutions: &[
        || (array![0.0, 1.0, 0.0, 0.2], array![1.0, 0.0, 0.0, 0.2]),
        || (array![0.5, 0.5, 0.8, 0.2], array![-1.5, 2.5, 0.8, 7.0]),
        || (Array1::zeros(4), array![3.0, -3.0, 0.0, 0.0]),
    ],
};

/// How far the weights and mixtures of a head that reads finance + `sign` · water and structure differ between the two
/// inputs, each in the sentence the, x, bank.
fn gap(twins: Twins, sign: f64) -> f64 {
    let reads = array![[1.0, 0.0], [sign, 0.0], [0.0, 1.0], [0.0, 0.0]];
    let head = |token: Array1<f64>| {
        let mut x = array![[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.8, 0.2]];
        x.row_mut(1).assign(&token);
        let (weights, mixture) = attention(&x, &reads, &reads, &reads, Mask::None);
        weights.into_iter().chain(mixture).collect::<Vec<f64>>()
    };
    let (a, b) = twins();
    head(a).into_iter().zip(head(b)).fold(0.0, |gap, (a, b)| (a - b).abs().max(gap))
}
