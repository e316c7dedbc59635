//! Proves on the real kernel that an exercise's check speaks whatever the answer does, and that the kernel goes on.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use libtest_mimic::Trial;
use nbformat::v4::Output;

use crate::kernel::{Kernel, stream_text};
use crate::lab::Lab;
use crate::{kernel_trial, root};

/// By when a verdict must be there: a check gives up after eight seconds, and a busy machine compiles its cell slowly.
const VERDICT: Duration = Duration::from_secs(60);

/// The body of an answer to exercise 1c, and words of the verdict on it. An endless loop goes on in the background: one
/// that writes lets no later answer be tried.
const ANSWERS: [(&str, &str); 6] = [
    ("panic!(\"no keys\")", "Jūsų kodas nutrūko; pranešimas: no keys"),
    ("println!(\"{query}\"); false", "duota: query = 0, keys = [3.0, -4.0], width = 0.5"),
    ("loop { std::hint::spin_loop(); }", "Jūsų kodas per aštuonias sekundes nebaigė darbo"),
    ("println!(\"{query}\"); false", "duota: query = 0, keys = [3.0, -4.0], width = 0.5"),
    ("loop { println!(\"{query}\"); }", "Jūsų kodas spausdina per daug"),
    ("std::thread::spawn(|| panic!()).join().is_ok()", "tebeveikia ankstesnis, kuris spausdina be galo"),
];

/// Lines that a flood may reach the reader with: what a pipe holds, at two bytes a line.
const MOST_LINES: usize = 100_000;

pub fn trials(lab: &Arc<Mutex<Lab>>) -> Vec<Trial> {
    vec![kernel_trial("answers::verdicts-on-misbehaviour".into(), lab, |lab| misbehave(lab))]
}

fn misbehave(lab: &Lab) -> Result<(), String> {
    let mut kernel = lab.kernel(&root().join("notebooks/lt"), "answers")?;
    run(&mut kernel, ":dep d2l = { path = \"../../crate\" }\nuse d2l::prelude::*;", lab.limits().loading)?;
    for (number, (body, words)) in ANSWERS.iter().enumerate() {
        let arguments = "query: f64, keys: &Array1<f64>, width: f64";
        let answer = format!("#[allow(unused)]\nfn answer{number}({arguments}) -> bool {{ {body} }}");
        run(&mut kernel, &answer, lab.limits().usual)?;
        let shown = run(&mut kernel, &format!("check::lt_ex1c(answer{number})"), VERDICT)?;
        let verdict = plain(&shown).ok_or(format!("no verdict on {body}"))?;
        if !verdict.contains(words) {
            return Err(format!("the verdict on {body} lacks {words:?}: {verdict}"));
        }
        let lines = shown.iter().filter_map(|output| stream_text(output, "stdout")).flat_map(str::lines).count();
        if lines > MOST_LINES {
            return Err(format!("{lines} lines of {body} were let through"));
        }
    }
    let next = run(&mut kernel, "println!(\"the next cell speaks\");", VERDICT)?;
    match next.iter().filter_map(|output| stream_text(output, "stdout")).collect::<String>().as_str() {
        "the next cell speaks\n" => Ok(()),
        other => Err(format!("after a flood the next cell shows {other:?}")),
    }
}

fn run(kernel: &mut Kernel, code: &str, limit: Duration) -> Result<Vec<Output>, String> {
    kernel.execute(code, limit).map_err(|stopped| format!("{code}: {stopped}"))
}

/// The plain text that a cell's last line shows.
fn plain(shown: &[Output]) -> Option<String> {
    let shown = serde_json::to_value(shown).ok()?;
    let text = shown.as_array()?.iter().find_map(|output| output.pointer("/data/text~1plain"))?;
    let lines = text.as_array().map(|lines| lines.iter().filter_map(|line| line.as_str()).collect());
    lines.or_else(|| text.as_str().map(str::to_owned))
}
