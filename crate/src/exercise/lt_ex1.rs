//! Exercise 1 of section 11.1: approximate matches, as attention.

use ndarray::{Array1, Array2};

use super::entry::{About, Counterexample, Exercise, Misconception, Property};
use super::numbers::each;
use super::text::{Language, Text};
use crate::attention::softmax;
use crate::random::{normal, seeded};

pub(super) const NOTEBOOK: &str = "lt/11-1-pratimai.ipynb";

/// A score of a query and a key at a temperature.
pub type VectorScore = fn(&Array1<f64>, &Array1<f64>, f64) -> f64;
/// A score of a word that is looked for and a word that is there.
pub type WordScore = fn(&str, &str) -> f64;
/// Whether no key is within a boxcar's width of the query.
pub type InRange = fn(f64, &Array1<f64>, f64) -> bool;

pub(super) static SCORE: Exercise<VectorScore> = Exercise {
    about: About {
        id: "lt-ex1a",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 1,
        minutes: 10,
        title: Text("Apytikslė vektorių paieška", "Наближений пошук векторів", "Approximate look-up of vectors"),
        prompt: Text(
            "Parašykite tokią įvertinimo funkciją, kad žemoje temperatūroje dėmesys visą svorį atiduotų \
             artimiausiam raktui, o aukštoje – visiems po lygiai.",
            "Напишіть таку функцію оцінки, щоб за низької температури увага віддавала всю вагу найближчому ключу, \
             а за високої – усім порівну.",
            "Write a score with which attention gives all weight to the nearest key at a low temperature and equal \
             weight to every key at a high one.",
        ),
        hints: [
            Text(
                "Kuo raktas toliau nuo užklausos, tuo įvertinimas turi būti mažesnis. Kokiu dydžiu matuosite atstumą?",
                "Що далі ключ від запиту, то меншою має бути оцінка. Якою величиною вимірюватимете відстань?",
                "The farther the key is from the query, the lower its score must be. Which quantity measures distance?",
            ),
            Text(
                "a(q, k) = −‖q − k‖² / T: atstumo kvadratas su minuso ženklu, padalytas iš temperatūros.",
                "a(q, k) = −‖q − k‖² / T: квадрат відстані зі знаком мінус, поділений на температуру.",
                "a(q, k) = −‖q − k‖² / T: the squared distance with a minus sign, divided by the temperature.",
            ),
            Text::code("let difference = query - key;\n-difference.dot(&difference) / …"),
        ],
        next: Text(
            "`top_k` grąžina lygiai k raktų, o dėmesys – visus, tik su skirtingais svoriais. Kada kas patogiau?",
            "`top_k` повертає рівно k ключів, а увага – усі, лише з різними вагами. Коли що зручніше?",
            "`top_k` returns exactly k keys; attention returns all of them, with different weights. When is which \
             better?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Artimiausias raktas turi gauti didžiausią svorį.",
                "Найближчий ключ має отримати найбільшу вагу.",
                "The nearest key must get the largest weight.",
            ),
            holds: |score| {
                for seed in 0..20 {
                    let (query, keys, nearest) = scene(seed);
                    let weights = weights(score, &query, &keys, 1.0);
                    let best = (0..keys.nrows()).fold(0, |best, i| if weights[i] > weights[best] { i } else { best });
                    if best != nearest || weights[best].is_nan() {
                        let wanted = format!("α[{nearest}] = max");
                        return Err(Counterexample {
                            input: shown(&query, &keys, 1.0),
                            got: format!("α = {weights:.3}"),
                            wanted,
                        });
                    }
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Kai temperatūra artėja prie nulio, artimiausio rakto svoris turi artėti prie 1.",
                "Коли температура прямує до нуля, вага найближчого ключа має прямувати до 1.",
                "As the temperature falls to zero, the nearest key's weight must rise to 1.",
            ),
            holds: |score| limit(score, 1e-4, |weights, nearest| (weights[nearest] - 1.0).abs() < 1e-3, "α → 1"),
        },
        Property {
            says: Text(
                "Kai temperatūra labai aukšta, visų raktų svoriai turi būti beveik lygūs.",
                "Коли температура дуже висока, ваги всіх ключів мають бути майже рівними.",
                "When the temperature is very high, all weights must be almost equal.",
            ),
            holds: |score| {
                let even =
                    |weights: &Array1<f64>, _| weights.iter().all(|w| (w * weights.len() as f64 - 1.0).abs() < 1e-2);
                limit(score, 1e12, even, "α = [0.200, 0.200, 0.200, 0.200, 0.200]")
            },
        },
    ],
    fingerprint: |score| {
        let pairs = [([1.0, 2.0], [0.5, -1.0]), ([3.0, -1.0], [2.0, 0.5]), ([0.2, 0.1], [4.0, 4.0])];
        let mut scores = Vec::new();
        for (query, key) in pairs {
            let [query, key] = [query, key].map(|vector| Array1::from(vector.to_vec()));
            scores.extend([score(&query, &key, 0.5), score(&query, &key, 2.0)]);
        }
        scores
    },
    misconceptions: &[
        Misconception {
            answer: |query, key, temperature| query.dot(key) / temperature,
            says: Text(
                "skaliarinė sandauga auga kartu su rakto ilgiu, tad ilgas, bet tolimas raktas nurungia artimą",
                "скалярний добуток зростає разом із довжиною ключа, тож довгий, але далекий ключ переважає близький",
                "a dot product grows with the key's length, so that a long but distant key beats a near one",
            ),
        },
        Misconception {
            answer: |query, key, temperature| squared(query, key) / temperature,
            says: Text(
                "trūksta minuso ženklo: dabar kuo raktas toliau, tuo didesnis jo svoris",
                "бракує знака мінус: тепер що далі ключ, то більша його вага",
                "a minus sign is missing: now the farther a key, the larger its weight",
            ),
        },
        Misconception {
            answer: |query, key, temperature| -squared(query, key) * temperature,
            says: Text(
                "iš temperatūros reikia dalyti, o ne dauginti: dabar aukšta temperatūra dėmesį sutelkia, o ne \
                 išsklaido",
                "на температуру треба ділити, а не множити: тепер висока температура зосереджує увагу, а не розсіює",
                "divide by the temperature instead of multiplying: now a high temperature sharpens instead of \
                 flattening",
            ),
        },
        Misconception {
            answer: |query, key, _| -squared(query, key),
            says: Text(
                "temperatūra nepanaudota, todėl svoriai nuo jos nepriklauso",
                "температуру не використано, тому ваги від неї не залежать",
                "the temperature is not used, so the weights do not depend on it",
            ),
        },
        Misconception {
            answer: |query, key, temperature| {
                query.dot(key) / (query.dot(query).sqrt() * key.dot(key).sqrt()) / temperature
            },
            says: Text(
                "kampo kosinusas nepaiso ilgių: du tos pačios krypties raktai jam vienodai artimi",
                "косинус кута не зважає на довжини: два ключі одного напрямку для нього однаково близькі",
                "the cosine ignores lengths: two keys in the same direction are equally near to it",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |query, key, temperature| -squared(query, key) / temperature,
        |query, key, temperature| -squared(query, key).sqrt() / temperature,
        |query, key, temperature| -query.iter().zip(key).map(|(q, k)| (q - k).abs().powi(4)).sum::<f64>() / temperature,
        |query, key, temperature| (query.dot(key) - 0.5 * key.dot(key)) / temperature,
    ],
};

fn squared(query: &Array1<f64>, key: &Array1<f64>) -> f64 {
    query.iter().zip(key).map(|(q, k)| (q - k) * (q - k)).sum()
}

/// A query, five keys and the nearest of them, which is nearest by every usual measure; one of the others is long and
/// lies in the query's direction.
fn scene(seed: u64) -> (Array1<f64>, Array2<f64>, usize) {
    let mut generator = seeded(seed);
    let query: Array1<f64> = normal(3, &mut generator);
    let query = each(&query, &|x| x + x.signum());
    let mut keys: Array2<f64> = normal((5, 3), &mut generator);
    keys = each(&keys, &|x| 2.0 * x + 6.0 * x.signum());
    let nearest = (seed % 5) as usize;
    for j in 0..3 {
        keys[[nearest, j]] = 0.9 * query[j];
        keys[[(nearest + 1) % 5, j]] = 8.0 * query[j];
    }
    (query, keys, nearest)
}

fn weights(score: VectorScore, query: &Array1<f64>, keys: &Array2<f64>, temperature: f64) -> Array1<f64> {
    softmax(&keys.outer_iter().map(|key| score(query, &key.to_owned(), temperature)).collect::<Array1<f64>>())
}

fn shown(query: &Array1<f64>, keys: &Array2<f64>, temperature: f64) -> String {
    let keys: Vec<String> = keys.outer_iter().map(|key| format!("{key:.2}")).collect();
    format!("T = {temperature}, q = {query:.2}, k = {}", keys.join(" "))
}

fn limit(
    score: VectorScore,
    temperature: f64,
    fits: fn(&Array1<f64>, usize) -> bool,
    wanted: &str,
) -> Result<(), Counterexample> {
    for seed in 20..30 {
        let (query, keys, nearest) = scene(seed);
        let weights = weights(score, &query, &keys, temperature);
        if !fits(&weights, nearest) {
            let input = shown(&query, &keys, temperature);
            return Err(Counterexample { input, got: format!("α = {weights:.3}"), wanted: wanted.to_owned() });
        }
    }
    Ok(())
}

pub(super) static WORDS: Exercise<WordScore> = Exercise {
    about: About {
        id: "lt-ex1b",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 2,
        minutes: 15,
        title: Text("Apytikslė žodžių paieška", "Наближений пошук слів", "Approximate look-up of words"),
        prompt: Text(
            "Parašykite dviejų žodžių įvertinimo funkciją: įvertinimas didžiausias, kai žodžiai sutampa, o kuo \
             daugiau raidžių skiriasi, tuo jis mažesnis.",
            "Напишіть функцію оцінки двох слів: оцінка найбільша, коли слова збігаються, а що більше літер \
             різниться, то вона менша.",
            "Write a score of two words that is highest when they are equal and lower the more letters differ.",
        ),
        hints: [
            Text(
                "Suskaičiuokite, kiek raidžių reikia pakeisti, įterpti ar ištrinti, kad raktas virstų užklausa.",
                "Порахуйте, скільки літер треба змінити, вставити чи вилучити, щоб ключ перетворився на запит.",
                "Count how many letters have to be changed, inserted or removed for the key to become the query.",
            ),
            Text(
                "Įvertinimas – redagavimo atstumas su minuso ženklu; taip pat tinka panašumas `word_similarity`.",
                "Оцінка – відстань редагування зі знаком мінус; подібність `word_similarity` теж підходить.",
                "The score is the edit distance with a minus sign; the similarity `word_similarity` fits as well.",
            ),
            Text::code("word_similarity(…, …) / 0.1"),
        ],
        next: Text(
            "Redagavimo atstumas nežino, ką žodžiai reiškia: „upė“ ir „upelis“ jam tolimesni nei „upė“ ir „ūpas“. \
             Koks įvertinimas atsižvelgtų į žodžių prasmę?",
            "Відстань редагування не знає, що слова означають: «річка» і «потік» для неї дальші, ніж «річка» і \
             «ручка». Яка оцінка враховувала б зміст слів?",
            "Edit distance does not know what words mean: to it, \"river\" and \"stream\" are farther apart than \
             \"river\" and \"rover\". Which score would take meaning into account?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Tas pats žodis turi gauti didesnį įvertinimą nei bet kuris kitas.",
                "Те саме слово має отримати більшу оцінку, ніж будь-яке інше.",
                "A word must score higher against itself than against any other.",
            ),
            holds: |score| {
                for a in NAMES {
                    for b in NAMES {
                        if a != b && !above(score(a, a), score(a, b)) {
                            return Err(compared(score, a, a, b));
                        }
                    }
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Žodis su viena klaida turi gauti didesnį įvertinimą nei visai kitoks žodis.",
                "Слово з однією помилкою має отримати більшу оцінку, ніж зовсім інше слово.",
                "A word with one slip must score higher than an unrelated word.",
            ),
            holds: |score| {
                let worse = SLIPS.into_iter().find(|(query, near, far)| !above(score(query, near), score(query, far)));
                worse.map_or(Ok(()), |(query, near, far)| Err(compared(score, query, near, far)))
            },
        },
        Property {
            says: Text(
                "Įvertinimas turi būti baigtinis skaičius, kad softmax jį priimtų.",
                "Оцінка має бути скінченним числом, щоб softmax її прийняв.",
                "The score must be a finite number for softmax to take it.",
            ),
            holds: |score| {
                let pairs = [("", ""), ("", "Ona"), ("Ona", ""), ("Ąžuolas", "ąžuolas"), ("Jonas", "Jonas")];
                let bad = pairs.into_iter().find(|(a, b)| !score(a, b).is_finite());
                bad.map_or(Ok(()), |(a, b)| {
                    let (input, got) = (format!("{a:?}, {b:?}"), score(a, b).to_string());
                    Err(Counterexample { input, got, wanted: "|a| < ∞".to_owned() })
                })
            },
        },
    ],
    fingerprint: |score| {
        let mut scores = Vec::new();
        for a in NAMES {
            scores.extend(NAMES.map(|b| score(a, b)));
        }
        scores.extend(SLIPS.map(|(query, near, _)| score(query, near)));
        scores
    },
    misconceptions: &[
        Misconception {
            answer: |query, key| if query == key { 1.0 } else { 0.0 },
            says: Text(
                "tai tiksli paieška: žodis su viena klaida jai toks pat svetimas kaip ir bet kuris kitas",
                "це точний пошук: слово з однією помилкою для нього так само чуже, як і будь-яке інше",
                "this is an exact look-up: a word with one slip is as foreign to it as any other",
            ),
        },
        Misconception {
            answer: |query, key| strsim::damerau_levenshtein(query, key) as f64,
            says: Text(
                "atstumui trūksta minuso ženklo: mažiausiai panašūs žodžiai gauna didžiausią įvertinimą",
                "відстані бракує знака мінус: найменш схожі слова отримують найбільшу оцінку",
                "the distance lacks its minus sign: the least similar words score highest",
            ),
        },
        Misconception {
            answer: |query, key| -(query.chars().count() as f64 - key.chars().count() as f64).abs(),
            says: Text(
                "lyginami tik žodžių ilgiai, o ne raidės",
                "порівняно лише довжини слів, а не літери",
                "only the lengths of the words are compared, not their letters",
            ),
        },
        Misconception {
            answer: |query, key| query.chars().filter(|&letter| key.contains(letter)).count() as f64,
            says: Text(
                "skaičiuojamos bendros raidės, kad ir kur jos stovėtų: ilgesnis žodis su tomis pačiomis raidėmis \
                 toks pat geras",
                "підраховано спільні літери, хоч би де вони стояли: довше слово з тими самими літерами нічим не гірше",
                "shared letters are counted wherever they stand: a longer word that holds them is just as good",
            ),
        },
        Misconception {
            answer: |query, key| query.chars().zip(key.chars()).take_while(|(a, b)| a == b).count() as f64,
            says: Text(
                "atsižvelgiama tik į bendrą pradžią: dėl klaidos pirmojoje raidėje atmetamas visas žodis",
                "ураховано лише спільний початок: помилка в першій літері перекреслює все слово",
                "only the common beginning counts: a slip in the first letter undoes the whole word",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        crate::attention::word_similarity,
        |query, key| -(strsim::levenshtein(query, key) as f64),
        |query, key| 5.0 * strsim::normalized_damerau_levenshtein(query, key),
        |query, key| -(strsim::damerau_levenshtein(query, key) as f64).sqrt(),
    ],
};

/// One is another's letters in another order, and one is the beginning of another.
const NAMES: [&str; 8] =
    ["Kazlauskas", "Petrauskas", "Rasa", "Aras", "Jankauskas", "Jankauskaitė", "Vasiliauskas", "Zakarauskas"];

/// A query, the same with one slip, and an unrelated word.
const SLIPS: [(&str, &str, &str); 5] = [
    ("Kazlauskas", "Kazlauskis", "Petrovskis"),
    ("Jonaitis", "Gonaitis", "Jokūbauskas"),
    ("Žemaitė", "Zemaitė", "Žukauskas"),
    ("Vilniaus", "Vilnaus", "Šiauliai"),
    ("Petras", "Pertas", "Ramunė"),
];

/// Whether the first is the greater one; with a NaN it is not.
fn above(a: f64, b: f64) -> bool {
    a > b
}

fn compared(score: WordScore, query: &str, better: &str, worse: &str) -> Counterexample {
    Counterexample {
        input: format!("{query:?}: {better:?}, {worse:?}"),
        got: format!("{}, {}", score(query, better), score(query, worse)),
        wanted: format!("a({query:?}, {better:?}) > a({query:?}, {worse:?})"),
    }
}

pub(super) static RANGE: Exercise<InRange> = Exercise {
    about: About {
        id: "lt-ex1c",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 1,
        minutes: 5,
        title: Text("Kada branduolys neturi atsakymo", "Коли ядро не має відповіді", "When a kernel has no answer"),
        prompt: Text(
            "Stačiakampis branduolys priskiria svorį 1 raktams, nutolusiems nuo užklausos ne daugiau kaip per \
             plotį, o kitiems – 0. Grąžinkite `true`, kai jam nėra iš ko sudėti išvesties.",
            "Прямокутне ядро надає вагу 1 ключам, віддаленим від запиту не більше ніж на ширину, а решті – 0. \
             Поверніть `true`, коли йому немає з чого скласти вихід.",
            "A boxcar kernel gives weight 1 to keys no farther from the query than its width and 0 to the others. \
             Return `true` when it has nothing to make an output of.",
        ),
        hints: [
            Text(
                "Kokia tada svorių suma? Iš kokio skaičiaus dalytume?",
                "Якою тоді є сума ваг? На яке число ми б ділили?",
                "What is the sum of the weights then? By which number would we divide?",
            ),
            Text(
                "Atsakymo nėra, kai kiekvienam i galioja |q − kᵢ| > plotis.",
                "Відповіді немає, коли для кожного i справджується |q − kᵢ| > ширина.",
                "There is no answer when |q − kᵢ| > width for every i.",
            ),
            Text::code("keys.iter().all(|key| (query - key).abs() … width)"),
        ],
        next: Text(
            "Gauso branduolys niekada nėra lygus nuliui. Ar tai reiškia, kad toli nuo visų raktų jo atsakymu \
             galima tikėti?",
            "Гаусове ядро ніколи не дорівнює нулю. Чи означає це, що далеко від усіх ключів його відповіді можна \
             вірити?",
            "A Gaussian kernel is never zero. Does that make its answer far from every key worth believing?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Kai bent vienas raktas pasiekiamas, atsakymas yra.",
                "Коли досяжний хоча б один ключ, відповідь є.",
                "When at least one key is in range, there is an answer.",
            ),
            holds: |empty| cases(empty, false),
        },
        Property {
            says: Text(
                "Kai visi raktai per toli, atsakymo nėra.",
                "Коли всі ключі задалеко, відповіді немає.",
                "When every key is too far, there is no answer.",
            ),
            holds: |empty| cases(empty, true),
        },
    ],
    fingerprint: |empty| {
        CASES.iter().map(|(query, keys, width, _)| f64::from(empty(*query, &array(keys), *width))).collect()
    },
    misconceptions: &[
        Misconception {
            answer: |query, keys, width| keys.iter().any(|key| (query - key).abs() > width),
            says: Text(
                "`any` tenkinasi vienu tolimu raktu, o atsakymo nėra tik tada, kai per toli visi",
                "для `any` досить одного далекого ключа, а відповіді немає лише тоді, коли задалеко всі",
                "`any` is content with one distant key, but there is no answer only when all are too far",
            ),
        },
        Misconception {
            answer: |query, keys, width| keys.iter().all(|key| query - key > width),
            says: Text(
                "pamirštas modulis: raktai, didesni už užklausą, atrodo pasiekiami, kad ir kaip toli būtų",
                "забуто модуль: ключі, більші за запит, здаються досяжними, хоч би як далеко вони були",
                "the absolute value is missing: keys above the query seem in range however far they are",
            ),
        },
        Misconception {
            answer: |query, keys, width| keys.iter().any(|key| (query - key).abs() <= width),
            says: Text(
                "atsakyta į priešingą klausimą: ar bent vienas raktas pasiekiamas",
                "це відповідь на протилежне запитання: чи є хоча б один досяжний ключ",
                "this answers the opposite question: whether some key is in range",
            ),
        },
        Misconception {
            answer: |query, keys, width| keys.iter().all(|key| (query - key).powi(2) > width),
            says: Text(
                "su pločiu lyginamas atstumo kvadratas, o ne pats atstumas",
                "з шириною порівняно квадрат відстані, а не саму відстань",
                "the squared distance is compared with the width, not the distance itself",
            ),
        },
        Misconception {
            answer: |query, keys, width| keys.first().is_none_or(|key| (query - key).abs() > width),
            says: Text(
                "tikrinamas tik pirmasis raktas, o ne visi",
                "перевірено лише перший ключ, а не всі",
                "only the first key is looked at, not all of them",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |query, keys, width| keys.iter().all(|key| (query - key).abs() > width),
        |query, keys, width| !keys.iter().any(|&key| query - width <= key && key <= query + width),
        |query, keys, width| keys.mapv(|key| if (query - key).abs() <= width { 1.0 } else { 0.0 }).sum() == 0.0,
    ],
};

/// Query, keys, width, and whether there is no answer. None lies on the edge, where both readings of "within" are right.
const CASES: [(f64, &[f64], f64, bool); 9] = [
    (0.0, &[0.4, 3.0], 0.5, false),
    (0.0, &[3.0, -0.4], 0.5, false),
    (0.0, &[0.4], 0.5, false),
    (2.0, &[4.5, 1.0, 9.0], 1.5, false),
    (5.0, &[1.0, 2.0, 6.4], 1.5, false),
    (0.0, &[3.0, -4.0], 0.5, true),
    (0.0, &[0.7], 0.5, true),
    (5.0, &[1.0, 2.0, 9.0], 1.5, true),
    (0.0, &[], 1.0, true),
];

fn array(keys: &[f64]) -> Array1<f64> {
    keys.iter().copied().collect()
}

fn cases(empty: InRange, wanted: bool) -> Result<(), Counterexample> {
    let wrong = CASES
        .iter()
        .filter(|case| case.3 == wanted)
        .find(|(q, keys, width, _)| empty(*q, &array(keys), *width) != wanted);
    wrong.map_or(Ok(()), |(query, keys, width, _)| {
        let input = format!("query = {query}, keys = {keys:?}, width = {width}");
        Err(Counterexample { input, got: (!wanted).to_string(), wanted: wanted.to_string() })
    })
}
