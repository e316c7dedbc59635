//! The notebook as it is committed.

use serde_json::Value;

use crate::server::root;

/// What the tests need to know of the file.
pub struct Notebook {
    cells: Vec<Cell>,
}

struct Cell {
    id: String,
    is_code: bool,
    figures: usize,
}

impl Notebook {
    /// Reads the notebook of this name in the folder of the Lithuanian ones.
    pub fn read(name: &str) -> Result<Self, String> {
        let path = root().join("notebooks/lt").join(name);
        let failed = |error: &dyn std::fmt::Display| format!("{} cannot be read: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|error| failed(&error))?;
        let json: Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
        let cells = json["cells"].as_array().ok_or_else(|| failed(&"it has no cells"))?;
        Ok(Self { cells: cells.iter().map(Cell::from_json).collect() })
    }

    /// The place of a cell among all cells.
    pub fn index(&self, id: &str) -> Result<usize, String> {
        let found = self.cells.iter().position(|cell| cell.id == id);
        found.ok_or_else(|| format!("the notebook has no cell {id}"))
    }

    pub fn code_cells(&self) -> usize {
        self.cells.iter().filter(|cell| cell.is_code).count()
    }

    pub fn figures(&self) -> usize {
        self.cells.iter().map(|cell| cell.figures).sum()
    }
}

impl Cell {
    fn from_json(json: &Value) -> Self {
        let outputs = json["outputs"].as_array().map_or(&[][..], Vec::as_slice);
        let figures = outputs.iter().map(|output| &output["data"]["text/html"]).map(|html| match html {
            Value::Array(lines) => lines.iter().filter_map(Value::as_str).map(count_figures).sum(),
            html => html.as_str().map_or(0, count_figures),
        });
        Self {
            id: json["id"].as_str().unwrap_or_default().to_owned(),
            is_code: json["cell_type"] == "code",
            figures: figures.sum(),
        }
    }
}

fn count_figures(html: &str) -> usize {
    html.matches("<object").count()
}
