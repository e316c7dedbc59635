//! How many matrices and vectors a model has.

use super::NOTEBOOK;
use crate::exercise::entry::{About, Counterexample, Exercise, Misconception, Property};
use crate::exercise::numbers::unless;
use crate::exercise::text::{Language, Text};

/// From the numbers of tokens, of heads in a block and of blocks to four counts: learned query, key and value maps,
/// output maps, query vectors in one block, weight matrices of one pass.
pub type Counts = fn(usize, usize, usize) -> [usize; 4];

pub(in crate::exercise) static COUNTS: Exercise<Counts> = Exercise {
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
                "Кожна голова за один прохід обчислює одну матрицю A, хоч би скільки токенів було в реченні.",
                "Every head computes one matrix A a pass, however many tokens there are.",
            ),
            holds: |counts| counted(counts, 3),
        },
    ],
    fingerprint: |counts| {
        let mut numbers = Vec::new();
        for (n, h, blocks) in MODELS {
            numbers.extend(counts(n, h, blocks).map(|count| count as f64));
        }
        numbers
    },
    misconceptions: &[
        Misconception {
            answer: |n, h, blocks| [3 * blocks, blocks, n * h, blocks * h],
            says: Text(
                "projekcijos suskaičiuotos blokams, bet kiekviena bloko galva turi savo tris",
                "проєкції полічено за блоками, але кожна голова блоку має власні три",
                "the projections were counted by blocks, but each head of a block has its own three",
            ),
        },
        Misconception {
            answer: |n, h, blocks| [3 * blocks * h * n, blocks, n * h, blocks * h],
            says: Text(
                "kad ir kiek teksto vienetų būtų, matricų nedaugėja: ta pati matrica veikia kiekvieną eilutę",
                "хоч би скільки було токенів, матриць не більшає: та сама матриця діє на кожен рядок",
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
    #[cfg(feature = "rehearsal")]
    stub: |_, _, _| todo!(),
    #[cfg(feature = "rehearsal")]
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
