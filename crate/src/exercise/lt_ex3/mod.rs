//! Exercise 3 of section 11.1: a search engine that learns from clicks, as attention over texts.

mod ranking;
mod text;

use ndarray::{Array1, Array2, Axis};

use super::entry::{About, Exercise, Misconception, Property};
use super::lt_ex1::NOTEBOOK;
use super::numbers::{both, close, differences, each, flat, matrix, near, shown, unless};
use super::text::{Language, Text};
use crate::attention::softmax;
use crate::random::{normal, seeded};

pub(super) use ranking::{MeanReciprocalRank, RANK, RECIPROCAL, SoftRank};
pub(super) use text::{TextVector, VECTOR};

/// From a query (d), the keys of the texts (m x d) and the place of the one that was opened to the loss.
pub type ClickLoss = fn(&Array1<f64>, &Array2<f64>, usize) -> f64;
/// From the same to the loss's derivatives by the query (d) and by the keys (m x d).
pub type ClickGradients = fn(&Array1<f64>, &Array2<f64>, usize) -> (Array1<f64>, Array2<f64>);

/// A query of `d` numbers, `m` keys and the one that was opened.
fn scene(seed: u64, m: usize, d: usize) -> (Array1<f64>, Array2<f64>, usize) {
    let mut generator = seeded(seed);
    (normal(d, &mut generator), normal((m, d), &mut generator), seed as usize % m)
}

const SCENES: [(u64, usize, usize); 5] = [(1, 3, 2), (2, 4, 3), (3, 2, 4), (4, 1, 3), (6, 5, 1)];

fn told(query: &Array1<f64>, keys: &Array2<f64>, clicked: usize) -> String {
    format!("clicked = {clicked}, q = {query:.3}, K = {}", shown(keys))
}

fn loss(query: &Array1<f64>, keys: &Array2<f64>, clicked: usize) -> f64 {
    let scores = keys.dot(query);
    let largest = scores.fold(f64::NEG_INFINITY, |a, &b| a.max(b));
    largest + each(&scores, &|score| (score - largest).exp()).sum().ln() - scores[clicked]
}

/// Weights of the texts, less 1 for the one that was opened.
fn surprise(query: &Array1<f64>, keys: &Array2<f64>, clicked: usize) -> Array1<f64> {
    let mut weights = softmax(&keys.dot(query));
    weights[clicked] -= 1.0;
    weights
}

fn outer(a: &Array1<f64>, b: &Array1<f64>) -> Array2<f64> {
    matrix((a.len(), b.len()), &|i, j| a[i] * b[j])
}

pub(super) static LOSS: Exercise<ClickLoss> = Exercise {
    about: About {
        id: "lt-ex3b",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 2,
        minutes: 15,
        title: Text("Paspaudimo nuostoliai", "Втрати кліку", "The loss of a click"),
        prompt: Text(
            "Dėmesio svoriai sako, kiek tikėtina, kad skaitytojas atvers kiekvieną tekstą. Grąžinkite kryžminę entropiją, \
             kai jis atvėrė tekstą `clicked`: to teksto svorio logaritmą su minuso ženklu. Ji turi likti baigtinė, kad ir \
             kokie dideli būtų įvertinimai.",
            "Ваги уваги кажуть, наскільки ймовірно, що читач відкриє кожен текст. Поверніть перехресну ентропію, коли він \
             відкрив текст `clicked`: логарифм ваги цього тексту зі знаком мінус. Вона має лишатися скінченною, хоч би \
             якими великими були оцінки.",
            "The attention weights say how likely the reader is to open each text. Return the cross-entropy when the one \
             opened was `clicked`: minus the logarithm of its weight. It must stay finite however large the scores are.",
        ),
        hints: [
            Text(
                "Kuo didesnis atverto teksto svoris, tuo mažesni nuostoliai; kai svoris 1, nuostolių nėra.",
                "Що більша вага відкритого тексту, то менші втрати; коли вага 1, втрат немає.",
                "The larger the weight of the opened text, the smaller the loss; at weight 1 there is none.",
            ),
            Text(
                "L = −ln αₜ = ln Σⱼ exp(aⱼ) − aₜ, čia t – atverto teksto numeris, aⱼ = q·kⱼ; kad exp neperpildytų, iš visų \
                 aⱼ atimkite didžiausią, o paskui pridėkite prie logaritmo.",
                "L = −ln αₜ = ln Σⱼ exp(aⱼ) − aₜ, де t – номер відкритого тексту, aⱼ = q·kⱼ; щоб exp не переповнилася, \
                 відніміть від усіх aⱼ найбільшу, а потім додайте її до логарифма.",
                "L = −ln αₜ = ln Σⱼ exp(aⱼ) − aₜ, where t is the opened text and aⱼ = q·kⱼ; subtract the largest aⱼ from all \
                 for exp not to overflow, and add it to the logarithm afterwards.",
            ),
            Text::code(
                "let scores = keys.dot(query);\nlet largest = scores.fold(f64::NEG_INFINITY, |a, &b| \
                 a.max(b));\nlargest + scores.mapv(|a| (a - largest).exp()).sum().ln() - …",
            ),
        ],
        next: Text(
            "Paspaudimas nereiškia, kad kiti tekstai netinka: jų skaitytojas galėjo ir nepastebėti. Kaip dėl to gali \
             suklysti mokoma paieška?",
            "Клік не означає, що решта текстів не підходить: читач міг їх і не помітити. Як через це може помилятися \
             пошук, що вчиться?",
            "A click does not mean that the other texts are wrong: the reader may not have noticed them. How can that \
             mislead a search that learns?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Kai visi tekstai vienodai tikėtini, nuostoliai turi būti ln m: tekstų skaičiaus logaritmas.",
                "Коли всі тексти однаково ймовірні, втрати мають бути ln m: логарифм кількості текстів.",
                "When all texts are equally likely, the loss must be ln m, the logarithm of their number.",
            ),
            holds: |loss| {
                for m in [2, 5, 30] {
                    let (query, keys) = (Array1::zeros(2), Array2::ones((m, 2)));
                    let (got, wanted) = (loss(&query, &keys, 1), (m as f64).ln());
                    unless(near(got, wanted), format!("q = 0, m = {m}"), got.to_string(), format!("{wanted:.6}"))?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Nuostoliai turi būti atverto teksto svorio logaritmas su minuso ženklu.",
                "Втрати мають бути логарифмом ваги відкритого тексту зі знаком мінус.",
                "The loss must be minus the logarithm of the opened text's weight.",
            ),
            holds: |answer| {
                for (seed, m, d) in SCENES {
                    let (query, keys, clicked) = scene(seed, m, d);
                    let (got, wanted) = (answer(&query, &keys, clicked), loss(&query, &keys, clicked));
                    let input = told(&query, &keys, clicked);
                    unless(near(got, wanted), input, got.to_string(), format!("{wanted:.6}"))?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Nuostoliai turi likti baigtiniai ir tada, kai įvertinimai labai dideli.",
                "Втрати мають лишатися скінченними й тоді, коли оцінки дуже великі.",
                "The loss must stay finite when scores are very large.",
            ),
            holds: |answer| {
                let (query, keys) = (Array1::ones(1), matrix((3, 1), &|i, _| 1000.0 * i as f64));
                let got = answer(&query, &keys, 0);
                unless(near(got, 2000.0), told(&query, &keys, 0), got.to_string(), "2000")
            },
        },
    ],
    fingerprint: |answer| {
        let scores = SCENES.iter().map(|&(seed, m, d)| {
            let (query, keys, clicked) = scene(seed, m, d);
            answer(&query, &keys, clicked)
        });
        scores.collect()
    },
    misconceptions: &[
        Misconception {
            answer: |query, keys, clicked| softmax(&keys.dot(query))[clicked].ln(),
            says: Text(
                "trūksta minuso ženklo: svorio logaritmas neigiamas, o mažinant tokius nuostolius svoris mažėtų",
                "бракує знака мінус: логарифм ваги від'ємний, і зменшуючи такі втрати, ми зменшували б вагу",
                "a minus sign is missing: the logarithm is negative, and making it small would make the weight small",
            ),
        },
        Misconception {
            answer: |query, keys, clicked| 1.0 - softmax(&keys.dot(query))[clicked],
            says: Text(
                "tai tikimybė suklysti, o ne kryžminė entropija: tvirtai klysti čia kainuoja beveik tiek pat, kiek abejoti",
                "це ймовірність помилки, а не перехресна ентропія: упевнена помилка тут коштує майже стільки ж, як сумнів",
                "this is the chance of an error, not cross-entropy: a confident error costs hardly more than doubt",
            ),
        },
        Misconception {
            answer: |query, keys, clicked| -keys.row(clicked).dot(query),
            says: Text(
                "pamirštas softmax vardiklis: nuostolius būtų galima mažinti be galo, visus įvertinimus didinant",
                "забуто знаменник softmax: втрати можна було б зменшувати без кінця, збільшуючи всі оцінки",
                "the denominator of softmax is forgotten: raising all scores would lower the loss without end",
            ),
        },
        Misconception {
            answer: |query, keys, clicked| {
                let surprise = surprise(query, keys, clicked);
                surprise.dot(&surprise)
            },
            says: Text(
                "tai paklaidų kvadratų suma, o ne kryžminė entropija",
                "це сума квадратів похибок, а не перехресна ентропія",
                "this is a sum of squared errors, not cross-entropy",
            ),
        },
        Misconception {
            answer: |query, keys, clicked| loss(query, keys, clicked) / keys.nrows() as f64,
            says: Text(
                "padalyta iš tekstų skaičiaus, bet paspaudimas buvo vienas",
                "поділено на кількість текстів, але клік був один",
                "divided by the number of texts, but there was one click",
            ),
        },
        Misconception {
            answer: |query, keys, clicked| -softmax(&keys.dot(query))[clicked].ln(),
            says: Text(
                "formulė teisinga, bet labai mažas svoris suapvalinamas iki nulio, o jo logaritmas – begalybė; \
                 logaritmą imkite prieš dalydami",
                "формула правильна, але дуже малу вагу заокруглено до нуля, а його логарифм – нескінченність; логарифмуйте \
                 до ділення",
                "the formula is right, but a tiny weight is rounded to zero, whose logarithm is infinite; take the \
                 logarithm before dividing",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        loss,
        |query, keys, clicked| {
            let scores = keys.dot(query) - keys.row(clicked).dot(query);
            let largest = scores.fold(0.0f64, |a, &b| a.max(b));
            largest + scores.mapv(|score| (score - largest).exp()).sum().ln()
        },
        |query, keys, clicked| {
            let scores = keys.dot(query);
            let together = |a: f64, &b: &f64| a.max(b) + (-(a - b).abs()).exp().ln_1p();
            scores.iter().skip(1).fold(scores[0], together) - scores[clicked]
        },
    ],
};

pub(super) static GRADIENTS: Exercise<ClickGradients> = Exercise {
    about: About {
        id: "lt-ex3c",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 3,
        minutes: 20,
        title: Text("Ko išmokstama iš paspaudimo", "Чого вчить клік", "What a click teaches"),
        prompt: Text(
            "Grąžinkite 3b pratimo nuostolių išvestines pagal užklausą (d) ir pagal raktus (m × d).",
            "Поверніть похідні втрат із вправи 3b за запитом (d) і за ключами (m × d).",
            "Return the derivatives of the loss of exercise 3b with respect to the query (d) and to the keys (m × d).",
        ),
        hints: [
            Text(
                "Pirmiausia raskite ∂L/∂aⱼ. Kuo skiriasi atvertas tekstas nuo visų kitų?",
                "Спершу знайдіть ∂L/∂aⱼ. Чим відкритий текст відрізняється від решти?",
                "First find ∂L/∂aⱼ. How does the opened text differ from the others?",
            ),
            Text(
                "∂L/∂aⱼ = αⱼ − yⱼ, čia yⱼ lygus 1 atvertam tekstui ir 0 kitiems. ∂L/∂q = Σⱼ (αⱼ − yⱼ) kⱼ, ∂L/∂kⱼ = (αⱼ − yⱼ) q.",
                "∂L/∂aⱼ = αⱼ − yⱼ, де yⱼ дорівнює 1 для відкритого тексту і 0 для інших. ∂L/∂q = Σⱼ (αⱼ − yⱼ) kⱼ, \
                 ∂L/∂kⱼ = (αⱼ − yⱼ) q.",
                "∂L/∂aⱼ = αⱼ − yⱼ, where yⱼ is 1 for the opened text and 0 otherwise. ∂L/∂q = Σⱼ (αⱼ − yⱼ) kⱼ, \
                 ∂L/∂kⱼ = (αⱼ − yⱼ) q.",
            ),
            Text::code(
                "let mut error = softmax(&keys.dot(query));\nerror[clicked] -= …;\n(error.dot(keys), column(&error).dot(…))",
            ),
        ],
        next: Text(
            "Žengiant prieš gradientą, atverto teksto raktas artėja prie užklausos, o kitų raktai tolsta. Kada žingsnis \
             beveik nulinis?",
            "Крок проти градієнта наближає ключ відкритого тексту до запиту, а решту ключів віддаляє. Коли цей крок майже \
             нульовий?",
            "A step against the gradient moves the opened text's key towards the query and the other keys away. When is \
             that step almost nothing?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Pirmasis poros narys turi sutapti su nuostolių išvestinėmis pagal užklausą (palyginta su baigtiniais \
                 skirtumais).",
                "Перший елемент пари має збігатися з похідними втрат за запитом (порівняно зі скінченними різницями).",
                "The first part must agree with the loss's derivatives by the query (compared with finite differences).",
            ),
            holds: |gradients| {
                for (seed, m, d) in SCENES {
                    let (query, keys, clicked) = scene(seed, m, d);
                    let wanted = differences(&query, &|q| Array1::from_elem(1, loss(q, &keys, clicked)));
                    let (got, wanted) = (gradients(&query, &keys, clicked).0, wanted.row(0).to_owned());
                    let input = told(&query, &keys, clicked);
                    unless(close(&got, &wanted), input, format!("∂L/∂q = {got:.4}"), format!("∂L/∂q = {wanted:.4}"))?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Antrasis poros narys turi sutapti su nuostolių išvestinėmis pagal raktus (palyginta su baigtiniais skirtumais).",
                "Другий елемент пари має збігатися з похідними втрат за ключами (порівняно зі скінченними різницями).",
                "The second part must agree with the loss's derivatives by the keys (compared with finite differences).",
            ),
            holds: |gradients| {
                for (seed, m, d) in SCENES {
                    let (query, keys, clicked) = scene(seed, m, d);
                    let matrix = |flat: &Array1<f64>| matrix((m, d), &|i, j| flat[i * d + j]);
                    let numbers: Array1<f64> = keys.iter().copied().collect();
                    let wanted =
                        differences(&numbers, &|keys| Array1::from_elem(1, loss(&query, &matrix(keys), clicked)));
                    let (got, wanted) = (gradients(&query, &keys, clicked).1, matrix(&wanted.row(0).to_owned()));
                    unless(close(&got, &wanted), told(&query, &keys, clicked), shown(&got), shown(&wanted))?;
                }
                Ok(())
            },
        },
    ],
    fingerprint: |gradients| {
        let mut both = Vec::new();
        for &(seed, m, d) in &SCENES[..3] {
            let (query, keys, clicked) = scene(seed, m, d);
            let (by_query, by_keys) = gradients(&query, &keys, clicked);
            both.extend([by_query.insert_axis(Axis(0)), by_keys]);
        }
        flat(both)
    },
    misconceptions: &[
        Misconception {
            answer: |query, keys, _| {
                let weights = softmax(&keys.dot(query));
                (weights.dot(keys), outer(&weights, query))
            },
            says: Text(
                "iš atverto teksto svorio neatimtas vienetas: taip nuo užklausos tolsta visi raktai, ir atvertojo",
                "від ваги відкритого тексту не віднято одиницю: так від запиту віддаляються всі ключі, і відкритого теж",
                "1 is not subtracted from the opened text's weight: all keys move away from the query, its key too",
            ),
        },
        Misconception {
            answer: |query, keys, clicked| {
                let surprise = each(&surprise(query, keys, clicked), &|entry| -entry);
                (surprise.dot(keys), outer(&surprise, query))
            },
            says: Text(
                "ženklas priešingas: žengiant prieš tokį gradientą, nuostoliai didėtų",
                "знак протилежний: крок проти такого градієнта збільшував би втрати",
                "the sign is reversed: a step against this gradient would raise the loss",
            ),
        },
        Misconception {
            answer: |query, keys, clicked| {
                let mut only = surprise(query, keys, clicked);
                only.indexed_iter_mut().filter(|(text, _)| *text != clicked).for_each(|(_, entry)| *entry = 0.0);
                (only.dot(keys), outer(&only, query))
            },
            says: Text(
                "mokomas tik atverto teksto raktas, o softmax vardiklyje yra visi: kitų tekstų raktai turi tolti",
                "вчиться лише відкритий текст, а в знаменнику softmax – усі: ключі решти текстів мають віддалятися",
                "only the opened text learns, but softmax's denominator holds them all: the other keys must move away",
            ),
        },
        Misconception {
            answer: |query, keys, clicked| {
                let surprise = surprise(query, keys, clicked);
                (surprise.dot(keys), outer(&surprise, &keys.row(clicked).to_owned()))
            },
            says: Text(
                "pagal raktą diferencijuota taip, tarsi antrasis sandaugos q·k daugiklis irgi būtų raktas, o jis yra užklausa",
                "за ключем диференційовано так, ніби другий множник добутку q·k теж ключ, а він – запит",
                "the derivative by a key was taken as if the other factor of q·k were a key: it is the query",
            ),
        },
        Misconception {
            answer: |query, keys, clicked| {
                let weights = softmax(&keys.dot(query));
                let surprise = surprise(query, keys, clicked);
                let surprise = both(&surprise, &weights, &|entry, weight| entry * (weight * (1.0 - weight)));
                (surprise.dot(keys), outer(&surprise, query))
            },
            says: Text(
                "softmax išvestinė įskaityta du kartus: kryžminėje entropijoje logaritmas su ja susiprastina, lieka α − y",
                "похідну softmax ураховано двічі: у перехресній ентропії логарифм із нею скорочується, лишається α − y",
                "softmax's derivative is counted twice: in cross-entropy the logarithm cancels it, which leaves α − y",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |query, keys, clicked| {
            let surprise = surprise(query, keys, clicked);
            (surprise.dot(keys), outer(&surprise, query))
        },
        |query, keys, clicked| {
            let weights = softmax(&keys.dot(query));
            let mut by_keys = outer(&weights, query);
            by_keys.row_mut(clicked).scaled_add(-1.0, query);
            (weights.dot(keys) - keys.row(clicked), by_keys)
        },
        |query, keys, clicked| {
            let by_query = differences(query, &|q| Array1::from_elem(1, loss(q, keys, clicked))).row(0).to_owned();
            let by_scores =
                differences(&keys.dot(query), &|scores| Array1::from_elem(1, -softmax(scores)[clicked].ln()));
            (by_query, outer(&by_scores.row(0).to_owned(), query))
        },
    ],
};
