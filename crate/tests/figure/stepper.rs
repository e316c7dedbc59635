//! `stepper`: buttons without script and without ids, and figures that are there even where the style sheet is not.

use d2l::prelude::*;
use roxmltree::Document;

use crate::svg::{Drawing, decoded};
use crate::{hostile_labels, refused};

fn weights(scale: f64) -> Figure<Heatmaps> {
    show_heatmaps(&softmax(&array![[0.0, scale, 2.0 * scale]]), "Ключі", "Запити")
}

fn three() -> Figure<Stepper> {
    stepper([("× 0.1", weights(0.1)), ("× 1", weights(1.0))]).step("X", &show_matrix(&array![[1, 2]], "X"))
}

/// The HTML as XML: an image's tag is the only one that is not closed.
fn parsed(html: &str) -> String {
    html.replace("></object>", "/></object>")
}

#[test]
fn each_figure_follows_its_button_and_only_the_first_is_chosen() {
    let html = parsed(&three().alt("Три масштаби").html());
    let document = Document::parse(&html).unwrap_or_else(|error| panic!("{error} in {html}"));
    let form = document.root_element();
    assert_eq!((form.tag_name().name(), form.attribute("method")), ("form", Some("dialog")));
    assert_eq!(form.attribute("aria-label"), Some("Три масштаби"));
    let children: Vec<_> = form.children().filter(|node| node.is_element()).collect();
    let names: Vec<&str> = children.iter().map(|node| node.tag_name().name()).collect();
    assert_eq!(names, ["style", "label", "div", "label", "div", "label", "div"]);
    let (mut labels, mut checked, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for pair in children[1..].chunks(2) {
        let input = pair[0].children().find(|node| node.has_tag_name("input")).unwrap();
        assert_eq!((input.attribute("type"), input.attribute("name")), (Some("radio"), Some("d2l-step")));
        assert_eq!(input.attribute("data-lm-suppress-shortcuts"), Some("true"), "the arrow keys are the buttons' own");
        checked.push(input.attribute("checked").is_some());
        labels.push(pair[0].descendants().filter_map(|node| node.text()).collect::<String>().trim().to_owned());
        let object = pair[1].first_element_child().unwrap();
        assert!(object.attribute("aria-label").is_some_and(|alt| !alt.is_empty()));
        let svg = String::from_utf8(decoded(object.attribute("data").unwrap(), "image/svg+xml")).unwrap();
        let drawing = Drawing::of(&svg);
        sizes.push((drawing.width, drawing.height));
    }
    assert_eq!(
        (labels, checked),
        (vec!["× 0.1".to_owned(), "× 1".to_owned(), "X".to_owned()], vec![true, false, false])
    );
    assert!(sizes.iter().all(|size| *size == sizes[0]), "the page must not jump: {sizes:?}");
}

#[test]
fn nothing_in_it_needs_to_be_unique_on_its_page() {
    let html = three().html();
    assert!(!html.contains(" id=") && !html.contains(" for=") && !html.contains("<script") && !html.contains(" on"));
    assert_eq!(html, three().html(), "the same on every run");
    // Every rule of the style sheet is about steppers alone, and of these about such that can be used: one whose buttons
    // are disabled shows all its figures, whatever else is on the page.
    let style = &html[html.find("<style>").unwrap() + 7..html.find("</style>").unwrap()];
    let rules = style.strip_prefix("@supports selector(:has(*)){").unwrap().strip_suffix('}').unwrap();
    for rule in rules.split_inclusive('}') {
        assert!(rule.starts_with(".d2l-stepper:has(:enabled)"), "{rule}");
    }
}

#[test]
fn as_a_picture_it_is_all_figures_with_their_labels() {
    let figure = three();
    let drawing = Drawing::of(&figure.svg());
    let parts = [Drawing::of(&weights(0.1).svg()), Drawing::of(&weights(1.0).svg())];
    assert_eq!(drawing.cells.len(), 3 + 3 + 2);
    assert!(drawing.height > parts.iter().map(|part| part.height).sum::<f64>());
    assert!(drawing.text("× 0.1").y < drawing.cells[0].area.y);
    let second = drawing.text("× 1").y;
    assert!(second > drawing.cells[0].area.y && second < drawing.cells[3].area.y);
    let told = figure.alt_text();
    let parts: Vec<&str> = told.split(" | ").collect();
    assert_eq!(parts.len(), 3);
    assert_eq!(parts[1], format!("× 1: {}", weights(1.0).alt_text()));
    assert!(figure.beside(&weights(1.0)).alt_text().starts_with("× 0.1: "));
}

#[test]
fn hostile_labels_stay_words() {
    for label in hostile_labels() {
        let figure = stepper([(&label, weights(1.0)), (&label, weights(2.0))]).alt(&label);
        let html = parsed(&figure.html());
        let document = Document::parse(&html).unwrap_or_else(|error| panic!("{error} in {html}"));
        let names: Vec<&str> =
            document.descendants().filter(|node| node.is_element()).map(|node| node.tag_name().name()).collect();
        assert_eq!(names.iter().filter(|name| **name == "label").count(), 2);
        assert!(names.iter().all(|name| ["form", "style", "label", "input", "div", "object", "img"].contains(name)));
        assert!(!html.contains('\n'), "one line: words cannot end the block that the kernel reads");
        Drawing::of(&figure.svg());
    }
}

#[test]
fn mistakes_are_named_in_one_line() {
    let none = refused(|| drop(stepper(Vec::<(&str, Figure<Heatmaps>)>::new())));
    let many = refused(|| drop(stepper(vec![("a", weights(1.0)); 24]).step("b", &weights(1.0))));
    assert_eq!(none, "a stepper has 1 to 24 figures, not 0");
    assert_eq!(many, "a stepper has 1 to 24 figures, not 25");
}
