//! A direction that a map ignores and one that it reads.

use ndarray::{Array1, Array2, array};

use super::NOTEBOOK;
use crate::exercise::entry::{About, Exercise, Misconception, Property};
use crate::exercise::numbers::{flat, shown, unless};
use crate::exercise::text::{Language, Text};
use crate::random::{normal, seeded};

/// From a map (3 x 2) to a direction that it ignores and one that it reads.
pub type Directions = fn(&Array2<f64>) -> (Array1<f64>, Array1<f64>);

pub(in crate::exercise) static IGNORED: Exercise<Directions> = Exercise {
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
             erdvės (x·Wq = 0) ir vektorių, kuris jai nepriklauso.",
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
                    unless(fit, told(wq), format!("{ignored:.4}, {seen:.4}"), "d = 3, |x| > 0")
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
                "вектор, кратний вектору з нуль-простору, теж лежить у нуль-просторі",
                "a multiple of a vector from the null space lies in the null space as well",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_| todo!(),
    #[cfg(feature = "rehearsal")]
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
