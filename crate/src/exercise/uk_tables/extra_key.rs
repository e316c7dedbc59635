//! A key that halves every weight without a change of the query.

use ndarray::{Array1, Array2, array};

use super::NOTEBOOK;
use crate::attention::softmax;
use crate::exercise::entry::{About, Exercise, Misconception, Property};
use crate::exercise::numbers::{each, flat, shown, unless};
use crate::exercise::text::{Language, Text};
use crate::random::{normal, seeded};

/// From a query (d) and keys (m x d) to one more key (d).
pub type ExtraKey = fn(&Array1<f64>, &Array2<f64>) -> Array1<f64>;

pub(in crate::exercise) static EXTRA_KEY: Exercise<ExtraKey> = Exercise {
    about: About {
        id: "uk-ex3c",
        notebook: NOTEBOOK,
        language: Language::Uk,
        difficulty: 3,
        minutes: 20,
        title: Text(
            "Raktas, perimantis pusę svorio",
            "Ключ, що забирає половину ваги",
            "A key that takes half the weight",
        ),
        prompt: Text(
            "Užklausa ir raktai lieka tokie, kokie yra. Grąžinkite dar vieną raktą, kurį pridėjus kiekvieno \
             ankstesnio rakto svoris sumažėja lygiai perpus. Įvertinimas – q·k/√d, užklausa nenulinė.",
            "Запит і ключі лишаються такими, як є. Поверніть ще один ключ, після додавання якого вага кожного з \
             попередніх ключів зменшиться рівно вдвічі. Оцінка – q·k/√d, запит ненульовий.",
            "The query and the keys stay as they are. Return one more key, with which the weight of each former key \
             falls to exactly a half. The score is q·k/√d, and the query is not zero.",
        ),
        hints: [
            Text(
                "Kiekvienas svoris yra trupmena. Skaitiklis nesikeičia – kiek kartų turi padidėti vardiklis?",
                "Кожна вага – дріб. Чисельник не змінюється; у скільки разів має зрости знаменник?",
                "Each weight is a fraction. Its numerator stays; how many times must the denominator grow?",
            ),
            Text(
                "exp(s_naujas) = Σⱼ exp(sⱼ), taigi s_naujas = ln Σⱼ exp(sⱼ). Raktas k = t·q, kai t·(q·q)/√d = \
                 s_naujas.",
                "exp(s_новий) = Σⱼ exp(sⱼ), тож s_новий = ln Σⱼ exp(sⱼ). Ключ k = t·q, де t·(q·q)/√d = s_новий.",
                "exp(s_new) = Σⱼ exp(sⱼ), so s_new = ln Σⱼ exp(sⱼ). The key is k = t·q with t·(q·q)/√d = s_new.",
            ),
            Text::code(
                "let scale = (query.len() as f64).sqrt();\nlet total: f64 = (keys.dot(query) / \
                 scale).mapv(f64::exp).sum();\nquery * (total.ln() * … / query.dot(query))",
            ),
        ],
        next: Text(
            "Tokių raktų yra ištisa hiperplokštuma. Kuo jie skiriasi, jei šiai užklausai visi jie vienodi?",
            "Таких ключів ціла гіперплощина. Чим вони відрізняються, якщо для цього запиту всі однакові?",
            "There is a whole hyperplane of such keys. How do they differ, if they are all the same to this query?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Raktas turi būti tokio pat ilgio kaip užklausa ir sudarytas iš baigtinių skaičių.",
                "Ключ має бути тієї самої вимірності, що й запит, і складатися зі скінченних чисел.",
                "The key must be as long as the query and consist of finite numbers.",
            ),
            holds: |extra| {
                scenes().iter().try_for_each(|(query, keys)| {
                    let key = extra(query, keys);
                    let fit = key.len() == query.len() && key.iter().all(|entry| entry.is_finite());
                    unless(fit, told(query, keys), format!("k = {key:.4}"), format!("d = {}", query.len()))
                })
            },
        },
        Property {
            says: Text(
                "Pridėjus raktą, kiekvieno ankstesnio rakto svoris turi sumažėti lygiai perpus.",
                "Після додавання ключа вага кожного з попередніх має стати рівно вдвічі меншою.",
                "With the key added, the weight of each former key must be exactly half of what it was.",
            ),
            holds: |extra| {
                scenes().iter().try_for_each(|(query, keys)| {
                    let (before, after) = (weights(query, keys, None), weights(query, keys, Some(&extra(query, keys))));
                    let halved = before.iter().zip(&after).all(|(before, after)| (2.0 * after - before).abs() < 1e-6);
                    unless(
                        halved,
                        told(query, keys),
                        format!("α = {after:.4}"),
                        format!("α = {:.4}, 0.5", &before / 2.0),
                    )
                })
            },
        },
    ],
    fingerprint: |extra| flat(scenes().iter().map(|(query, keys)| extra(query, keys))),
    misconceptions: &[
        Misconception {
            answer: |query, _| Array1::zeros(query.len()),
            says: Text(
                "nulinio rakto įvertinimas yra 0, o jo eksponentė – 1, ne 0: svorį jis gauna, bet nebūtinai pusę",
                "оцінка нульового ключа – 0, а його експонента – 1, а не 0: вагу він отримує, але не конче половину",
                "a zero key scores 0 and its exponential is 1, not 0: it takes a share, but not just half",
            ),
        },
        Misconception {
            answer: |_, keys| keys.row(0).to_owned(),
            says: Text(
                "rakto kopija perpus sumažintų svorį tik tada, jei daugiau raktų nebūtų",
                "копія ключа зменшила б вагу вдвічі лише тоді, коли інших ключів немає",
                "a copy of a key would halve the weight only if there were no other keys",
            ),
        },
        Misconception {
            answer: |query, _| query.clone(),
            says: Text(
                "raktas nukreiptas teisingai, bet jo ilgis dar turi priklausyti nuo visų kitų raktų",
                "напрямок ключа правильний, але його довжина має залежати від усіх інших ключів",
                "the key points the right way, but its length has to depend on all other keys",
            ),
        },
        Misconception {
            answer: |query, keys| along(query, total(query, keys).ln() / (query.len() as f64).sqrt()),
            says: Text(
                "pamiršta, kad ir naujojo rakto įvertinimas dalijamas iš √d",
                "забуто, що оцінка нового ключа теж ділиться на √d",
                "it is forgotten that the new key's score is divided by √d as well",
            ),
        },
        Misconception {
            answer: |query, keys| along(query, total(query, keys)),
            says: Text(
                "įvertinimas prilygintas eksponenčių sumai, o jai turi būti lygi jo eksponentė: trūksta logaritmo",
                "оцінку прирівняно до суми експонент, а їй має дорівнювати експонента оцінки: бракує логарифма",
                "the score was set to the sum of exponentials, which its exponential should equal: a logarithm is \
                 missing",
            ),
        },
        Misconception {
            answer: |query, keys| along(query, (keys.nrows() as f64).ln()),
            says: Text(
                "ln m tiktų tik tada, jei visų raktų įvertinimai būtų nuliniai",
                "ln m підійшов би лише тоді, коли оцінки всіх ключів нульові",
                "ln m would fit only if every key scored zero",
            ),
        },
    ],
    #[cfg(feature = "rehearsal")]
    stub: |_, _| todo!(),
    #[cfg(feature = "rehearsal")]
    solutions: &[
        |query, keys| along(query, total(query, keys).ln()),
        |query, keys| {
            let scores = keys.dot(query) / (query.len() as f64).sqrt();
            let largest = scores.fold(f64::NEG_INFINITY, |a, &b| a.max(b));
            along(query, largest + scores.mapv(|score| (score - largest).exp()).sum().ln())
        },
        |query, keys| {
            // Along the query's largest coordinate alone: another point of the hyperplane.
            let largest = crate::attention::top_k(&query.mapv(f64::abs), 1)[0].0;
            let mut key = Array1::zeros(query.len());
            key[largest] = total(query, keys).ln() * (query.len() as f64).sqrt() / query[largest];
            key
        },
    ],
};

/// A query and keys: several sizes, none of them with a key that happens to halve.
fn scenes() -> Vec<(Array1<f64>, Array2<f64>)> {
    let random = [(1, 3, 2), (2, 4, 3), (3, 1, 5), (4, 6, 9)].map(|(seed, m, d)| {
        let mut generator = seeded(seed);
        let query: Array1<f64> = normal(d, &mut generator);
        let keys: Array2<f64> = normal((m, d), &mut generator);
        (query, keys)
    });
    [(array![0.0, 3.0, 0.0], array![[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.8]])]
        .into_iter()
        .chain(random)
        .collect()
}

fn told(query: &Array1<f64>, keys: &Array2<f64>) -> String {
    format!("q = {query:.3}, K = {}", shown(keys))
}

/// Weights of the keys and, after them, of one more.
fn weights(query: &Array1<f64>, keys: &Array2<f64>, extra: Option<&Array1<f64>>) -> Array1<f64> {
    let scale = (query.len() as f64).sqrt();
    let scores = keys.outer_iter().map(|key| key.dot(query)).chain(extra.map(|key| key.dot(query)));
    softmax(&scores.map(|score| score / scale).collect::<Array1<f64>>())
}

/// Σ exp(q·k / √d) over the keys.
fn total(query: &Array1<f64>, keys: &Array2<f64>) -> f64 {
    each(&keys.dot(query), &|score| (score / (query.len() as f64).sqrt()).exp()).sum()
}

/// The key along the query that scores `score`.
fn along(query: &Array1<f64>, score: f64) -> Array1<f64> {
    let factor = score * (query.len() as f64).sqrt() / query.dot(query);
    each(query, &|x| x * factor)
}
