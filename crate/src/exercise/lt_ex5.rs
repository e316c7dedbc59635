//! Beyond the section: keys and queries on the unit sphere, where the Gaussian kernel is a softmax of dot products.

use ndarray::{Array1, Array2, Axis};

use super::entry::{About, Exercise, Misconception, Property};
use super::lt_ex1::NOTEBOOK;
use super::numbers::{close, each, matrix, near, shown, unless};
use super::text::{Language, Text};
use crate::attention::{Gaussian, Score, softmax};
use crate::random::{normal, seeded};

/// From the dot product of a query and a key of length 1 and the kernel's width to their score.
pub type SphereScore = fn(f64, f64) -> f64;
/// From the number of keys of length 1 and the kernel's width to the greatest weight that a key can have.
pub type LargestWeight = fn(usize, f64) -> f64;

/// `m` vectors of length 1 in `d` dimensions.
fn on_sphere(seed: u64, m: usize, d: usize) -> Array2<f64> {
    let vectors: Array2<f64> = normal((m, d), &mut seeded(seed));
    let length = |i| vectors.row(i).dot(&vectors.row(i)).sqrt();
    matrix((m, d), &|i, j| vectors[[i, j]] / length(i))
}

/// The weights that a Gaussian kernel gives the keys for each query.
fn gaussian(queries: &Array2<f64>, keys: &Array2<f64>, width: f64) -> Array2<f64> {
    softmax(&Gaussian::new(width).scores(queries, keys))
}

pub(super) static SCORE: Exercise<SphereScore> = Exercise {
    about: About {
        id: "lt-ex5a",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 2,
        minutes: 15,
        title: Text("Gauso branduolys sferoje", "Гаусове ядро на сфері", "The Gaussian kernel on a sphere"),
        prompt: Text(
            "Užklausa ir raktai yra vienetinio ilgio. Iš jų skaliarinės sandaugos ir pločio σ apskaičiuokite \
             įvertinimą, su kuriuo softmax duotų tuos pačius svorius kaip Gauso branduolys.",
            "Запит і ключі мають довжину 1. За їхнім скалярним добутком і шириною σ обчисліть оцінку, з якою softmax \
             дав би ті самі ваги, що й гаусове ядро.",
            "Query and keys have length 1. From their dot product and the width σ compute a score with which softmax \
             gives the same weights as the Gaussian kernel.",
        ),
        hints: [
            Text(
                "Išreikškite atstumo kvadratą ‖q − k‖² skaliarine sandauga. Kas lieka, kai ‖q‖ = ‖k‖ = 1?",
                "Виразіть квадрат відстані ‖q − k‖² через скалярний добуток. Що лишається, коли ‖q‖ = ‖k‖ = 1?",
                "Write the squared distance ‖q − k‖² with the dot product. What is left when ‖q‖ = ‖k‖ = 1?",
            ),
            Text(
                "−‖q − k‖²/(2σ²) = (q·k − 1)/σ²; dėmuo −1/σ² visiems raktams vienodas, o tokio softmax nepaiso.",
                "−‖q − k‖²/(2σ²) = (q·k − 1)/σ²; доданок −1/σ² однаковий для всіх ключів, а на такий softmax не зважає.",
                "−‖q − k‖²/(2σ²) = (q·k − 1)/σ²; the term −1/σ² is the same for every key, and softmax ignores it.",
            ),
            Text::code("dot / …"),
        ],
        next: Text(
            "Taigi skaliarinės sandaugos dėmesys, kurio temperatūra σ², vienetinio ilgio vektoriams ir yra Gauso \
             branduolys. Kas pasikeičia, kai vieno rakto ilgis – 2?",
            "Отже, увага зі скалярним добутком і температурою σ² для векторів довжини 1 – це і є гаусове ядро. Що \
             зміниться, коли один ключ має довжину 2?",
            "So dot-product attention at temperature σ² is the Gaussian kernel for vectors of length 1. What changes \
             when one key has length 2?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Kuo skaliarinė sandauga didesnė, tuo raktas arčiau užklausos ir tuo didesnis turi būti įvertinimas.",
                "Що більший скалярний добуток, то ближчий ключ до запиту і то більшою має бути оцінка.",
                "The larger the dot product, the nearer the key, and the larger the score must be.",
            ),
            holds: |score| {
                for (low, high) in [(-1.0, 0.0), (0.0, 0.5), (0.5, 1.0)] {
                    let got = [score(low, 0.5), score(high, 0.5)];
                    let input = format!("σ = 0.5, q·k = {low}; {high}");
                    unless(got[0] < got[1], input, format!("a = {}; {}", got[0], got[1]), "a₁ < a₂")?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Softmax svoriai turi sutapti su Gauso branduolio svoriais.",
                "Ваги softmax мають збігатися з вагами гаусового ядра.",
                "The weights of softmax must be those of the Gaussian kernel.",
            ),
            holds: |score| {
                for (seed, width) in [(1, 1.0), (2, 0.5), (3, 2.0), (4, 0.3), (5, 7.0)] {
                    let (queries, keys) = (on_sphere(seed, 2, 3), on_sphere(seed + 10, 4, 3));
                    let dots = queries.dot(&keys.t());
                    let got = softmax(&each(&dots, &|dot| score(dot, width)));
                    let wanted = gaussian(&queries, &keys, width);
                    let input = format!("σ = {width}, q·k = {}", shown(&dots));
                    unless(
                        close(&got, &wanted),
                        input,
                        format!("α = {}", shown(&got)),
                        format!("α = {}", shown(&wanted)),
                    )?;
                }
                Ok(())
            },
        },
    ],
    // Scores count up to a number added to all of them.
    fingerprint: |score| {
        let mut scores = Vec::new();
        for width in [0.5, 1.5, 3.0] {
            scores.extend([-0.5, 0.25, 1.0].map(|dot| score(dot, width) - score(0.0, width)));
        }
        scores
    },
    misconceptions: &[
        Misconception {
            answer: |dot, _| dot,
            says: Text(
                "plotis nepanaudotas: svoriai nuo jo nepriklauso",
                "ширину не використано: ваги від неї не залежать",
                "the width is not used: the weights do not depend on it",
            ),
        },
        Misconception {
            answer: |dot, width| dot / width,
            says: Text(
                "padalyta iš σ, o ne iš σ²: branduolyje atstumas dalijamas iš pločio ir tik tada keliamas kvadratu",
                "поділено на σ, а не на σ²: у ядрі відстань ділять на ширину і лише тоді підносять до квадрата",
                "divided by σ instead of σ²: a kernel divides the distance by the width and only then squares it",
            ),
        },
        Misconception {
            answer: |dot, width| dot / (2.0 * width * width),
            says: Text(
                "vardiklyje liko dvejetas, o jis turi susiprastinti, nes ‖q − k‖² = 2 − 2 q·k",
                "двійка лишилася в знаменнику: ‖q − k‖² = 2 − 2 q·k, тож вона скорочується",
                "the 2 is still in the denominator: ‖q − k‖² = 2 − 2 q·k, so that it cancels",
            ),
        },
        Misconception {
            answer: |dot, width| -dot / (width * width),
            says: Text(
                "ženklas priešingas: įvertinimas čia mažėja, raktui artėjant prie užklausos",
                "знак протилежний: оцінка тут спадає, коли ключ наближається до запиту",
                "the sign is reversed: the score falls here as the key comes nearer to the query",
            ),
        },
        Misconception {
            answer: |dot, width| dot * width * width,
            says: Text(
                "iš σ² reikia dalyti, o ne dauginti: platus branduolys svorius išlygina",
                "на σ² треба ділити, а не множити: широке ядро вирівнює ваги",
                "divide by σ² instead of multiplying: a wide kernel makes the weights more equal",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |dot, width| dot / (width * width),
        |dot, width| (dot - 1.0) / width.powi(2),
        |dot, width| -(2.0 - 2.0 * dot) / (2.0 * width * width),
    ],
};

/// Weights of `m` keys when the query is the first key and all others are opposite to it.
fn one_against_all(m: usize, width: f64) -> Array1<f64> {
    let query = Array2::ones((1, 1));
    let keys = matrix((m, 1), &|i, _| if i == 0 { 1.0 } else { -1.0 });
    gaussian(&query, &keys, width).remove_axis(Axis(0))
}

const CASES: [(usize, f64); 5] = [(2, 1.0), (5, 0.5), (10, 1.0), (1, 0.7), (1000, 2.0)];

pub(super) static LARGEST: Exercise<LargestWeight> = Exercise {
    about: About {
        id: "lt-ex5b",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 3,
        minutes: 20,
        title: Text(
            "Kiek svorio gali gauti vienas raktas",
            "Скільки ваги може мати один ключ",
            "How much weight one key can get",
        ),
        prompt: Text(
            "Sferoje visi įvertinimai yra tarp −1/σ² ir 1/σ². Kokį didžiausią svorį gali gauti vienas iš m raktų?",
            "На сфері всі оцінки лежать між −1/σ² і 1/σ². Яку найбільшу вагу може отримати один з m ключів?",
            "On the sphere all scores lie between −1/σ² and 1/σ². What is the largest weight that one of m keys can get?",
        ),
        hints: [
            Text(
                "Kaip turi būti išsidėstę kiti raktai, kad atimtų kuo mažiau svorio?",
                "Як мають розташуватися решта ключів, щоб забрати якнайменше ваги?",
                "How must the other keys lie to take as little weight as possible?",
            ),
            Text(
                "Vieno rakto įvertinimas 1/σ², likusių m − 1 raktų – po −1/σ²; įrašykite juos į softmax formulę.",
                "Оцінка одного ключа 1/σ², решти m − 1 ключів – по −1/σ²; підставте їх у формулу softmax.",
                "One key scores 1/σ², the other m − 1 score −1/σ² each; put them into the formula of softmax.",
            ),
            Text::code("let ratio = (-2.0 / (width * width)).exp();\n1.0 / (1.0 + … * ratio)"),
        ],
        next: Text(
            "Jei m = 1000 ir σ = 1, net artimiausias raktas negauna nė šimtosios svorio dalies. Kodėl modeliai, \
             lyginantys vienetinio ilgio vektorius, mokosi ir temperatūros?",
            "Якщо m = 1000 і σ = 1, навіть найближчий ключ не отримає й сотої частини ваги. Чому моделі, що порівнюють \
             вектори довжини 1, добирають навчанням ще й температуру?",
            "With m = 1000 and σ = 1 even the nearest key gets less than a hundredth of the weight. Why do models that \
             compare vectors of length 1 learn a temperature as well?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Daugiau svorio negali gauti joks raktas, kad ir kaip raktai būtų išsidėstę.",
                "Більше ваги не може отримати жоден ключ, хоч би як ключі були розташовані.",
                "No key can get more weight than this, however the keys lie.",
            ),
            holds: |largest| {
                for (seed, (m, width)) in (0..).zip(CASES) {
                    let keys = on_sphere(seed + 40, m, 3);
                    let mut seen = 0.0f64;
                    for &weight in
                        gaussian(&on_sphere(seed + 50, 5, 3), &keys, width).iter().chain(&one_against_all(m, width))
                    {
                        seen = seen.max(weight);
                    }
                    let got = largest(m, width);
                    unless(
                        got + 1e-9 >= seen,
                        format!("m = {m}, σ = {width}"),
                        got.to_string(),
                        format!("≥ {seen:.6}"),
                    )?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Tokį svorį turi būti įmanoma gauti: kai užklausa sutampa su vienu raktu, o visi kiti yra priešingoje \
                 sferos pusėje.",
                "Таку вагу має бути можливо отримати: коли запит збігається з одним ключем, а всі інші лежать на \
                 протилежному боці сфери.",
                "Such a weight must be within reach: when the query is one of the keys and all others are on the \
                 opposite side of the sphere.",
            ),
            holds: |largest| {
                for (m, width) in CASES {
                    let (got, wanted) = (largest(m, width), one_against_all(m, width)[0]);
                    let input = format!("m = {m}, σ = {width}");
                    unless(near(got, wanted), input, got.to_string(), format!("{wanted:.6}"))?;
                }
                Ok(())
            },
        },
    ],
    fingerprint: |largest| CASES.into_iter().map(|(m, width)| largest(m, width)).collect(),
    misconceptions: &[
        Misconception {
            answer: |_, _| 1.0,
            says: Text(
                "taip būtų, jei įvertinimai galėtų augti be ribų, o sferoje jie aprėžti",
                "так було б, якби оцінки могли зростати без меж, а на сфері вони обмежені",
                "that would be so if scores could grow without bound, but on the sphere they are bounded",
            ),
        },
        Misconception {
            answer: |m, _| 1.0 / m as f64,
            says: Text(
                "tai vienodas, taigi mažiausias iš didžiausių svorių: toks būna, kai visi raktai vienodai toli",
                "це рівна вага, тобто найменша з найбільших: така буває, коли всі ключі однаково далеко",
                "that is the equal weight, the least that a largest weight can be: all keys equally far",
            ),
        },
        Misconception {
            answer: |m, width| 1.0 / (1.0 + (m as f64 - 1.0) * (-1.0 / (width * width)).exp()),
            says: Text(
                "kiti raktai čia statmeni užklausai, o toliausi yra priešingi jai: jų q·k = −1",
                "решта ключів тут перпендикулярні до запиту, а найдальші – протилежні йому: для них q·k = −1",
                "the other keys are at right angles to the query here, but the farthest are opposite: their q·k is −1",
            ),
        },
        Misconception {
            answer: |m, width| 1.0 / (1.0 + m as f64 * (-2.0 / (width * width)).exp()),
            says: Text(
                "priešingų raktų yra m − 1, o ne m: vienas raktas jau suskaičiuotas",
                "протилежних ключів m − 1, а не m: один ключ уже пораховано",
                "there are m − 1 opposite keys, not m: one key is counted already",
            ),
        },
        Misconception {
            answer: |m, width| 1.0 / (1.0 + (m as f64 - 1.0) * (-2.0 / width).exp()),
            says: Text("padalyta iš σ, o ne iš σ²", "поділено на σ, а не на σ²", "divided by σ instead of σ²"),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |m, width| 1.0 / (1.0 + (m as f64 - 1.0) * (-2.0 / (width * width)).exp()),
        |m, width| one_against_all(m, width)[0],
        |m, width| {
            let (near, far) = ((1.0 / (width * width)).exp(), (-1.0 / (width * width)).exp());
            near / (near + (m - 1) as f64 * far)
        },
    ],
};
