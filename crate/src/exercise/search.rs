//! A small Lithuanian collection to search in: thirty texts, clicks to learn from and queries kept back.
//!
//! Texts become vectors by their letter trigrams, as in P.-S. Huang et al., *Learning deep structured semantic models for
//! web search using clickthrough data*, 2013: a Lithuanian word has many endings, and its forms share most trigrams.

use ndarray::{Array1, Array2, ArrayView1};

/// The texts, five on each of six subjects: cooking, weather, travel, health, sport and culture.
pub const DOCUMENTS: [&str; 30] = [
    "Šaltibarščiams reikia kefyro, burokėlių, agurko ir krapų, o patiekiame juos su karštomis bulvėmis.",
    "Cepelinus formuojame iš tarkuotų bulvių, o įdarui imame maltos kiaulienos.",
    "Ruginės duonos raugą dvi paras maitiname miltais ir vandeniu.",
    "Obuolių pyragą kepame keturiasdešimt minučių, kol jo viršus gražiai paruduoja.",
    "Džiovinti baravykai barščiams suteikia sodrų kvapą.",
    "Rytoj vakarinėje šalies dalyje numatomas stiprus vėjas, jo gūsiai sieks dvidešimt metrų per sekundę.",
    "Naktį termometro stulpelis nukris iki penkiolikos laipsnių žemiau nulio.",
    "Nuaidėjus perkūnijai, virš ežero nušvito vaivorykštė.",
    "Dėl rūko prastai matyti kelias, todėl vairuotojai raginami neskubėti.",
    "Sniego danga Aukštaitijoje jau pasiekė trisdešimt centimetrų.",
    "Autobusas iš stoties į oro uostą išvyksta kas dvidešimt minučių.",
    "Traukinys iš Vilniaus į Klaipėdą važiuoja apie keturias valandas.",
    "Dviračių takas palei Nerį veda iki pat senamiesčio.",
    "Vasarines padangas reikia pakeisti žieminėmis iki lapkričio dešimtosios.",
    "Paskutinis keltas į Smiltynę išplaukia po vidurnakčio.",
    "Peršalusiems patariama gerti daug šiltų skysčių ir ilsėtis.",
    "Skaudant galvai, dažnai padeda stiklinė vandens ir gurkšnis gryno oro.",
    "Kraujospūdį matuokite rytais, penkias minutes ramiai pasėdėję.",
    "Odontologai primena, kad dantis reikia valyti du kartus per dieną.",
    "Vakare venkite kavos ir ryškios telefono šviesos, tada lengviau užmigsite.",
    "Krepšinio rinktinė pergalę išplėšė paskutinę pratęsimo sekundę.",
    "Maratono dalyviai startuos aštuntą valandą Katedros aikštėje.",
    "Irkluotojai Galvės ežere iškovojo du aukso medalius.",
    "Plaukikė šimto metrų rungtyje pagerino šalies rekordą.",
    "Jaunieji šachmatininkai varžysis dėl čempiono taurės.",
    "Teatro premjera dėl aktoriaus ligos nukelta į kitą savaitę.",
    "Bibliotekoje vyks susitikimas su knygos apie partizanus autore.",
    "Dainų šventėje giedojo tūkstančiai dainininkų iš viso pasaulio.",
    "Muziejuje atidaryta Čiurlionio paveikslų paroda.",
    "Kino festivalį užbaigs lietuviška dokumentinė juosta.",
];

/// What was asked, and the text that the reader opened: the place of it in [`DOCUMENTS`].
pub const CLICKS: [(&str, usize); 30] = [
    ("rožinė vasaros sriuba", 0),
    ("sotus lietuviškas patiekalas pietums", 1),
    ("kaip namuose išsikepti kepalą", 2),
    ("saldus desertas prie arbatos", 3),
    ("miško gėrybės puode", 4),
    ("audra prie jūros", 5),
    ("ar laukia didelis speigas", 6),
    ("spalvota juosta danguje po lietaus", 7),
    ("migla ant kelio", 8),
    ("ar jau galima slidinėti", 9),
    ("kaip suspėti į skrydį", 10),
    ("geležinkelio bilietas prie jūros", 11),
    ("kur saugiai pasivažinėti su vaikais", 12),
    ("mašinos ratai prieš žiemą", 13),
    ("persikelti per marias", 14),
    ("sloga ir kosulys", 15),
    ("migrenos priepuolis", 16),
    ("širdies ligų profilaktika", 17),
    ("burnos higiena vaikams", 18),
    ("kamuoja nemiga", 19),
    ("lemiamas tritaškis", 20),
    ("ilgo nuotolio bėgimas mieste", 21),
    ("valčių lenktynės Trakuose", 22),
    ("greičiausia baseine", 23),
    ("proto mūšis prie lentos", 24),
    ("spektaklio bilietų grąžinimas", 25),
    ("vakaras su rašytoja", 26),
    ("chorų koncertas po atviru dangumi", 27),
    ("tapyba ir grafika", 28),
    ("ką žiūrėti dideliame ekrane", 29),
];

/// Queries that training does not see, and the text that answers each.
pub const HELD_OUT: [(&str, usize); 18] = [
    ("šalta sriuba karštai vasarai", 0),
    ("minkštas naminis kepalas", 2),
    ("desertas iš sodo gėrybių", 3),
    ("audros įspėjimas pajūriui", 5),
    ("speigo prognozė savaitgaliui", 6),
    ("tiršta migla anksti rytą", 8),
    ("ankstyvas skrydis į Romą", 10),
    ("kiek trunka kelionė geležinkeliu", 11),
    ("mašinos priežiūra šaltuoju metu", 13),
    ("vaikui prasidėjo sloga", 15),
    ("kaip stiprinti širdį", 17),
    ("nemigos priežastys", 19),
    ("tritaškių konkursas", 20),
    ("bėgimas sostinės gatvėmis", 21),
    ("valties nuoma", 22),
    ("spektaklis vaikams", 25),
    ("garsios rašytojos kūryba", 26),
    ("tapybos darbai", 28),
];

/// Length of a text's vector: trigrams are spread over so many places by a hash (FNV-1a, 64 bits).
const LENGTH: usize = 1024;

/// The vector of a text: how often each letter trigram occurs in it, scaled to length 1.
///
/// Words are taken without regard to case and punctuation, each with a space before and after it. A text without letters
/// gives zeros.
///
/// ```
/// use d2l::exercise::search::text_vector;
///
/// let alike = |a, b| text_vector(a).dot(&text_vector(b));
/// assert!(alike("knyga", "Knygos") > alike("knyga", "traukinys"));
/// ```
pub fn text_vector(text: &str) -> Array1<f64> {
    let mut counts = Array1::<f64>::zeros(LENGTH);
    let text = text.to_lowercase();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let letters: Vec<char> = [' '].into_iter().chain(word.chars()).chain([' ']).collect();
        for trigram in letters.windows(3) {
            counts[place(trigram)] += 1.0;
        }
    }
    let length = counts.dot(&counts).sqrt();
    if length > 0.0 { counts / length } else { counts }
}

fn place(trigram: &[char]) -> usize {
    let bytes = trigram.iter().flat_map(|&letter| u32::from(letter).to_le_bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash % LENGTH as u64) as usize
}

/// The vectors of texts, one a row.
pub fn text_vectors<'a>(texts: impl IntoIterator<Item = &'a str>) -> Array2<f64> {
    let rows: Vec<Array1<f64>> = texts.into_iter().map(text_vector).collect();
    Array2::from_shape_fn((rows.len(), LENGTH), |(row, place)| rows[row][place])
}

/// The mean of one over the place of each query's answer, 1 for the text with the largest score.
///
/// `scores` is queries x texts, and `answers` holds the text that answers each query.
///
/// # Panics
/// If there is not one answer for each query, or an answer is no text.
///
/// ```
/// use d2l::exercise::search::mean_reciprocal_rank;
/// use ndarray::array;
///
/// assert_eq!(mean_reciprocal_rank(&array![[0.9, 0.1], [0.8, 0.3]], &[0, 1]), (1.0 + 0.5) / 2.0);
/// ```
#[track_caller]
pub fn mean_reciprocal_rank(scores: &Array2<f64>, answers: &[usize]) -> f64 {
    assert!(
        scores.nrows() == answers.len(),
        "the scores are those of {} queries, but there are {} answers: give one for each",
        scores.nrows(),
        answers.len()
    );
    let place = |(row, &answer): (ArrayView1<f64>, &usize)| 1 + row.iter().filter(|&&s| s > row[answer]).count();
    scores.outer_iter().zip(answers).map(|pair| 1.0 / place(pair) as f64).sum::<f64>() / answers.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_has_its_text_and_none_is_both_learned_from_and_kept_back() {
        for (query, answer) in CLICKS.iter().chain(&HELD_OUT) {
            assert!(*answer < DOCUMENTS.len(), "{query}");
        }
        for (query, _) in HELD_OUT {
            assert!(CLICKS.iter().all(|(known, _)| *known != query), "{query}");
        }
    }

    #[test]
    fn vectors_have_length_one_unless_there_are_no_letters() {
        let vectors = text_vectors(DOCUMENTS);
        assert_eq!(vectors.dim(), (30, LENGTH));
        assert!(vectors.outer_iter().all(|vector| (vector.dot(&vector) - 1.0).abs() < 1e-12));
        assert_eq!(text_vector(" … "), Array1::<f64>::zeros(LENGTH));
    }
}
