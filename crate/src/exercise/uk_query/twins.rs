//! Two inputs that one head cannot tell apart and another can.

use ndarray::{Array1, array};

use super::NOTEBOOK;
use crate::attention::{Mask, attention};
use crate::exercise::entry::{About, Exercise, Misconception, Property};
use crate::exercise::numbers::{both, flat, unless};
use crate::exercise::text::{Language, Text};

/// Two inputs of the four-axis space.
pub type Twins = fn() -> (Array1<f64>, Array1<f64>);

pub(in crate::exercise) static TWINS: Exercise<Twins> = Exercise {
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
            "Перша голова читає суму фінансів і води, а також структуру; друга – їхню різницю, а також структуру. \
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
                unless(fit, "the, x, bank".into(), format!("{a}, {b}"), "d = 4, d = 4")
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
                unless(gap > 1e-6, format!("{a}, {b}"), format!("|Δ| = {gap:.1e}"), "|Δ| > 1e-6")
            },
        },
    ],
    // Which of the four numbers that matter the two inputs differ in.
    fingerprint: |twins| {
        let (a, b) = twins();
        if a.len() != 4 || b.len() != 4 || a.iter().chain(&b).any(|entry| !entry.is_finite()) {
            return flat([a, b]);
        }
        let d = both(&b, &a, &|b, a| b - a);
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
                 треба відняти",
                "changing water alone (or finance alone) changes the sum too: what one gains the other has to lose",
            ),
        },
        Misconception {
            answer: || (array![1.0, 0.0, 0.0, 0.2], array![1.0, 0.0, 0.5, 0.2]),
            says: Text("struktūrą skaito abi galvos", "структуру читають обидві голови", "both heads read structure"),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: || todo!(),
    #[cfg(feature = "rehearsal")]
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
        let (the, bank) = ([0.0, 0.0, 0.0, 1.0], [0.5, 0.5, 0.8, 0.2]);
        let x = array![the, [token[0], token[1], token[2], token[3]], bank];
        let (weights, mixture) = attention(&x, &reads, &reads, &reads, Mask::None);
        weights.into_iter().chain(mixture).collect::<Vec<f64>>()
    };
    let (a, b) = twins();
    head(a).into_iter().zip(head(b)).fold(0.0, |gap, (a, b)| (a - b).abs().max(gap))
}
