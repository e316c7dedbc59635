//! Exercise 2 of section 11.1: the gradient of attention pooling is a covariance, in three steps.

use ndarray::{Array1, Array2};

use super::entry::{About, Exercise, Misconception, Property};
use super::lt_ex1::NOTEBOOK;
use super::numbers::{close, differences, each, flat, matrix, shown, unless};
use super::text::{Language, Text};
use crate::attention::softmax;
use crate::random::{normal, seeded};

/// From the weights p (m) to the derivatives of softmax by its scores (m x m).
pub type SoftmaxJacobian = fn(&Array1<f64>) -> Array2<f64>;
/// From a query (d) and keys (m x d) that are their own values to the derivative of the output by the query (d x d).
pub type KeyGradient = fn(&Array1<f64>, &Array2<f64>) -> Array2<f64>;
/// From a query (d), keys (m x d) and values (m x d_v) to the derivative of the output by the query (d_v x d).
pub type ValueGradient = fn(&Array1<f64>, &Array2<f64>, &Array2<f64>) -> Array2<f64>;

/// Σ p (a - ā)(b - b̄)ᵀ over the rows of two matrices.
fn covariance(weights: &Array1<f64>, a: &Array2<f64>, b: &Array2<f64>) -> Array2<f64> {
    let centered = |rows: &Array2<f64>| {
        let mean = weights.dot(rows);
        matrix(rows.dim(), &|i, j| rows[[i, j]] - mean[j])
    };
    let a = centered(a);
    matrix(a.dim(), &|i, j| a[[i, j]] * weights[i]).t().dot(&centered(b))
}

/// A matrix times a factor.
fn stretched(factor: f64, matrix: &Array2<f64>) -> Array2<f64> {
    each(matrix, &|entry| factor * entry)
}

/// A multiple of diag p and one of p pᵀ, added up.
fn diagonal_and_outer(p: &Array1<f64>, diagonal: f64, outer: f64) -> Array2<f64> {
    matrix((p.len(), p.len()), &|i, j| outer * p[i] * p[j] + if i == j { diagonal * p[i] } else { 0.0 })
}

pub(super) static JACOBIAN: Exercise<SoftmaxJacobian> = Exercise {
    about: About {
        id: "lt-ex2a",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 2,
        minutes: 15,
        title: Text(
            "Pirmas žingsnis: softmax išvestinės",
            "Перший крок: похідні softmax",
            "First step: the derivatives of softmax",
        ),
        prompt: Text(
            "Duoti svoriai p = softmax(a). Grąžinkite matricą, kurios i-osios eilutės j-asis elementas yra ∂pᵢ/∂aⱼ.",
            "Дано ваги p = softmax(a). Поверніть матрицю, у якій елемент у рядку i та стовпці j дорівнює ∂pᵢ/∂aⱼ.",
            "You are given the weights p = softmax(a). Return the matrix whose entry in row i and column j is ∂pᵢ/∂aⱼ.",
        ),
        hints: [
            Text(
                "Padidinus vieną įvertinimą, jo svoris auga, o visų kitų – mažėja, nes svorių suma lieka lygi 1.",
                "Якщо збільшити одну оцінку, її вага зростає, а всі інші ваги спадають, бо їхня сума лишається 1.",
                "Raise one score: its weight grows and all others shrink, since the sum stays 1.",
            ),
            Text(
                "∂pᵢ/∂aⱼ = pᵢ(δᵢⱼ − pⱼ), čia δᵢⱼ lygus 1, kai i = j, ir 0 kitais atvejais.",
                "∂pᵢ/∂aⱼ = pᵢ(δᵢⱼ − pⱼ), де δᵢⱼ дорівнює 1, коли i = j, і 0 в інших випадках.",
                "∂pᵢ/∂aⱼ = pᵢ(δᵢⱼ − pⱼ), where δᵢⱼ is 1 for i = j and 0 otherwise.",
            ),
            Text::code("Array2::from_shape_fn((p.len(), p.len()), |(i, j)| p[i] * (… - p[j]))"),
        ],
        next: Text(
            "Ši matrica simetriška, o jos eilučių sumos – nuliai. Kokį vektorių ji paverčia nuliniu ir kas iš to \
             išplaukia, kai prie visų įvertinimų pridedamas tas pats skaičius?",
            "Ця матриця симетрична, а суми її рядків – нулі. Який вектор вона перетворює на нульовий і що з цього \
             випливає, якщо до всіх оцінок додати те саме число?",
            "This matrix is symmetric and its rows sum to zero. Which vector does it map to zero, and what does \
             that say about adding the same number to every score?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Matrica turi sutapti su softmax išvestinėmis, apytiksliai apskaičiuotomis pagal baigtinius skirtumus.",
                "Матриця має збігатися з похідними softmax, наближено обчисленими за скінченними різницями.",
                "The matrix must agree with finite-difference estimates of softmax's derivatives.",
            ),
            holds: |jacobian| {
                for (seed, m) in [(1, 2), (2, 3), (3, 5), (4, 1), (5, 8)] {
                    let scores: Array1<f64> = normal(m, &mut seeded(seed));
                    let (p, wanted) = (softmax(&scores), differences(&scores, &softmax));
                    let got = jacobian(&p);
                    unless(close(&got, &wanted), format!("p = {p:.4}"), shown(&got), shown(&wanted))?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Svorių suma visada lygi 1, todėl kiekvieno stulpelio elementų suma turi būti 0.",
                "Сума ваг завжди дорівнює 1, тому сума елементів кожного стовпця має бути 0.",
                "The weights always sum to 1, so every column must sum to 0.",
            ),
            holds: |jacobian| {
                let p = softmax(&normal(6, &mut seeded(9)));
                let got = jacobian(&p);
                let fits = (0..got.ncols()).all(|j| got.column(j).sum().abs() < 1e-8);
                unless(fits, format!("p = {p:.4}"), shown(&got), "Σᵢ ∂pᵢ/∂aⱼ = 0")
            },
        },
    ],
    fingerprint: |jacobian| flat([2, 3, 4].map(|m| jacobian(&softmax(&normal(m, &mut seeded(m as u64)))))),
    misconceptions: &[
        Misconception {
            answer: |p| Array2::from_diag(&each(p, &|p| p * (1.0 - p))),
            says: Text(
                "palikti tik įstrižainės nariai: vieno įvertinimo pokytis keičia ir kitų svorius",
                "залишено лише діагональні члени, але якщо змінити одну оцінку, зміняться й ваги інших",
                "only the diagonal terms are kept: changing one score changes the other weights too",
            ),
        },
        Misconception {
            answer: |p| Array2::from_diag(p),
            says: Text(
                "nepaisyta vardiklio: eksponentės išvestinė yra ji pati, bet dalijama iš sumos, kuri irgi kinta",
                "не враховано знаменник: похідна експоненти – вона сама, але ділимо на суму, яка теж змінюється",
                "the denominator is ignored: the exponential is its own derivative, but the sum it is divided by \
                 moves too",
            ),
        },
        Misconception {
            answer: |p| diagonal_and_outer(p, -1.0, 1.0),
            says: Text(
                "priešingas ženklas: padidinus įvertinimą, jo svoris turi augti",
                "протилежний знак: якщо збільшити оцінку, її вага має зростати",
                "the sign is reversed: a weight must grow with its own score",
            ),
        },
        Misconception {
            answer: |p| diagonal_and_outer(p, 0.0, -1.0),
            says: Text(
                "teisingi tik ne įstrižainės nariai; įstrižainėje prie −pᵢ² trūksta dėmens pᵢ",
                "правильні лише члени поза діагоналлю; на діагоналі біля −pᵢ² бракує доданка pᵢ",
                "only the off-diagonal terms are right; on the diagonal, pᵢ is missing beside −pᵢ²",
            ),
        },
        Misconception {
            answer: |p| diagonal_and_outer(p, 1.0, 1.0),
            says: Text(
                "sandaugą pᵢpⱼ reikia atimti, o ne pridėti",
                "добуток pᵢpⱼ треба відняти, а не додати",
                "the product pᵢpⱼ has to be subtracted, not added",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |p| Array2::from_shape_fn((p.len(), p.len()), |(i, j)| p[i] * (if i == j { 1.0 } else { 0.0 } - p[j])),
        |p| diagonal_and_outer(p, 1.0, -1.0),
        |p| differences(&p.mapv(f64::ln), &softmax),
    ],
};

/// Weights of keys by their dot product with the query.
fn weights(query: &Array1<f64>, keys: &Array2<f64>) -> Array1<f64> {
    softmax(&keys.dot(query))
}

/// A query of `d` coordinates and `m` keys.
fn scene(seed: u64, m: usize, d: usize) -> (Array1<f64>, Array2<f64>) {
    let mut generator = seeded(seed);
    (normal(d, &mut generator), normal((m, d), &mut generator))
}

fn told(query: &Array1<f64>, keys: &Array2<f64>) -> String {
    format!("q = {query:.3}, K = {}", shown(keys))
}

const SCENES: [(u64, usize, usize); 5] = [(1, 3, 2), (2, 5, 3), (3, 2, 4), (4, 1, 3), (5, 7, 1)];

pub(super) static COVARIANCE: Exercise<KeyGradient> = Exercise {
    about: About {
        id: "lt-ex2b",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 2,
        minutes: 20,
        title: Text(
            "Antras žingsnis: gradientas yra kovariacija",
            "Другий крок: градієнт є коваріацією",
            "Second step: the gradient is a covariance",
        ),
        prompt: Text(
            "Reikšmės sutampa su raktais, a(q, kᵢ) = q·kᵢ. Grąžinkite matricą (d × d), sudarytą iš išvesties \
             išvestinių pagal užklausą.",
            "Значення збігаються з ключами, a(q, kᵢ) = q·kᵢ. Поверніть матрицю (d × d) похідних виходу за запитом.",
            "The values are the keys and a(q, kᵢ) = q·kᵢ. Return the matrix (d × d) of the output's derivatives \
             with respect to the query.",
        ),
        hints: [
            Text(
                "Grandininė taisyklė: užklausa keičia įvertinimus, įvertinimai – svorius, svoriai – išvestį.",
                "Ланцюгове правило: запит змінює оцінки, оцінки – ваги, ваги – вихід.",
                "The chain rule: the query moves the scores, the scores the weights, the weights the output.",
            ),
            Text(
                "Kᵀ(diag(p) − ppᵀ)K = Σᵢ pᵢ(kᵢ − k̄)(kᵢ − k̄)ᵀ, čia k̄ = Σᵢ pᵢkᵢ.",
                "Kᵀ(diag(p) − ppᵀ)K = Σᵢ pᵢ(kᵢ − k̄)(kᵢ − k̄)ᵀ, де k̄ = Σᵢ pᵢkᵢ.",
                "Kᵀ(diag(p) − ppᵀ)K = Σᵢ pᵢ(kᵢ − k̄)(kᵢ − k̄)ᵀ with k̄ = Σᵢ pᵢkᵢ.",
            ),
            Text::code(
                "let p = softmax(&keys.dot(query));\nlet centered = keys - &p.dot(keys);\n(&centered * \
                 &column(&p)).t().dot(…)",
            ),
        ],
        next: Text(
            "Kovariacijų matrica neneigiamai apibrėžta: užklausai pajudėjus kryptimi x, išvestis ta kryptimi \
             neatsitraukia. Kada ši matrica nulinė?",
            "Коваріаційна матриця невід'ємно визначена: якщо запит зрушити в напрямку x, вихід у цьому напрямку не \
             відступає. Коли ця матриця нульова?",
            "A covariance matrix is positive semidefinite: move the query along x, and the output does not step \
             back along x. When is the matrix zero?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Matrica turi sutapti su išvesties išvestinėmis, apytiksliai apskaičiuotomis pagal baigtinius \
                 skirtumus.",
                "Матриця має збігатися з похідними виходу, наближено обчисленими за скінченними різницями.",
                "The matrix must agree with finite-difference estimates of the output's derivatives.",
            ),
            holds: |gradient| {
                for (seed, m, d) in SCENES {
                    let (query, keys) = scene(seed, m, d);
                    let wanted = differences(&query, &|q| weights(q, &keys).dot(&keys));
                    let got = gradient(&query, &keys);
                    unless(close(&got, &wanted), told(&query, &keys), shown(&got), shown(&wanted))?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Prie visų raktų pridėjus tą patį vektorių, svoriai nesikeičia, o išvestis tik pasislenka per tą \
                 vektorių, todėl gradientas turi likti toks pat.",
                "Якщо до всіх ключів додати той самий вектор, ваги не зміняться, а вихід лише зсунеться на цей \
                 вектор, тож градієнт має лишитися таким самим.",
                "Adding one vector to every key leaves the weights as they are and only shifts the output by that \
                 vector, so the gradient must stay the same.",
            ),
            holds: |gradient| {
                let (query, keys) = scene(11, 4, 3);
                let moved = each(&keys, &|x| x + 2.5);
                let (wanted, got) = (gradient(&query, &keys), gradient(&query, &moved));
                unless(close(&got, &wanted), told(&query, &moved), shown(&got), shown(&wanted))
            },
        },
        Property {
            says: Text(
                "Kovariacijų matrica simetriška ir neneigiamai apibrėžta: xᵀCx ≥ 0 su kiekvienu x.",
                "Коваріаційна матриця симетрична й невід'ємно визначена: xᵀCx ≥ 0 для кожного x.",
                "A covariance matrix is symmetric and positive semidefinite: xᵀCx ≥ 0 for every x.",
            ),
            holds: |gradient| {
                let (query, keys) = scene(12, 6, 3);
                let got = gradient(&query, &keys);
                let symmetric = close(&got, &got.t().to_owned());
                let directions: Array2<f64> = normal((50, 3), &mut seeded(13));
                let positive = directions.outer_iter().all(|x| x.dot(&got.dot(&x)) >= -1e-9);
                unless(symmetric && positive, told(&query, &keys), shown(&got), "C = Cᵀ, xᵀCx ≥ 0")
            },
        },
    ],
    fingerprint: |gradient| {
        flat(SCENES[..2].iter().map(|&(seed, m, d)| {
            let (query, keys) = scene(seed, m, d);
            gradient(&query, &keys)
        }))
    },
    misconceptions: &[
        Misconception {
            answer: |query, keys| {
                let p = weights(query, keys);
                keys.t().dot(&Array2::from_diag(&each(&p, &|p| p * (1.0 - p)))).dot(keys)
            },
            says: Text(
                "iš softmax išvestinių palikti tik įstrižainės nariai",
                "із похідних softmax залишено лише діагональні члени",
                "only the diagonal terms of softmax's derivatives are kept",
            ),
        },
        Misconception {
            answer: |query, keys| Array2::from_diag(&covariance(&weights(query, keys), keys, keys).diag().to_owned()),
            says: Text(
                "paliktos tik dispersijos, bet skirtingos raktų koordinatės kinta ir kartu",
                "залишено лише дисперсії, але різні координати ключів змінюються ще й разом",
                "only the variances are kept, but different coordinates of the keys also vary together",
            ),
        },
        Misconception {
            answer: |query, keys| {
                let p = weights(query, keys);
                keys.t().dot(&Array2::from_diag(&p)).dot(keys)
            },
            says: Text(
                "tai antrasis momentas; iš jo dar reikia atimti vidurkių sandaugą k̄k̄ᵀ",
                "це другий момент; від нього ще треба відняти добуток середніх k̄k̄ᵀ",
                "this is the second moment; the product of the means, k̄k̄ᵀ, has yet to be subtracted",
            ),
        },
        Misconception {
            answer: |_, keys| {
                let even = Array1::from_elem(keys.nrows(), 1.0 / keys.nrows() as f64);
                covariance(&even, keys, keys)
            },
            says: Text(
                "visi raktai imti su vienodais svoriais, o tikimybės turi būti dėmesio svoriai",
                "усі ключі взято з однаковими вагами, а ймовірностями мають бути ваги уваги",
                "all keys count the same here, but the probabilities have to be the attention weights",
            ),
        },
        Misconception {
            answer: |query, keys| {
                let p = weights(query, keys);
                diagonal_and_outer(&p, 1.0, -1.0)
            },
            says: Text(
                "tai softmax išvestinės (m × m); jas dar reikia iš abiejų pusių padauginti iš raktų matricos",
                "це похідні softmax (m × m); їх ще треба з обох боків помножити на матрицю ключів",
                "these are softmax's derivatives (m × m); the keys have yet to multiply them from both sides",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |query, keys| covariance(&weights(query, keys), keys, keys),
        |query, keys| {
            let p = weights(query, keys);
            let mean = p.dot(keys);
            keys.t().dot(&Array2::from_diag(&p)).dot(keys) - diagonal_and_outer(&mean, 0.0, 1.0)
        },
        |query, keys| {
            let p = weights(query, keys);
            keys.t().dot(&diagonal_and_outer(&p, 1.0, -1.0)).dot(keys)
        },
    ],
};

/// Weights and scale of the scaled dot product.
fn scaled(query: &Array1<f64>, keys: &Array2<f64>) -> (Array1<f64>, f64) {
    let scale = (query.len() as f64).sqrt().recip();
    (softmax(&each(&keys.dot(query), &|score| score * scale)), scale)
}

/// As [`scene`], with values of `d_v` coordinates.
fn valued(seed: u64, m: usize, d: usize, d_v: usize) -> (Array1<f64>, Array2<f64>, Array2<f64>) {
    let (query, keys) = scene(seed, m, d);
    (query, keys, normal((m, d_v), &mut seeded(seed + 100)))
}

const VALUED: [(u64, usize, usize, usize); 5] = [(1, 3, 2, 2), (2, 5, 4, 3), (3, 2, 3, 1), (4, 1, 2, 2), (5, 6, 9, 2)];

pub(super) static VALUES: Exercise<ValueGradient> = Exercise {
    about: About {
        id: "lt-ex2c",
        notebook: NOTEBOOK,
        language: Language::Lt,
        difficulty: 3,
        minutes: 20,
        title: Text(
            "Apibendrinimas: kai reikšmės kitokios nei raktai",
            "Узагальнення: коли значення відрізняються від ключів",
            "Generalisation: values other than keys",
        ),
        prompt: Text(
            "Dabar a(q, kᵢ) = q·kᵢ/√d, o reikšmės – bet kokios. Grąžinkite matricą (d_v × d), sudarytą iš \
             išvesties išvestinių pagal užklausą.",
            "Тепер a(q, kᵢ) = q·kᵢ/√d, а значення – будь-які. Поверніть матрицю (d_v × d) похідних виходу за запитом.",
            "Now a(q, kᵢ) = q·kᵢ/√d and the values are arbitrary. Return the matrix (d_v × d) of the output's \
             derivatives with respect to the query.",
        ),
        hints: [
            Text(
                "Kas pasikeičia grandininėje taisyklėje, kai paskutinėje grandyje yra reikšmės, o ne raktai?",
                "Що зміниться в ланцюговому правилі, коли в останній ланці стоять значення, а не ключі?",
                "What changes in the chain rule when its last link holds the values instead of the keys?",
            ),
            Text(
                "(1/√d) · Σᵢ pᵢ(vᵢ − v̄)(kᵢ − k̄)ᵀ; svoriai p irgi skaičiuojami iš įvertinimų, padalytų iš √d.",
                "(1/√d) · Σᵢ pᵢ(vᵢ − v̄)(kᵢ − k̄)ᵀ; ваги p теж обчислюються з оцінок, поділених на √d.",
                "(1/√d) · Σᵢ pᵢ(vᵢ − v̄)(kᵢ − k̄)ᵀ; the weights p also come from scores divided by √d.",
            ),
            Text::code(
                "let scale = (query.len() as f64).sqrt().recip();\nlet p = softmax(&(keys.dot(query) * \
                 scale));\nscale * (&(values - &p.dot(values)) * &column(&p)).t().dot(…)",
            ),
        ],
        next: Text(
            "Ši kryžminė kovariacija jau nebūtinai simetriška. Kokie turi būti raktai ir reikšmės, kad gradientas \
             būtų nulinis, nors svoris ir pasiskirstęs tarp kelių raktų?",
            "Ця взаємна коваріація вже не обов'язково симетрична. Якими мають бути ключі та значення, щоб градієнт \
             був нульовим, хоча вага й розподілена між кількома ключами?",
            "This cross-covariance need not be symmetric. Which keys and values make the gradient zero even though \
             the weight is spread over several keys?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Matrica turi sutapti su išvesties išvestinėmis, apytiksliai apskaičiuotomis pagal baigtinius \
                 skirtumus.",
                "Матриця має збігатися з похідними виходу, наближено обчисленими за скінченними різницями.",
                "The matrix must agree with finite-difference estimates of the output's derivatives.",
            ),
            holds: |gradient| {
                for (seed, m, d, d_v) in VALUED {
                    let (query, keys, values) = valued(seed, m, d, d_v);
                    let wanted = differences(&query, &|q| scaled(q, &keys).0.dot(&values));
                    let got = gradient(&query, &keys, &values);
                    unless(
                        close(&got, &wanted),
                        format!("{}, V = {}", told(&query, &keys), shown(&values)),
                        shown(&got),
                        shown(&wanted),
                    )?;
                }
                Ok(())
            },
        },
        Property {
            says: Text(
                "Kai visos reikšmės vienodos, išvestis nuo užklausos nepriklauso ir gradientas lygus nuliui.",
                "Коли всі значення однакові, вихід не залежить від запиту і градієнт дорівнює нулю.",
                "When all values are equal, the output does not depend on the query and the gradient is zero.",
            ),
            holds: |gradient| {
                let (query, keys) = scene(21, 4, 3);
                let values = Array2::from_elem((4, 2), 1.5);
                let got = gradient(&query, &keys, &values);
                let wanted = Array2::zeros((2, 3));
                unless(
                    close(&got, &wanted),
                    format!("{}, V = {}", told(&query, &keys), shown(&values)),
                    shown(&got),
                    shown(&wanted),
                )
            },
        },
    ],
    fingerprint: |gradient| {
        flat(VALUED[..2].iter().map(|&(seed, m, d, d_v)| {
            let (query, keys, values) = valued(seed, m, d, d_v);
            gradient(&query, &keys, &values)
        }))
    },
    misconceptions: &[
        Misconception {
            answer: |query, keys, values| covariance(&scaled(query, keys).0, values, keys),
            says: Text(
                "trūksta daugiklio 1/√d: kintant užklausai, įvertinimas kinta √d kartų lėčiau",
                "бракує множника 1/√d: зі зміною запиту оцінка змінюється в √d разів повільніше",
                "the factor 1/√d is missing: the score moves √d times more slowly with the query",
            ),
        },
        Misconception {
            answer: |query, keys, values| {
                stretched(scaled(query, keys).1, &covariance(&weights(query, keys), values, keys))
            },
            says: Text(
                "svoriai apskaičiuoti be daugiklio 1/√d, nors įvertinime jis yra",
                "ваги обчислено без множника 1/√d, хоча в оцінці він є",
                "the weights were computed without 1/√d, though the score has it",
            ),
        },
        Misconception {
            answer: |query, keys, values| {
                let (p, scale) = scaled(query, keys);
                stretched(scale, &covariance(&p, keys, values))
            },
            says: Text(
                "matrica transponuota: eilutės turi atitikti išvesties koordinates, o stulpeliai – užklausos",
                "матрицю транспоновано: рядки мають відповідати координатам виходу, а стовпці – координатам запиту",
                "the matrix is transposed: rows belong to the output's coordinates, columns to the query's",
            ),
        },
        Misconception {
            answer: |query, keys, _| {
                let (p, scale) = scaled(query, keys);
                stretched(scale, &covariance(&p, keys, keys))
            },
            says: Text(
                "vietoj reikšmių paimti raktai, o išvestis sudedama iš reikšmių",
                "замість значень узято ключі, а вихід складається зі значень",
                "keys were taken in place of the values, but the output is made of values",
            ),
        },
        Misconception {
            answer: |query, keys, values| {
                stretched((query.len() as f64).recip(), &covariance(&scaled(query, keys).0, values, keys))
            },
            says: Text("padalyta iš d, o ne iš √d", "поділено на d, а не на √d", "divided by d instead of √d"),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |query, keys, values| {
            let (p, scale) = scaled(query, keys);
            covariance(&p, values, keys) * scale
        },
        |query, keys, values| {
            let (p, scale) = scaled(query, keys);
            values.t().dot(&diagonal_and_outer(&p, 1.0, -1.0)).dot(keys) * scale
        },
        |query, keys, values| differences(query, &|q| scaled(q, keys).0.dot(values)),
    ],
};
