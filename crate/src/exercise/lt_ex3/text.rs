//! A text as a vector.

use ndarray::Array1;

use crate::exercise::entry::{About, Exercise, Misconception, Property};
use crate::exercise::lt_ex1::NOTEBOOK;
use crate::exercise::numbers::{near, unless};
use crate::exercise::search::text_vector;
use crate::exercise::text::{Language, Text};

/// From a text to a vector of any length, the same for every text.
pub type TextVector = fn(&str) -> Array1<f64>;

/// A word, a form of it and another word.
const FORMS: [[&str; 3]; 4] = [
    ["knyga", "knygos", "traukinys"],
    ["miškas", "miške", "vanduo"],
    ["rašytoja", "rašytojų", "plaukikas"],
    ["kelias", "keliu", "puodas"],
];

/// Words of the same letters.
const ANAGRAMS: [[&str; 2]; 2] = [["rasa", "aras"], ["kalnas", "klanas"]];

/// Texts of one to many words.
const TEXTS: [&str; 4] = [
    "knyga",
    "senas miškas prie kelio",
    "Senas miškas prie kelio, o už jo upė ir dar vienas miškas.",
    "Vakar skaičiau knygą apie keliones",
];

/// The cosine of two texts' angle; with a vector of zeros, or of another length, there is none.
fn cosine(vector: TextVector, a: &str, b: &str) -> f64 {
    let (a, b) = (vector(a), vector(b));
    if a.len() == b.len() { a.dot(&b) / (a.dot(&a) * b.dot(&b)).sqrt() } else { f64::NAN }
}

fn same_length(vector: TextVector) -> bool {
    TEXTS.iter().all(|text| vector(text).len() == vector(TEXTS[0]).len())
}

fn length(vector: &Array1<f64>) -> f64 {
    vector.dot(vector).sqrt()
}

/// Counts of pieces of a text, spread over `places` and scaled to length 1.
fn hashed(pieces: impl Iterator<Item = String>, places: usize) -> Array1<f64> {
    let mut counts = Array1::zeros(places);
    for piece in pieces {
        counts[piece.bytes().fold(7, |hash, byte| (31 * hash + usize::from(byte)) % 1_000_003) % places] += 1.0;
    }
    let length = length(&counts);
    counts / length
}

fn words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Runs of `n` letters in a word that has a space at each end.
fn runs(word: &str, n: usize) -> Vec<String> {
    let letters: Vec<char> = format!(" {word} ").chars().collect();
    letters.windows(n).map(|run| run.iter().collect()).collect()
}

pub(in crate::exercise) static VECTOR: Exercise<TextVector> = Exercise {
    about: About {
        id: "lt-ex3a",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 2,
        minutes: 25,
        title: Text("Tekstas kaip vektorius", "Текст як вектор", "A text as a vector"),
        prompt: Text(
            "Paverskite tekstą vienetinio ilgio vektoriumi taip, kad to paties žodžio formos (knyga, knygos) būtų \
             artimesnės nei skirtingi žodžiai. Kiek skaičių vektoriuje, spręskite patys.",
            "Перетворіть текст на вектор довжини 1 так, щоб форми одного слова (knyga, knygos – «книга, книги») були \
             ближчими, ніж різні слова. Скільки чисел у векторі, вирішуйте самі.",
            "Turn a text into a vector of length 1 such that forms of one word (Lithuanian knyga, knygos: book, of the \
             book) are nearer than different words. How many numbers it has is up to you.",
        ),
        hints: [
            Text(
                "Kokios raidžių virtinės bendros formoms „knyga“ ir „knygos“? Kokio ilgio jos turi būti, kad „rasa“ ir „aras“ \
                 skirtųsi?",
                "Які послідовності літер спільні для форм «knyga» і «knygos»? Якої довжини вони мають бути, щоб «rasa» й «aras» \
                 відрізнялися?",
                "Which runs of letters do \"knyga\" and \"knygos\" share? How long must they be for \"rasa\" and \"aras\" to differ?",
            ),
            Text(
                "Skaičiuokite raidžių trejetus („kny“, „nyg“, …): kiekvienam maišos funkcija priskiria vietą vektoriuje. \
                 Gautą vektorių padalykite iš jo ilgio.",
                "Рахуйте трійки літер («kny», «nyg», …): кожній геш-функція призначає місце у векторі. Отриманий вектор \
                 поділіть на його довжину.",
                "Count letter trigrams (\"kny\", \"nyg\", …): a hash gives each its place in the vector. Divide the vector \
                 by its length.",
            ),
            Text::code(
                "let mut counts = Array1::<f64>::zeros(1000);\nlet letters: Vec<char> = \
                 text.to_lowercase().chars().collect();\nfor three in letters.windows(3) {\n    let place = \
                 three.iter().fold(0, |hash, &c| (31 * hash + c as usize) % 1000);\n    counts[place] += \
                 …;\n}\n&counts / …",
            ),
        ],
        next: Text(
            "Raidžių trejetai atpažįsta žodžio formas, bet nežino, kad mašina ir automobilis – tas pats. Iš ko to galima \
             išmokti?",
            "Трійки літер упізнають форми слова, але не знають, що «mašina» і «automobilis» (машина й автомобіль) – те \
             саме. З чого цього можна навчитися?",
            "Letter trigrams know the forms of a word, but not that a car and an automobile are the same. From what could \
             that be learned?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Visų tekstų vektoriuose turi būti po tiek pat skaičių.",
                "Вектори всіх текстів повинні мати однакову кількість чисел.",
                "The vectors of all texts must hold equally many numbers.",
            ),
            holds: |vector| {
                let lengths: Vec<String> = TEXTS.iter().map(|text| vector(text).len().to_string()).collect();
                let fits = same_length(vector) && !vector(TEXTS[0]).is_empty();
                unless(fits, format!("{TEXTS:?}"), format!("d = {}", lengths.join(", ")), "d₁ = d₂ = d₃ = d₄")
            },
        },
        Property {
            says: Text(
                "Vektoriaus ilgis turi būti 1, kad ilgas tekstas nelaimėtų vien dėl to, kad yra ilgas.",
                "Довжина вектора має бути 1, щоб довгий текст не вигравав лише через те, що він довгий.",
                "The vector's length must be 1, so that a long text does not win by being long.",
            ),
            holds: |vector| {
                for text in TEXTS {
                    let got = length(&vector(text));
                    unless(near(got, 1.0), format!("{text:?}"), format!("‖v‖ = {got}"), "‖v‖ = 1")?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Didžiosios raidės neturi nieko keisti.",
                "Великі літери не повинні нічого змінювати.",
                "Capital letters must change nothing.",
            ),
            holds: |vector| {
                let (small, large) = ("senas miškas", "Senas MIŠKAS");
                let got = cosine(vector, small, large);
                unless(near(got, 1.0), format!("{small:?}, {large:?}"), format!("cos = {got:.3}"), "cos = 1")
            },
        },
        Property {
            says: Text(
                "Kita to paties žodžio forma turi būti artimesnė nei kitas žodis.",
                "Інша форма того самого слова має бути ближчою, ніж інше слово.",
                "Another form of a word must be nearer than another word.",
            ),
            holds: |vector| {
                for [word, form, other] in FORMS {
                    let (near, far) = (cosine(vector, word, form), cosine(vector, word, other));
                    let got = format!("cos = {near:.3}, {far:.3}");
                    unless(near > far, format!("{word:?}: {form:?}, {other:?}"), got, "cos₁ > cos₂")?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Skirtingi žodžiai iš tų pačių raidžių turi skirtis.",
                "Різні слова з тих самих літер мають відрізнятися.",
                "Different words made of the same letters must differ.",
            ),
            holds: |vector| {
                for [one, other] in ANAGRAMS {
                    let got = cosine(vector, one, other);
                    unless(got < 0.99, format!("{one:?}, {other:?}"), format!("cos = {got:.3}"), "cos < 1")?;
                }
                Ok(())
            },
        },
    ],
    // What an answer can and cannot do: of how many numbers its vectors are made is nobody's mistake.
    fingerprint: |vector| {
        if !same_length(vector) {
            return vec![0.0];
        }
        let able = [
            TEXTS.iter().all(|text| near(length(&vector(text)), 1.0)),
            near(cosine(vector, "miškas", "MIŠKAS"), 1.0),
            FORMS.iter().all(|[word, form, _]| cosine(vector, word, form) > 0.0),
            ANAGRAMS.iter().all(|[one, other]| cosine(vector, one, other) < 0.99),
        ];
        able.map(f64::from).into()
    },
    misconceptions: &[
        Misconception {
            answer: |text| hashed(words(text).into_iter(), 1000),
            says: Text(
                "skaičiuojami ištisi žodžiai, o lietuvių kalbos žodžiai kaitomi: „knyga“ ir „knygos“ čia nesusiję",
                "рахуються цілі слова, а литовські слова відмінюються: «knyga» і «knygos» тут не пов'язані",
                "whole words are counted, but Lithuanian words have many endings: \"knyga\" and \"knygos\" are strangers here",
            ),
        },
        Misconception {
            answer: |text| hashed(words(text).concat().chars().map(String::from), 1000),
            says: Text(
                "skaičiuojamos pavienės raidės, o jų tvarka dingsta: „rasa“ ir „aras“ – tas pats vektorius",
                "рахуються окремі літери, а їхній порядок зникає: «rasa» і «aras» – той самий вектор",
                "single letters are counted and their order is lost: \"rasa\" and \"aras\" are one vector",
            ),
        },
        Misconception {
            answer: |text| text_vector(text) * words(text).len() as f64 * 2.0,
            says: Text(
                "vektorius nepadalytas iš savo ilgio",
                "вектор не поділено на його довжину",
                "the vector is not divided by its length",
            ),
        },
        Misconception {
            answer: |text| hashed(text.split(' ').flat_map(|word| runs(word, 3)), 1000),
            says: Text(
                "didžiosios raidės laikomos kitomis raidėmis: pirmiausia visas raides paverskite mažosiomis",
                "великі літери вважаються іншими: спершу переведіть текст у малі",
                "capitals count as other letters: turn the text into lower case first",
            ),
        },
        Misconception {
            answer: |text| {
                let codes: Array1<f64> =
                    words(text).concat().chars().map(|letter| f64::from(u32::from(letter))).collect();
                let length = length(&codes);
                codes / length
            },
            says: Text(
                "ilgesnio teksto vektoriuje daugiau skaičių, tad su trumpesnio teksto vektoriumi jo palyginti negalima",
                "у векторі довшого тексту більше чисел, тож порівняти його з вектором коротшого не можна",
                "a longer text has a longer vector here, so that it cannot be compared with a shorter one",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        text_vector,
        |text| hashed(words(text).into_iter().flat_map(|word| runs(&word, 2)), 2000),
        |text| hashed(words(text).into_iter().map(|word| word.chars().take(3).collect()), 1000),
    ],
};
