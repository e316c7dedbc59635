//! Races the tuned kernel against the stock one by turns: the seconds that a reader waits.
//!
//! Both run the same notebook's cells through the same client; each run starts a kernel of its own, the stock one in an
//! empty build directory, as a reader's does. `D2L_RACE_PYTHON` names a Python with ipykernel, torch and matplotlib:
//! its kernel then imports torch and draws one heatmap, once a round.

use std::path::Path;

use jupyter_protocol::JupyterKernelspec;
use jupyter_zmq_client::KernelspecDir;
use nbformat::v4::Output;
use tempfile::TempDir;

use crate::{document::Document, kernel::Kernel, lab::Lab, name_of, run::Limits};

/// The same heatmap as in the notebooks, with what a Python course would use.
const PYTHON: &str = "%matplotlib inline
import torch
import matplotlib.pyplot as plt
plt.imshow(torch.eye(10).numpy(), cmap=\"Reds\")
plt.xlabel(\"keys\")
plt.ylabel(\"queries\")
plt.colorbar(shrink=0.6)
plt.show()";

/// Seconds of one run.
struct Seconds {
    first_figure: f64,
    median_cell: f64,
    whole: f64,
}

/// Runs a notebook `rounds` times on each kernel by turns and prints every round and the medians.
pub fn race(path: &Path, rounds: usize) -> Result<(), String> {
    let name = name_of(path);
    let notebook = Document::read(path, &name)?;
    let (mut tuned, mut stock) = (Lab::default(), Lab::default());
    tuned.set_up(false)?;
    stock.set_up(true)?;
    let python = std::env::var("D2L_RACE_PYTHON").ok();
    println!("{name}: seconds to the first figure, of the median cell and of all cells; tuned, stock, ratio");
    let mut rows = Vec::new();
    let mut pythons = Vec::new();
    for round in 1..=rounds {
        let pair = [&tuned, &stock].map(|lab| time(lab, &notebook, path, round));
        let [fast, slow] = pair;
        let (fast, slow) = (fast?, slow?);
        let row =
            [(fast.first_figure, slow.first_figure), (fast.median_cell, slow.median_cell), (fast.whole, slow.whole)];
        println!("round {round}: {}", row.map(shown).join("   "));
        rows.push(row);
        if let Some(python) = &python {
            let seconds = time_python(python)?;
            println!("         Python with torch, first figure: {seconds:.2}");
            pythons.push(seconds);
        }
    }
    for (index, what) in ["first figure", "median cell", "all cells"].into_iter().enumerate() {
        let pairs = || rows.iter().map(|row: &[(f64, f64); 3]| row[index]);
        let fast = median(pairs().map(|pair| pair.0).collect());
        let slow = median(pairs().map(|pair| pair.1).collect());
        let ratio = median(pairs().map(|(fast, slow)| fast / slow).collect());
        println!("median, {what}: {fast:.2} {slow:.2}, ratio of the rounds {ratio:.2}");
    }
    if !pythons.is_empty() {
        println!("median, Python with torch, first figure: {:.2}", median(pythons));
    }
    Ok(())
}

fn shown((fast, slow): (f64, f64)) -> String {
    format!("{fast:.2} {slow:.2} {:.2}", fast / slow)
}

/// One run in a fresh kernel; a stock kernel builds in a directory that only this round has.
fn time(lab: &Lab, notebook: &Document, path: &Path, round: usize) -> Result<Seconds, String> {
    let (started_in, run) = lab.run(notebook, path, &format!("round-{round}"))?;
    if let Some(failure) = run.failures.first() {
        return Err(failure.clone());
    }
    let first = run.outputs.iter().position(|outputs| outputs.iter().any(is_figure));
    let first = first.ok_or_else(|| format!("{} shows no figure", notebook.name))?;
    let cells: Vec<f64> = run.times.iter().map(|(_, time)| time.as_secs_f64()).collect();
    let start = started_in.as_secs_f64();
    Ok(Seconds {
        first_figure: start + cells[..=first].iter().sum::<f64>(),
        whole: start + cells.iter().sum::<f64>(),
        median_cell: median(cells),
    })
}

/// From the start of a Python kernel to its figure.
fn time_python(python: &str) -> Result<f64, String> {
    let kernelspec: JupyterKernelspec = serde_json::from_value(serde_json::json!({
        "argv": [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Python", "language": "python",
    }))
    .map_err(|error| format!("the Python kernel's specification: {error}"))?;
    let files = TempDir::new().map_err(|error| format!("no temporary directory: {error}"))?;
    let spec = KernelspecDir { kernel_name: "python3".into(), path: files.path().to_owned(), kernelspec };
    let mut kernel = Kernel::start(&spec, files.path(), files.path())?;
    let shown =
        kernel.execute(PYTHON, Limits::of_seconds(120).usual).map_err(|stopped| format!("Python: {stopped}"))?;
    if !shown.iter().any(is_figure) {
        return Err(format!("{python} drew no figure: it needs ipykernel, torch and matplotlib"));
    }
    Ok((kernel.started_in + kernel.last_cell).as_secs_f64())
}

/// Whether an output is a picture or a page with one.
fn is_figure(output: &Output) -> bool {
    let data = match output {
        Output::DisplayData(shown) => &shown.data,
        Output::ExecuteResult(result) => &result.data,
        _ => return false,
    };
    let text = serde_json::to_string(data).unwrap_or_default();
    text.contains("<img") || text.contains("image/png")
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}
