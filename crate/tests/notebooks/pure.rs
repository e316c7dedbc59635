//! Proves the parts of the runner that need no kernel.

use libtest_mimic::Trial;
use nbformat::v4::{MultilineString, Output};
use serde_json::{Value, json};

use crate::{compare::difference, document::Document, lab::refuse_unexecuted, ports, setup};

pub fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 9] = [
        ("the-form-of-a-stream-is-no-difference", form_of_a_stream),
        ("a-difference-inside-a-letter-is-shown-whole", difference_inside_a_letter),
        ("lines-split-as-jupyter-splits-them", lines_split),
        ("writing-clears-what-is-stale", stale_outputs),
        ("what-is-no-json-is-refused", no_json),
        ("cells-without-an-id-are-refused", cells_without_id),
        ("a-missing-kernel-specification-is-named", missing_kernelspec),
        ("a-command-can-be-pasted-whatever-the-name", pasted_command),
        ("no-two-kernels-get-one-port", ports_once),
    ];
    tests
        .into_iter()
        .map(|(name, test)| {
            Trial::test(format!("runner::{name}"), move || {
                test();
                Ok(())
            })
        })
        .collect()
}

fn stream(name: &str, text: &str) -> Output {
    Output::Stream { name: name.into(), text: MultilineString(text.into()) }
}

fn form_of_a_stream() {
    let committed = [stream("stdout", "a\n"), stream("stderr", "x\n"), stream("stdout", "b\n")];
    let new = [stream("stdout", "a\nb"), stream("stderr", "x")];
    assert_eq!(difference(&committed, &new, false), None);
    assert_ne!(difference(&committed, &new[..1], false), None);
}

fn ports_once() {
    let mut ports: Vec<_> = (0..8).flat_map(|_| ports::choose().expect("free ports")).collect();
    ports.sort_unstable();
    ports.dedup();
    assert_eq!(ports.len(), 40);
}

fn pasted_command() {
    let unexecuted = json!([{ "cell_type": "code", "id": "one", "metadata": {}, "source": "1", "outputs": [], "execution_count": null }]);
    let notebook = Document::parse(&notebook(unexecuted), "lt/it's a.ipynb").expect("a notebook");
    let refused = refuse_unexecuted(&notebook).expect_err("it is not executed");
    assert!(refused.ends_with("--write 'lt/it'\\''s a.ipynb'`"), "{refused}");
}

fn difference_inside_a_letter() {
    // „ė“ and „ę“ share their first byte.
    let found = difference(&[stream("stdout", "dėmesys")], &[stream("stdout", "dęmesys")], false);
    let found = found.expect("the texts differ");
    assert!(found.contains("line 1, byte 1\n") && found.contains("dėmesys") && found.contains("dęmesys"), "{found}");
}

fn notebook(cells: Value) -> String {
    json!({ "cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5 }).to_string()
}

fn lines_split() {
    let source = "a\r\nb\rc\u{2028}d\n";
    let text = notebook(json!([{ "cell_type": "markdown", "id": "one", "metadata": {}, "source": source }]));
    let written = Document::parse(&text, "lines").expect("a notebook").to_text();
    let written: Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(written["cells"][0]["source"], json!(["a\r\n", "b\r", "c\u{2028}", "d\n"]));
}

fn no_json() {
    let refusal = Document::parse("{\n \"cells\": [\n  {,\n", "torn.ipynb").err().expect("a refusal");
    assert!(refusal.contains("torn.ipynb is not valid JSON") && refusal.contains("line 3"), "{refusal}");
}

fn stale_outputs() {
    let text = notebook(json!([
        { "cell_type": "code", "execution_count": 9, "id": "blank", "metadata": {}, "source": [" \n"],
          "outputs": [{ "name": "stdout", "output_type": "stream", "text": ["old\n"] }] },
        { "cell_type": "code", "execution_count": null, "id": "two", "outputs": [], "source": ["1"],
          "metadata": { "execution": { "iopub.status.idle": "2025-01-01" }, "tags": ["lt-01"] } },
    ]));
    let mut document = Document::parse(&text, "stale").expect("a notebook");
    document.fill(&[vec![stream("stdout", "ė\n")]]);
    let expected = r#"{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "blank",
   "metadata": {},
   "outputs": [],
   "source": [
    " \n"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "two",
   "metadata": {
    "tags": [
     "lt-01"
    ]
   },
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "ė\n"
     ]
    }
   ],
   "source": [
    "1"
   ]
  }
 ],"#;
    assert!(document.to_text().starts_with(expected), "{}", document.to_text());
}

fn cells_without_id() {
    let text = notebook(json!([{ "cell_type": "markdown", "metadata": {}, "source": [] }]));
    let refusal = Document::parse(&text, "plain.ipynb").err().expect("a refusal");
    assert!(refusal.contains("plain.ipynb has cells without an id"), "{refusal}");
}

fn missing_kernelspec() {
    let refusal = setup::read("absent/kernel.json".as_ref()).expect_err("a refusal");
    assert!(refusal.contains("cannot read the kernel specification absent/kernel.json"), "{refusal}");
}
