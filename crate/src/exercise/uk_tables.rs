//! Exercises on tables, counts and the three roles.

use ndarray::{Array1, Array2, array};

use super::Counterexample;
use super::entry::{About, Exercise, Misconception, Property};
use super::numbers::{flat, shown, unless};
use super::text::{Language, Text};
use crate::attention::{Mask, attention, softmax, top_k};
use crate::random::{normal, seeded};

const NOTEBOOK: &str = "uk/3-tablytsi.ipynb";

/// From the numbers of tokens, of heads in a block and of blocks to four counts: learned query, key and value maps,
/// output maps, query vectors in one block, weight matrices of one pass.
pub type Counts = fn(usize, usize, usize) -> [usize; 4];
/// A query map and a value map of the two-axis space (2 x 2 each).
pub type QueryAndValueMaps = fn() -> (Array2<f64>, Array2<f64>);
/// From a query (d) and keys (m x d) to one more key (d).
pub type ExtraKey = fn(&Array1<f64>, &Array2<f64>) -> Array1<f64>;

pub(super) static COUNTS: Exercise<Counts> = Exercise {
    about: About {
        id: "uk-ex3a",
        notebook: NOTEBOOK,
        language: Language::Uk,
        difficulty: 1,
        minutes: 10,
        title: Text("Kiek ko yra modelyje", "Скільки чого є в моделі", "How many of each a model has"),
        prompt: Text(
            "Modelis turi N blokų, kiekviename – h galvų, o sakinyje – n teksto vienetų. Grąžinkite keturis skaičius: \
             kiek visame modelyje išmokstamų Q, K ir V projekcijų matricų; kiek išvesties projekcijų; kiek užklausų \
             vektorių viename bloke; kiek svorių matricų A per vieną perėjimą.",
            "Модель має N блоків, у кожному h голів, а в реченні n токенів. Поверніть чотири числа: скільки в усій \
             моделі навчених матриць проєкцій Q, K і V; скільки вихідних проєкцій; скільки векторів запиту в одному \
             блоці; скільки матриць ваг A за один прохід.",
            "A model has N blocks of h heads each, and a sentence has n tokens. Return four numbers: learned \
             projection matrices for Q, K and V in the whole model; output projections; query vectors in one block; \
             weight matrices A in one pass.",
        ),
        hints: [
            Text(
                "Kas priklauso nuo sakinio, o kas – tik nuo modelio sandaros?",
                "Що залежить від речення, а що – лише від будови моделі?",
                "What depends on the sentence, and what only on how the model is built?",
            ),
            Text(
                "Kiekviena galva turi tris savo matricas ir vieną A, o kiekvienas blokas – vieną Wo.",
                "Кожна голова має три власні матриці й одну A, а кожен блок – одну Wo.",
                "Each head has three matrices of its own and one A; each block has one Wo.",
            ),
            Text::code("[3 * blocks * …, blocks, tokens * …, blocks * …]"),
        ],
        next: Text(
            "Sakinys pailgėjo dvigubai. Kuris iš keturių skaičių padidėjo ir kiek kartų išaugo kiekviena matrica A?",
            "Речення стало вдвічі довшим. Яке з чотирьох чисел зросло і в скільки разів збільшилася кожна матриця A?",
            "The sentence is twice as long now. Which of the four numbers grew, and how many times larger is each A?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Kiekviena galva kiekviename bloke turi tris savo projekcijas.",
                "Кожна голова в кожному блоці має три власні проєкції.",
                "Every head of every block has three projections of its own.",
            ),
            holds: |counts| counted(counts, 0),
        },
        Property {
            says: Text(
                "Išvesties projekcija – viena visoms bloko galvoms.",
                "Вихідна проєкція одна на всі голови блоку.",
                "All heads of a block share one output projection.",
            ),
            holds: |counts| counted(counts, 1),
        },
        Property {
            says: Text(
                "Kiekvienoje bloko galvoje kiekvienas teksto vienetas turi vieną užklausą.",
                "У кожній голові блоку кожен токен має один запит.",
                "In every head of the block, every token has one query.",
            ),
            holds: |counts| counted(counts, 2),
        },
        Property {
            says: Text(
                "Kiekviena galva per vieną perėjimą apskaičiuoja vieną matricą A, kad ir kiek teksto vienetų būtų \
                 sakinyje.",
                "Кожна голова за один прохід обчислює одну матрицю A, хоч скільки токенів у реченні.",
                "Every head computes one matrix A a pass, however many tokens there are.",
            ),
            holds: |counts| counted(counts, 3),
        },
    ],
    fingerprint: |counts| MODELS.iter().flat_map(|&(n, h, blocks)| counts(n, h, blocks)).map(|c| c as f64).collect(),
    misconceptions: &[
        Misconception {
            answer: |n, h, blocks| [3 * blocks, blocks, n * h, blocks * h],
            says: Text(
                "projekcijos suskaičiuotos blokams, bet kiekviena bloko galva turi savo tris",
                "проєкції полічено на блоки, але кожна голова блоку має власні три",
                "the projections were counted by blocks, but each head of a block has its own three",
            ),
        },
        Misconception {
            answer: |n, h, blocks| [3 * blocks * h * n, blocks, n * h, blocks * h],
            says: Text(
                "kad ir kiek teksto vienetų būtų, matricų nedaugėja: ta pati matrica veikia kiekvieną eilutę",
                "матриць не більшає з кількістю токенів: та сама матриця діє на кожен рядок",
                "matrices do not multiply with tokens: the same matrix acts on every row",
            ),
        },
        Misconception {
            answer: |n, h, blocks| [3 * blocks * h, blocks * h, n * h, blocks * h],
            says: Text(
                "Wo veikia sujungtus visų galvų mišinius, todėl bloke ji viena",
                "Wo діє на з'єднані суміші всіх голів, тому в блоці вона одна",
                "Wo acts on the joined mixtures of all heads, so a block has one",
            ),
        },
        Misconception {
            answer: |n, h, blocks| [3 * blocks * h, blocks, n, blocks * h],
            says: Text(
                "teksto vienetas turi ne vieną užklausą, o po vieną kiekvienoje galvoje",
                "токен має не один запит, а по одному в кожній голові",
                "a token has not one query but one in every head",
            ),
        },
        Misconception {
            answer: |n, h, blocks| [3 * blocks * h, blocks, n * h, blocks * h * n],
            says: Text(
                "A turi po eilutę kiekvienam teksto vienetui: matricų yra tiek, kiek galvų, o ne kiek teksto vienetų",
                "A має по рядку на кожен токен: матриць стільки, скільки голів, а не токенів",
                "A has a row for every token: there are as many matrices as heads, not tokens",
            ),
        },
        Misconception {
            answer: |n, h, _| [3 * h, 1, n * h, h],
            says: Text(
                "suskaičiuotas vienas blokas, o kiekvienas blokas turi savo matricas",
                "полічено один блок, але кожен блок має власні матриці",
                "only one block was counted, but every block has matrices of its own",
            ),
        },
    ],
    stub: |_, _, _| todo!(),
    solutions: &[
        |n, h, blocks| [3 * blocks * h, blocks, n * h, blocks * h],
        |n, h, blocks| {
            let mut counts = [0; 4];
            for _ in 0..blocks {
                counts[1] += 1;
                for _ in 0..h {
                    counts[0] += 3;
                    counts[3] += 1;
                }
            }
            counts[2] = (0..h).map(|_| n).sum();
            counts
        },
        |n, h, blocks| {
            let heads = vec![vec!["q", "k", "v"]; blocks * h];
            [heads.concat().len(), blocks, vec![0; n].len() * h, heads.len()]
        },
    ],
};

/// Tokens, heads and blocks: the notebook's, a block of one head, that of a small language model, and others.
const MODELS: [(usize, usize, usize); 5] = [(3, 2, 4), (5, 1, 1), (10, 12, 12), (7, 8, 6), (1, 4, 2)];

fn counted(counts: Counts, which: usize) -> Result<(), Counterexample> {
    MODELS.into_iter().try_for_each(|(n, h, blocks)| {
        let wanted = [3 * blocks * h, blocks, n * h, blocks * h][which];
        let got = counts(n, h, blocks)[which];
        unless(got == wanted, format!("n = {n}, h = {h}, N = {blocks}"), got.to_string(), wanted.to_string())
    })
}

pub(super) static SAME_MIXTURE: Exercise<QueryAndValueMaps> = Exercise {
    about: About {
        id: "uk-ex3b",
        notebook: NOTEBOOK,
        language: Language::Uk,
        difficulty: 2,
        minutes: 15,
        title: Text("Kiti svoriai, tas pats mišinys", "Інші ваги, та сама суміш", "Other weights, the same mixture"),
        prompt: Text(
            "Sakinys – the, Eiffel, tower, Wk – vienetinė matrica. Kai Wq ir Wv irgi vienetinės, tower mišinys yra \
             [0,5035, 0,2483]. Grąžinkite kitą porą (Wq, Wv), su kuria tower svoriai kitokie, o mišinys – tas pats.",
            "Речення – the, Eiffel, tower, Wk – одинична матриця. Коли Wq і Wv теж одиничні, суміш tower дорівнює \
             [0,5035, 0,2483]. Поверніть іншу пару (Wq, Wv), за якої ваги tower інші, а суміш та сама.",
            "The sentence is the, Eiffel, tower, and Wk is the identity. With Wq and Wv identities as well, tower's \
             mixture is [0.5035, 0.2483]. Return another pair (Wq, Wv) with which tower has other weights but the \
             same mixture.",
        ),
        hints: [
            Text(
                "Vektorius the nulinis, todėl ir jo reikšmė nulinė. Mišinys dedamas tik iš Eiffel ir tower reikšmių.",
                "Вектор the нульовий, тому і його значення нульове. Суміш складається лише зі значень Eiffel і tower.",
                "The vector of the is zero, and so is its value. The mixture is made of Eiffel's and tower's values \
                 alone.",
            ),
            Text(
                "Eiffel reikšmė yra antroji Wv eilutė, tower – pirmoji: mišinys = a_E·Wv[1] + a_t·Wv[0].",
                "Значення Eiffel – другий рядок Wv, значення tower – перший: суміш = a_E·Wv[1] + a_t·Wv[0].",
                "Eiffel's value is the second row of Wv and tower's the first: mixture = a_E·Wv[1] + a_t·Wv[0].",
            ),
            Text::code("let swap = array![[0.0, 1.0], [1.0, 0.0]];\n(swap.clone(), …)"),
        ],
        next: Text(
            "Ar iš šilumos žemėlapio būtų galima pasakyti, kad abi galvos surinko tą patį?",
            "Чи видно було б із теплової карти, що обидві голови зібрали те саме?",
            "Could one tell from the heatmaps that both heads gathered the same?",
        ),
    },
    properties: &[
        Property {
            says: Text(
                "Reikia dviejų 2 × 2 matricų iš baigtinių skaičių.",
                "Потрібні дві матриці 2 × 2 зі скінченних чисел.",
                "Two 2 × 2 matrices of finite numbers are wanted.",
            ),
            holds: |maps| {
                let (wq, wv) = maps();
                unless(
                    fit(&wq, &wv),
                    "d = d_k = d_v = 2".into(),
                    format!("Wq = {}, Wv = {}", shown(&wq), shown(&wv)),
                    "2 × 2, 2 × 2",
                )
            },
        },
        Property {
            says: Text(
                "tower svoriai turi aiškiai skirtis nuo ankstesnių.",
                "Ваги tower мають помітно відрізнятися від початкових.",
                "tower's weights must clearly differ from the former ones.",
            ),
            holds: |maps| {
                let ((wq, wv), old) = (maps(), plain());
                let (weights, _) = tower(&wq, &wv);
                unless(
                    far(&weights, &old.0),
                    format!("Wq = {}", shown(&wq)),
                    format!("α = {weights:.4}"),
                    format!("α ≠ {:.4}", old.0),
                )
            },
        },
        Property {
            says: Text(
                "tower mišinys turi likti toks pat.",
                "Суміш tower має лишитися такою самою.",
                "tower's mixture must stay the same.",
            ),
            holds: |maps| {
                let ((wq, wv), old) = (maps(), plain());
                let (_, mixture) = tower(&wq, &wv);
                let input = format!("Wq = {}, Wv = {}", shown(&wq), shown(&wv));
                unless(alike(&mixture, &old.1), input, format!("{mixture:.4}"), format!("{:.4}", old.1))
            },
        },
    ],
    // Not the entries but what they do: other weights, the same mixture, values left alone, values thrown away.
    fingerprint: |maps| {
        let (wq, wv) = maps();
        if !fit(&wq, &wv) {
            return flat([wq, wv]);
        }
        let (old, new) = (plain(), tower(&wq, &wv));
        let told = [
            far(&new.0, &old.0),
            alike(&new.1, &old.1),
            wv == Array2::<f64>::eye(2),
            wv == Array2::<f64>::zeros((2, 2)),
        ];
        told.map(f64::from).to_vec()
    },
    misconceptions: &[
        Misconception {
            answer: || (Array2::eye(2), Array2::eye(2)),
            says: Text(
                "tai ta pati galva: pakeiskite užklausas",
                "це та сама голова: змініть запити",
                "this is the same head: change the queries",
            ),
        },
        Misconception {
            answer: || (swap(), Array2::eye(2)),
            says: Text(
                "svoriai pasikeitė, o reikšmės ne, todėl pasikeitė ir mišinys",
                "ваги змінилися, а значення ні, тому змінилася й суміш",
                "the weights changed and the values did not, so the mixture changed as well",
            ),
        },
        Misconception {
            answer: || (Array2::eye(2), swap()),
            says: Text(
                "reikšmės svorių nekeičia: svorius nustato užklausos ir raktai",
                "значення ваг не змінюють: їх визначають запити й ключі",
                "values do not change the weights: queries and keys do",
            ),
        },
        Misconception {
            answer: || (swap(), Array2::zeros((2, 2))),
            says: Text(
                "nulinės reikšmės nieko neatneša: mišinys nulinis",
                "нульові значення нічого не приносять: суміш нульова",
                "zero values bring nothing: the mixture is zero",
            ),
        },
        Misconception {
            answer: || (5.0 * swap(), swap()),
            says: Text(
                "pakeitus svorius, reikia pritaikyti ir reikšmes: kiek kartų svoris padidėjo, tiek kartų reikšmę \
                 mažinkite",
                "до змінених ваг треба припасувати й значення: у скільки разів вага зросла, у стільки зменште \
                 значення",
                "the values have to follow the weights: as many times as a weight grew, make its value smaller",
            ),
        },
    ],
    stub: || todo!(),
    solutions: &[
        || (swap(), swap()),
        || {
            // Whatever the weights are, Eiffel's value alone makes up the mixture.
            let wq = array![[-1.0, 3.0], [0.0, 0.0]];
            let (weights, _) = tower(&wq, &swap());
            let value = plain().1 / weights[1];
            (wq, array![[0.0, 0.0], [value[0], value[1]]])
        },
        || (Array2::zeros((2, 2)), array![[3.0 * plain().1[0], 0.0], [0.0, 3.0 * plain().1[1]]]),
    ],
};

fn swap() -> Array2<f64> {
    array![[0.0, 1.0], [1.0, 0.0]]
}

fn fit(wq: &Array2<f64>, wv: &Array2<f64>) -> bool {
    [wq, wv].iter().all(|map| map.dim() == (2, 2) && map.iter().all(|entry| entry.is_finite()))
}

/// tower's weights and mixture with these query and value maps and identity keys.
fn tower(wq: &Array2<f64>, wv: &Array2<f64>) -> (Array1<f64>, Array1<f64>) {
    let x = array![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]];
    let (weights, mixture) = attention(&x, wq, &Array2::eye(2), wv, Mask::None);
    (weights.row(2).to_owned(), mixture.row(2).to_owned())
}

fn plain() -> (Array1<f64>, Array1<f64>) {
    tower(&Array2::eye(2), &Array2::eye(2))
}

fn far(a: &Array1<f64>, b: &Array1<f64>) -> bool {
    a.iter().zip(b).any(|(a, b)| (a - b).abs() > 0.01)
}

/// To the three decimals that a learner reads off the notebook's mixture.
fn alike(a: &Array1<f64>, b: &Array1<f64>) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3)
}

pub(super) static EXTRA_KEY: Exercise<ExtraKey> = Exercise {
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
    stub: |_, _| todo!(),
    solutions: &[
        |query, keys| along(query, total(query, keys).ln()),
        |query, keys| {
            let scores = keys.dot(query) / (query.len() as f64).sqrt();
            let largest = scores.fold(f64::NEG_INFINITY, |a, &b| a.max(b));
            along(query, largest + scores.mapv(|score| (score - largest).exp()).sum().ln())
        },
        |query, keys| {
            // Along the query's largest coordinate alone: another point of the hyperplane.
            let largest = top_k(&query.mapv(f64::abs), 1)[0].0;
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
    (keys.dot(query) / (query.len() as f64).sqrt()).mapv(f64::exp).sum()
}

/// The key along the query that scores `score`.
fn along(query: &Array1<f64>, score: f64) -> Array1<f64> {
    query * (score * (query.len() as f64).sqrt() / query.dot(query))
}
