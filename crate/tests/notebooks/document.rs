//! A notebook's file: read with every key kept, checked against the format, written as JupyterLab writes it.

use std::{fs, io::Write as _, path::Path};

use nbformat::v4::{Cell, Output};
use serde::Serialize as _;
use serde_json::{Value, json};

/// A notebook as it stands on disk.
///
/// `document` is the whole file, so that writing it back loses nothing; `cells` is the same, typed and checked.
pub struct Document {
    pub name: String,
    document: Value,
    cells: Vec<Cell>,
}

/// One code cell that has something to run.
pub struct CodeCell {
    /// Counted among all cells, from 1.
    pub number: usize,
    pub source: String,
    pub outputs: Vec<Output>,
    pub tags: Vec<String>,
    pub executed: bool,
}

impl CodeCell {
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags.iter().any(|own| own == tag)
    }

    /// The cell's number and its first line of code, for reports.
    pub fn title(&self) -> String {
        let first = self.source.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let (shown, dots) = match first.char_indices().nth(60) {
            Some((end, _)) => (&first[..end], "…"),
            None => (first, ""),
        };
        format!("cell {} (`{shown}{dots}`)", self.number)
    }
}

impl Document {
    /// Reads and checks a notebook of format 4.5 with at least one cell.
    pub fn read(path: &Path, name: &str) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{name} cannot be read: {error}"))?;
        Self::parse(&text, name)
    }

    pub fn parse(text: &str, name: &str) -> Result<Self, String> {
        let document = serde_json::from_str(text).map_err(|error| format!("{name} is not valid JSON: {error}"))?;
        let notebook = match nbformat::parse_notebook(text) {
            Ok(nbformat::Notebook::V4(notebook)) => notebook,
            Ok(nbformat::Notebook::V4QuirksMode(quirks)) => {
                return Err(format!("{name} has cells without an id: {:?}", quirks.quirks()));
            }
            Ok(_) => return Err(format!("{name} is not in notebook format 4.5: open and save it in JupyterLab")),
            Err(error) => return Err(format!("{name} is not a notebook of format 4.5: {error}")),
        };
        if notebook.cells.is_empty() {
            return Err(format!("{name} has no cells"));
        }
        Ok(Self { name: name.to_owned(), document, cells: notebook.cells })
    }

    /// The cells to run: JupyterLab, too, sends no blank cell to the kernel.
    pub fn code_cells(&self) -> Vec<CodeCell> {
        let mut found = Vec::new();
        for (index, cell) in self.cells.iter().enumerate() {
            let Cell::Code { source, outputs, metadata, execution_count, .. } = cell else { continue };
            let source = source.concat();
            if !source.trim().is_empty() {
                found.push(CodeCell {
                    number: index + 1,
                    source,
                    outputs: outputs.clone(),
                    tags: metadata.tags.clone().unwrap_or_default(),
                    executed: execution_count.is_some() || !outputs.is_empty(),
                });
            }
        }
        found
    }

    /// Replaces all outputs by those of a run, one entry per cell of [`code_cells`](Self::code_cells).
    pub fn fill(&mut self, outputs: &[Vec<Output>]) {
        let numbers: Vec<usize> = self.code_cells().iter().map(|cell| cell.number).collect();
        let cells = self.document["cells"].as_array_mut().expect("a checked notebook has a list of cells");
        for (index, cell) in cells.iter_mut().enumerate() {
            if cell["cell_type"] != "code" {
                continue;
            }
            let place = numbers.iter().position(|&number| number == index + 1);
            let shown = place.map_or(&[][..], |place| &outputs[place]);
            let count = place.map(|place| place + 1);
            cell["outputs"] = shown.iter().map(|output| output_value(output, count)).collect();
            cell["execution_count"] = json!(count);
            if let Some(metadata) = cell["metadata"].as_object_mut() {
                // When each message came: JupyterLab can record it, and it differs on every run.
                metadata.remove("execution");
            }
        }
        let metadata = &mut self.document["metadata"];
        metadata["kernelspec"] = json!({ "display_name": "Rust", "language": "rust", "name": "rust" });
        // As evcxr_jupyter 0.22 reports it; the client's type would drop the misspelt `pygment_lexer`.
        metadata["language_info"] = json!({
            "codemirror_mode": "rust", "file_extension": ".rs", "mimetype": "text/rust", "name": "Rust",
            "pygment_lexer": "rust", "version": "",
        });
    }

    /// The file's text: keys sorted, one space of indent, texts as lists of lines, a newline at the end.
    pub fn to_text(&self) -> String {
        let mut document = self.document.clone();
        for cell in document["cells"].as_array_mut().expect("a checked notebook has a list of cells") {
            split_lines(&mut cell["source"]);
            for output in cell.get_mut("outputs").and_then(Value::as_array_mut).into_iter().flatten() {
                output.get_mut("text").into_iter().for_each(split_lines);
                for (mime, data) in output.get_mut("data").and_then(Value::as_object_mut).into_iter().flatten() {
                    if mime.starts_with("text/") || mime == "image/svg+xml" || mime == "application/javascript" {
                        split_lines(data);
                    }
                }
            }
        }
        let mut text = Vec::new();
        let indent = serde_json::ser::PrettyFormatter::with_indent(b" ");
        document
            .serialize(&mut serde_json::Serializer::with_formatter(&mut text, indent))
            .expect("a JSON value is written to memory");
        text.push(b'\n');
        String::from_utf8(text).expect("JSON is UTF-8")
    }
}

/// Puts `text` in the place of the file in one step, so that an interruption leaves the old notebook or the new one.
pub fn replace(path: &Path, text: &str) -> Result<(), String> {
    let swap = || -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().set_permissions(fs::metadata(path)?.permissions())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    swap().map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

/// An output as JSON; a result carries the number of its cell's run.
fn output_value(output: &Output, count: Option<usize>) -> Value {
    let mut value = serde_json::to_value(output).expect("an output is plain data");
    if matches!(output, Output::ExecuteResult(_)) {
        value["execution_count"] = json!(count);
    }
    value
}

/// Turns a text, whole or already in lines, into the list of lines that Python's `splitlines(True)` makes of it.
///
/// JupyterLab's server splits with that function, which knows more line ends than `\n`.
fn split_lines(text: &mut Value) {
    let whole = match &*text {
        Value::String(whole) => whole.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    const ENDS: &[char] =
        &['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];
    let mut lines: Vec<String> = Vec::new();
    for piece in whole.split_inclusive(ENDS) {
        match lines.last_mut() {
            Some(line) if piece == "\n" && line.ends_with('\r') => line.push('\n'),
            _ => lines.push(piece.to_owned()),
        }
    }
    *text = json!(lines);
}
