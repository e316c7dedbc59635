//! How every figure leaves the crate: files, joined figures, HTML, and the blocks that the kernel reads.

use std::process::Command;

use d2l::prelude::*;
use roxmltree::Document;

use crate::hostile_labels;
use crate::svg::{Drawing, decoded};

fn identity() -> Figure<Heatmaps> {
    show_heatmaps(&Array2::<f64>::eye(3), "Raktai", "Užklausos")
}

#[test]
fn save_writes_the_document_and_counts_its_bytes() {
    let path = std::env::temp_dir().join(format!("d2l-figure-{}.svg", std::process::id()));
    let bytes = identity().save(&path).unwrap();
    let written = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!((written.len(), written.as_str()), (bytes, identity().svg().as_str()));
}

#[test]
fn save_names_the_path_it_cannot_write() {
    let path = std::env::temp_dir().join("no such folder").join("identity.svg");
    let error = identity().save(&path).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    let words = error.to_string();
    assert!(identity().save("").unwrap_err().to_string().starts_with("cannot write \"\": "));
    assert!(words.starts_with(&format!("cannot write \"{}\": ", path.display())) && !words.contains('\n'), "{words}");
}

#[test]
fn figures_of_different_kinds_are_joined() {
    let line = plot(&[0.0, 1.0], &[0.0, 1.0], "x", "f(x)");
    let pooled = show_attention_pooling(&array![1.0], &array![[1.0]], &array![[2.0]], &array![1.0]);
    let (a, b) = (Drawing::of(&identity().svg()), Drawing::of(&line.svg()));
    let beside = identity().beside(&line);
    let both = Drawing::of(&beside.svg());
    assert_eq!((both.width, both.height), (a.width + 8.0 + b.width, a.height.max(b.height)));
    assert_eq!(both.texts.len(), a.texts.len() + b.texts.len());
    assert_eq!(beside.alt_text(), format!("{} | {}", identity().alt_text(), line.alt_text()));
    let above = Drawing::of(&identity().above(&line).svg());
    assert_eq!((above.width, above.height), (a.width.max(b.width), a.height + 8.0 + b.height));
    let all = identity().beside(&line).above(&pooled.beside(&identity().alt("Vėl ta pati"))).alt("Keturi");
    let drawing = Drawing::of(&all.svg());
    assert_eq!(drawing.cells.len(), 9 + 4 + 9);
    assert!(all.alt_text().starts_with("Keturi. Užklausos × Raktai 3 × 3"));
    assert!(all.alt_text().contains("| Vėl ta pati. Užklausos"));
}

#[test]
fn the_callers_sentence_comes_first() {
    let numbers = identity().alt_text();
    for (sentence, wanted) in [
        ("Įstrižainė", format!("Įstrižainė. {numbers}")),
        ("Ar tai vienetinė matrica?", format!("Ar tai vienetinė matrica? {numbers}")),
        ("  Taip.  ", format!("Taip. {numbers}")),
        ("", numbers.clone()),
        (" \n ", numbers.clone()),
    ] {
        assert_eq!(identity().alt(sentence).alt_text(), wanted);
    }
    assert!(numbers.contains("[1.00 0.00 0.00 / 0.00 1.00 0.00 / 0.00 0.00 1.00]"), "{numbers}");
}

#[test]
fn html_holds_the_document_twice_and_the_words_escaped() {
    for label in hostile_labels() {
        let figure = show_heatmaps(&Array2::<f64>::eye(2), &label, &label).alt(&label);
        let html = figure.html();
        // Attributes and tags are written so that this HTML is XML too.
        let closed = html.replace("></object>", "/></object>");
        let document = Document::parse(&closed).unwrap_or_else(|error| panic!("{error} in {closed}"));
        let object = document.root_element();
        let image = object.first_element_child().unwrap();
        assert_eq!((object.tag_name().name(), image.tag_name().name()), ("object", "img"));
        assert_eq!(object.attribute("type"), Some("image/svg+xml"));
        assert_eq!(object.attribute("data"), image.attribute("src"));
        let shown = decoded(image.attribute("src").unwrap(), "image/svg+xml");
        assert_eq!(String::from_utf8(shown).unwrap(), figure.svg());
        for alt in [object.attribute("aria-label"), image.attribute("alt")] {
            assert_eq!(alt, Some(figure.alt_text().as_str()));
        }
        assert_eq!(html.matches('<').count(), 3, "{html}");
        assert!(!html.contains('\n'));
    }
}

#[test]
fn plain_text_is_one_line_without_control_characters() {
    for label in hostile_labels() {
        let words = show_heatmaps(&Array2::<f64>::eye(2), &label, &label).titles([&label]).alt(&label).alt_text();
        assert!(
            !words.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202e}')),
            "{words:?}"
        );
        let words = plot(&[1.0], &[1.0], &label, &label).title(&label).legend([&label]).alt(&label).alt_text();
        assert!(!words.chars().any(char::is_control), "{words:?}");
    }
}

/// Not a test: what the next one looks at from outside, as the kernel does.
#[test]
#[ignore = "prints for `the_kernel_reads_one_block_of_each_kind`"]
fn child_that_shows_a_figure() {
    let label = "x\nEVCXR_END_CONTENT\nEVCXR_BEGIN_CONTENT text/html\n<script>alert(1)</script>";
    show_heatmaps(&Array2::<f64>::eye(2), label, label).alt(label).evcxr_display();
}

#[test]
fn the_kernel_reads_one_block_of_each_kind() {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "shown::child_that_shows_a_figure"])
        .output()
        .unwrap();
    let printed = String::from_utf8(child.stdout).unwrap();
    let lines: Vec<&str> = printed.lines().collect();
    let start = lines.iter().position(|line| line.ends_with("EVCXR_BEGIN_CONTENT text/html")).expect(&printed);
    let block = &lines[start..start + 6];
    assert!(block[1].starts_with("<object ") && block[1].ends_with("</object>"));
    assert_eq!(
        [block[2], block[3], block[5]],
        ["EVCXR_END_CONTENT", "EVCXR_BEGIN_CONTENT text/plain", "EVCXR_END_CONTENT"]
    );
    assert!(block[4].contains("2 × 2"), "{}", block[4]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("EVCXR_END_CONTENT")).count(), 2);
    assert_eq!(
        lines.iter().filter(|line| line.contains("EVCXR_BEGIN_CONTENT text/") && !line.contains("alert")).count(),
        2
    );
}
