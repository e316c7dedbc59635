//! How good a ranking is, and a ranking that has a gradient.

use ndarray::{Array1, Array2, array};

use crate::exercise::entry::{About, Exercise, Misconception, Property};
use crate::exercise::lt_ex1::NOTEBOOK;
use crate::exercise::numbers::{differences, each, near, shown, unless};
use crate::exercise::search::mean_reciprocal_rank;
use crate::exercise::text::{Language, Text};
use crate::random::{normal, seeded};

/// From the scores of n queries and m texts (n x m) and the text that answers each query (n) to a number from 0 to 1.
pub type MeanReciprocalRank = fn(&Array2<f64>, &[usize]) -> f64;
/// From the scores of the texts (m), one of them and a temperature to its place, 1 for the first.
pub type SoftRank = fn(&Array1<f64>, usize, f64) -> f64;

/// The mean of `worth` over the places of the queries' answers, 1 being the first.
fn mean(scores: &Array2<f64>, answers: &[usize], worth: &dyn Fn(f64) -> f64) -> f64 {
    let mut sum = 0.0;
    for (row, &answer) in scores.outer_iter().zip(answers) {
        sum += worth(1.0 + row.iter().filter(|&&score| score > row[answer]).count() as f64);
    }
    sum / answers.len() as f64
}

fn searches(seed: u64) -> (Array2<f64>, Vec<usize>) {
    let (n, m) = [(3, 4), (5, 3), (1, 6), (8, 10)][seed as usize % 4];
    (normal((n, m), &mut seeded(seed + 7)), (0..n).map(|query| (3 * query + seed as usize) % m).collect())
}

pub(in crate::exercise) static RECIPROCAL: Exercise<MeanReciprocalRank> = Exercise {
    about: About {
        id: "lt-ex3d",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 2,
        minutes: 15,
        title: Text("Vidutinė atvirkštinė vieta", "Середній обернений ранг", "Mean reciprocal rank"),
        prompt: Text(
            "Kiekvienai užklausai raskite, kelintas pagal įvertinimą yra jos atsakymas (didžiausias įvertinimas – pirma \
             vieta), ir grąžinkite atvirkštinių vietų vidurkį.",
            "Для кожного запиту знайдіть, котрою за оцінкою є його відповідь (найбільша оцінка – перше місце), і \
             поверніть середнє обернених місць.",
            "For each query find the place of its answer by score (the largest score comes first) and return the mean of \
             one over that place.",
        ),
        hints: [
            Text(
                "Kiek tekstų įvertinta geriau už atsakymą? Jo vieta – vienetu didesnė.",
                "Скільки текстів оцінено краще за відповідь? Її місце на одиницю більше.",
                "How many texts score better than the answer? Its place is one more.",
            ),
            Text(
                "MRR = (1/n) Σᵢ 1/rᵢ, rᵢ = 1 + #{j : a_{i,j} > a_{i,tᵢ}}, čia tᵢ – i-osios užklausos atsakymo numeris, \
                 o # – kiek tokių j yra.",
                "MRR = (1/n) Σᵢ 1/rᵢ, rᵢ = 1 + #{j : a_{i,j} > a_{i,tᵢ}}, де tᵢ – номер відповіді на запит i, \
                 а # – скільки є таких j.",
                "MRR = (1/n) Σᵢ 1/rᵢ, rᵢ = 1 + #{j : a_{i,j} > a_{i,tᵢ}}, where tᵢ is the text that answers query i \
                 and # counts such j.",
            ),
            Text::code(
                "let mut sum = 0.0;\nfor (row, &answer) in scores.outer_iter().zip(relevant) {\n    let better = \
                 row.iter().filter(|&&score| score > row[answer]).count();\n    sum += …;\n}\nsum / scores.nrows() as f64",
            ),
        ],
        next: Text(
            "Jei atsakymas pakyla iš dešimtos vietos į devintą, šis rodiklis beveik nekinta, o iš antros į pirmą – \
             labai. Ar skaitytojui tai svarbu taip pat?",
            "Якщо відповідь піднімається з десятого місця на дев'яте, цей показник майже не змінюється, а з другого на \
             перше – дуже. Чи так само це важливо читачеві?",
            "An answer that rises from tenth to ninth hardly moves this number; from second to first it does. Does it \
             matter to a reader in the same way?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Kai visi atsakymai pirmi, turi išeiti 1, o kai visi antri – 0,5.",
                "Коли всі відповіді перші, має вийти 1, а коли всі другі – 0,5.",
                "It must be 1 when every answer comes first, and 0.5 when every answer comes second.",
            ),
            holds: |mrr| {
                let scores = array![[0.9, 0.5, 0.1], [0.2, 0.8, 0.4], [0.3, 0.1, 0.2]];
                for (answers, wanted) in [([0, 1, 0], 1.0), ([1, 2, 2], 0.5)] {
                    let got = mrr(&scores, &answers);
                    let input = format!("scores = {}, relevant = {answers:?}", shown(&scores));
                    unless(near(got, wanted), input, got.to_string(), wanted.to_string())?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Turi išeiti atvirkštinių vietų vidurkis.",
                "Має вийти середнє обернених місць.",
                "It must be the mean of one over the places.",
            ),
            holds: |mrr| {
                for seed in 0..8 {
                    let (scores, answers) = searches(seed);
                    let got = mrr(&scores, &answers);
                    let wanted = mean_reciprocal_rank(&scores, &answers);
                    let input = format!("scores = {}, relevant = {answers:?}", shown(&scores));
                    unless(near(got, wanted), input, got.to_string(), format!("{wanted:.6}"))?;
                }
                Ok(())
            },
        },
    ],
    fingerprint: |mrr| {
        let each = (0..4).map(|seed| {
            let (scores, answers) = searches(seed);
            mrr(&scores, &answers)
        });
        each.collect()
    },
    misconceptions: &[
        Misconception {
            answer: |scores, answers| mean(&each(scores, &|score| -score), answers, &f64::recip),
            says: Text(
                "vietos skaičiuojamos nuo blogiausio teksto: pirmas turi būti tas, kurio įvertinimas didžiausias",
                "місця рахуються від найгіршого тексту: першим має бути той, чия оцінка найбільша",
                "places are counted from the worst text: the first must be the one with the largest score",
            ),
        },
        Misconception {
            answer: |scores, answers| mean(scores, answers, &|place| place),
            says: Text(
                "tai vietų vidurkis, o ne atvirkštinių vietų",
                "це середнє місць, а не обернених місць",
                "this is the mean of the places, not of one over them",
            ),
        },
        Misconception {
            answer: |scores, answers| mean(scores, answers, &|place| place).recip(),
            says: Text(
                "vienetas padalytas iš vietų vidurkio; pirma dalykite ir tik paskui vidurkinkite",
                "одиницю поділено на середнє місць; спершу діліть, лише потім усереднюйте",
                "one is divided by the mean of the places; divide first, average afterwards",
            ),
        },
        Misconception {
            answer: |scores, answers| mean(scores, answers, &|place| f64::from(place == 1.0)),
            says: Text(
                "skaičiuojamos tik pirmosios vietos, o antroji ir trečioji irgi šio to vertos",
                "рахуються лише перші місця, а друге і третє теж чогось варті",
                "only first places count here, but a second or third is worth something too",
            ),
        },
        Misconception {
            answer: |scores, answers| mean(scores, answers, &|place| (place + 1.0).recip()),
            says: Text(
                "vietos numeris vienetu per didelis: atsakymas suskaičiuotas ir tarp geresnių už save",
                "номер місця на одиницю завеликий: відповідь пораховано й серед кращих за неї саму",
                "each place is one too large: the answer is counted among those better than itself",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        mean_reciprocal_rank,
        |scores, answers| {
            let place = |row: ndarray::ArrayView1<f64>, answer: usize| {
                1 + crate::attention::top_k(&row, row.len()).iter().position(|&(text, _)| text == answer).unwrap_or(0)
            };
            let rows = scores.outer_iter().zip(answers);
            rows.map(|(row, &answer)| 1.0 / place(row, answer) as f64).sum::<f64>() / answers.len() as f64
        },
        |scores, answers| {
            let mut sum = 0.0;
            for (row, &answer) in scores.outer_iter().zip(answers) {
                let mut sorted = row.to_vec();
                sorted.sort_by(|a, b| b.total_cmp(a));
                sum +=
                    sorted.iter().position(|&score| score == row[answer]).map_or(0.0, |place| 1.0 / (place + 1) as f64);
            }
            sum / scores.nrows() as f64
        },
    ],
};

fn sigmoid(x: f64) -> f64 {
    (1.0 + (-x).exp()).recip()
}

/// One over many: how many others stand before the text, each as far as it is ahead.
fn before(scores: &Array1<f64>, text: usize, ahead: &dyn Fn(f64) -> f64) -> f64 {
    let others = scores.iter().enumerate().filter(|(other, _)| *other != text);
    others.map(|(_, score)| ahead(score - scores[text])).sum()
}

fn hard(scores: &Array1<f64>, text: usize) -> f64 {
    1.0 + before(scores, text, &|gap| f64::from(gap > 0.0))
}

fn scored() -> [(Array1<f64>, usize); 3] {
    [(vec![0.3, 1.2, -0.5, 0.9], 0), (vec![2.0, 1.0, 1.5], 0), (vec![-1.0, 0.4, 0.1, 0.6, -0.3], 4)]
        .map(|(scores, text)| (Array1::from(scores), text))
}

pub(in crate::exercise) static RANK: Exercise<SoftRank> = Exercise {
    about: About {
        id: "lt-ex3e",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 3,
        minutes: 20,
        title: Text("Vieta, kuri turi gradientą", "Місце, що має градієнт", "A place that has a gradient"),
        prompt: Text(
            "Apskaičiuokite glodžią teksto vietą: žemoje temperatūroje ji turi artėti prie tikrosios (1, 2, 3, …), o \
             aukštesnėje – turėti nenulinį gradientą pagal kiekvieną įvertinimą.",
            "Напишіть гладке місце тексту: за низької температури воно прямує до справжнього (1, 2, 3, …), а за іншої має \
             ненульовий градієнт за кожною оцінкою.",
            "Write a smooth place of a text: near the true one (1, 2, 3, …) at a low temperature, and with a gradient by \
             every score at a higher one.",
        ),
        hints: [
            Text(
                "Tikroji vieta yra 1 ir dar po vienetą už kiekvieną geresnį tekstą. Kuo pakeisti griežtą klausimą, ar \
                 jis geresnis?",
                "Справжнє місце – це 1 і ще по одиниці за кожен кращий текст. Чим замінити суворе запитання, чи він \
                 кращий?",
                "The true place is 1 and one more for every better text. What could replace the strict question whether \
                 it is better?",
            ),
            Text(
                "rᵢ = 1 + Σ_{j≠i} sigmoid((aⱼ − aᵢ)/T), čia sigmoid(x) = 1/(1 + e⁻ˣ).",
                "rᵢ = 1 + Σ_{j≠i} sigmoid((aⱼ − aᵢ)/T), де sigmoid(x) = 1/(1 + e⁻ˣ).",
                "rᵢ = 1 + Σ_{j≠i} sigmoid((aⱼ − aᵢ)/T) with sigmoid(x) = 1/(1 + e⁻ˣ).",
            ),
            Text::code(
                "let mut place = 1.0;\nfor j in 0..scores.len() {\n    if j != text {\n        place += 1.0 / (1.0 + \
                 (…).exp());\n    }\n}\nplace",
            ),
        ],
        next: Text(
            "Rikiavimas įvertinimo pokyčio nepastebi, kol tekstai nesusikeičia vietomis. Kodėl mažinome kryžminę \
             entropiją, o ne didinome vidutinę atvirkštinę vietą?",
            "Сортування не помічає зміни оцінки, доки тексти не поміняються місцями. Чому ми навчали за перехресною \
             ентропією, а не за середнім оберненим рангом?",
            "Sorting does not notice a change of score until two texts swap. Why did we train on cross-entropy and not on \
             the mean reciprocal rank?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Kai temperatūra artėja prie nulio, turi išeiti tikroji vieta.",
                "Коли температура прямує до нуля, має вийти справжнє місце.",
                "As the temperature falls to zero it must become the true place.",
            ),
            holds: |rank| {
                for (scores, text) in scored() {
                    let (got, wanted) = (rank(&scores, text, 1e-6), hard(&scores, text));
                    let input = format!("T = 0.000001, text = {text}, a = {scores}");
                    unless((got - wanted).abs() < 1e-3, input, got.to_string(), wanted.to_string())?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Vieta turi gerėti (mažėti), kylant teksto įvertinimui, ir blogėti, kylant bet kurio kito: visi gradiento nariai turi būti nenuliniai.",
                "Місце має кращати (меншати), коли зростає оцінка тексту, і гіршати, коли зростає будь-яка інша: градієнт \
                 ніде не нульовий.",
                "The place must improve (fall) as the text's score rises and worsen as any other does: no entry of the \
                 gradient is zero.",
            ),
            holds: |rank| {
                for (scores, text) in scored() {
                    let slopes = differences(&scores, &|a| Array1::from_elem(1, rank(a, text, 1.0))).row(0).to_owned();
                    let fits =
                        slopes.indexed_iter().all(|(other, &s)| if other == text { s < -1e-6 } else { s > 1e-6 });
                    let input = format!("T = 1, text = {text}, a = {scores}");
                    unless(fits, input, format!("∂r/∂a = {slopes:.4}"), format!("∂r/∂a[{text}] < 0, ∂r/∂aⱼ > 0"))?;
                }
                Ok(())
            },
        },
    ],
    fingerprint: |rank| {
        let mut ranks = Vec::new();
        for t in [1e-6, 0.5, 1.0] {
            for (scores, text) in scored() {
                ranks.push(rank(&scores, text, t));
            }
        }
        ranks
    },
    misconceptions: &[
        Misconception {
            answer: |scores, text, _| hard(scores, text),
            says: Text(
                "tai tikrasis rikiavimas: truputį pakeitus įvertinimą, vieta nesikeičia, todėl gradientas lygus nuliui ir \
                 mokytis nėra iš ko",
                "це справжнє сортування: якщо трохи змінити оцінку, місце не зміниться, тож градієнт нульовий і вчитися \
                 нема з чого",
                "this is true sorting: a small change of score leaves the place as it is, so the gradient is zero and there \
                 is nothing to learn from",
            ),
        },
        Misconception {
            answer: |scores, text, t| 1.5 + before(scores, text, &|gap| sigmoid(gap / t)),
            says: Text(
                "tekstas palygintas ir pats su savimi, o sigmoid(0) = 0,5 yra pusė vietos per daug",
                "текст порівняно й сам із собою, а sigmoid(0) = 0,5 – це зайва половина",
                "the text is compared with itself too, and sigmoid(0) = 0.5 is half a place too much",
            ),
        },
        Misconception {
            answer: |scores, text, t| 1.0 + before(scores, text, &|gap| sigmoid(-gap / t)),
            says: Text(
                "skirtumo ženklas priešingas: suskaičiuoti blogesni tekstai, o ne geresni",
                "різницю перевернуто: пораховано гірші тексти, а не кращі",
                "the difference is turned round: worse texts are counted, not better ones",
            ),
        },
        Misconception {
            answer: |scores, text, t| 1.0 + before(scores, text, &|gap| sigmoid(gap * t)),
            says: Text(
                "iš temperatūros reikia dalyti, o ne dauginti",
                "на температуру треба ділити, а не множити",
                "divide by the temperature instead of multiplying",
            ),
        },
        Misconception {
            answer: |scores, text, t| before(scores, text, &|gap| sigmoid(gap / t)),
            says: Text(
                "vietos skaičiuojamos nuo nulio, o pirmoji turi būti 1",
                "місця рахуються від нуля, а перше має бути 1",
                "places are counted from zero, but the first must be 1",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |scores, text, t| 1.0 + before(scores, text, &|gap| sigmoid(gap / t)),
        |scores, text, t| 1.0 + before(scores, text, &|gap| 0.5 + 0.5 * (gap / t).tanh()),
        |scores, text, t| 1.0 + before(scores, text, &|gap| 0.5 + (gap / t).atan() / std::f64::consts::PI),
    ],
};
