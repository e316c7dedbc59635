//! The page that shows the notebook, and what a reader does there.

use std::{
    cell::{Cell, RefCell},
    time::Duration,
};

use fantoccini::key::Key;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{
    chromium::Chromium,
    notebook::Notebook,
    picture::{Picture, Place},
    process::wait,
};

const SCRIPT: &str = include_str!("page.js");

/// For a page to open: on a busy machine the whole of JupyterLab takes its time.
const OPEN: Duration = Duration::from_secs(240);
/// For what needs no kernel.
const SOON: Duration = Duration::from_secs(60);
/// For a cell.
const CELL: Duration = Duration::from_secs(120);
/// For all cells, the start of the kernel and the compilation of the crate included.
const ALL_CELLS: Duration = Duration::from_secs(400);

/// The notebook that the launcher opens.
const FIRST: &str = "11-1-uzklausos-raktai-reiksmes.ipynb";

/// JupyterLab with the notebook.
pub struct Page {
    pub browser: Chromium,
    notebook: RefCell<Notebook>,
    changes: RefCell<Vec<Change>>,
    /// Whether the cells have run since the page was opened: the numbers of a committed notebook do not tell.
    ran: Cell<bool>,
}

/// What was typed over in a cell.
struct Change {
    id: &'static str,
    old: &'static str,
    new: &'static str,
}

/// An output that is a figure.
#[derive(Debug, Deserialize)]
pub struct Figure {
    /// Drawn as a document of its own, not as a mere picture.
    pub live: bool,
    pub loaded: bool,
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    pub svg: String,
}

/// An output with what a reader sees of its text.
#[derive(Debug, Deserialize)]
pub struct Output {
    #[serde(rename = "type")]
    pub mime_type: String,
    pub text: String,
}

/// A piece of text.
#[derive(Debug, Deserialize)]
pub struct Contrast {
    pub text: String,
    pub ratio: f64,
}

impl Page {
    /// Opens the notebook as a fresh clone shows it.
    pub fn open(browser: Chromium, address: &str) -> Result<Self, String> {
        let notebook = RefCell::new(Notebook::read(FIRST)?);
        let page = Self { browser, notebook, changes: RefCell::default(), ran: Cell::new(false) };
        page.go(address)?;
        Ok(page)
    }

    /// Opens another notebook of the same server alone.
    pub fn go_to(&self, address: &str, name: &str) -> Result<(), String> {
        self.notebook.replace(Notebook::read(name)?);
        self.go(&address.replace("/lab/tree/", "/lab/workspaces/another/tree/").replace(FIRST, name))
    }

    /// Goes back to the notebook that a server's address opens.
    pub fn go_back(&self, address: &str) -> Result<(), String> {
        self.notebook.replace(Notebook::read(FIRST)?);
        self.go(address)
    }

    /// How many figures the notebook shows.
    pub fn figures(&self) -> usize {
        self.notebook.borrow().figures()
    }

    /// Opens the notebook at another address.
    pub fn go(&self, address: &str) -> Result<(), String> {
        self.browser.go(address)?;
        self.ran.set(false);
        // What was typed went with the page.
        self.changes.borrow_mut().clear();
        let expected = self.notebook.borrow().code_cells();
        wait(
            OPEN,
            || "the notebook did not open".into(),
            || Ok((self.ask::<usize>("codeCells().length", &[])? == expected).then_some(())),
        )
    }

    /// Evaluates an expression of the script; `a`, `b` are the arguments.
    pub fn ask<T: DeserializeOwned>(&self, expression: &str, arguments: &[Value]) -> Result<T, String> {
        let script = format!("{SCRIPT}\nconst [a, b] = arguments;\nreturn {expression};");
        let answer = self.browser.script(&script, arguments.to_vec())?;
        serde_json::from_value(answer).map_err(|error| format!("{expression} gave something else: {error}"))
    }

    /// Clicks through the menu bar.
    pub fn menu(&self, items: &[&str]) -> Result<(), String> {
        for (depth, item) in items.iter().enumerate() {
            let class = if depth == 0 { "lm-MenuBar-itemLabel" } else { "lm-Menu-itemLabel" };
            self.browser.click(&format!("//div[contains(@class, '{class}') and starts-with(., '{item}')]"))?;
        }
        Ok(())
    }

    /// Runs all cells unless they have run, and takes back what a failed test has changed.
    pub fn ensure_run(&self) -> Result<(), String> {
        self.undo_changes()?;
        if self.ran.get() { Ok(()) } else { self.run_all() }
    }

    /// Runs all cells, from a cleared page.
    pub fn run_all(&self) -> Result<(), String> {
        self.clear()?;
        self.menu(&["Run", "Run All Cells"])?;
        self.wait_until_run()?;
        self.ran.set(true);
        Ok(())
    }

    /// Clears all outputs and numbers, so that what is seen afterwards is new.
    pub fn clear(&self) -> Result<(), String> {
        self.menu(&["Edit", "Clear Outputs of All Cells"])?;
        wait(
            SOON,
            || "the outputs were not cleared".into(),
            || Ok(self.outputs("document", &[])?.is_empty().then_some(())),
        )
    }

    /// Runs one cell as it stands.
    pub fn run(&self, id: &str) -> Result<(), String> {
        let index = self.notebook.borrow().index(id)?;
        let before: String = self.ask("prompt(cell(a))", &[json!(index)])?;
        self.ask::<Value>("cell(a).querySelector('.cm-content').focus()", &[json!(index)])?;
        self.browser.chord(Key::Control, Key::Enter)?;
        self.wait_until_ended(id, &before)
    }

    /// Restarts the kernel, waits for it as a reader does, and runs all cells.
    pub fn restart_and_run_all(&self) -> Result<(), String> {
        self.menu(&["Kernel", "Restart Kernel…"])?;
        self.accept()?;
        wait(SOON, || "the kernel was not restarted".into(), || Ok((!self.is_idle()?).then_some(())))?;
        self.wait_until_idle()?;
        self.run_all()
    }

    fn dialogs(&self) -> Result<Vec<String>, String> {
        self.ask("all('.jp-Dialog').map((dialog) => dialog.innerText)", &[])
    }

    /// Answers a dialog with what it proposes.
    pub fn accept(&self) -> Result<(), String> {
        self.browser.click("//button[contains(@class, 'jp-mod-accept')]")
    }

    /// Waits until the kernel says that it has nothing to do.
    pub fn wait_until_idle(&self) -> Result<(), String> {
        wait(
            ALL_CELLS,
            || "the kernel is not idle".into(),
            || match self.dialogs()?.first() {
                Some(text) => Err(format!("JupyterLab says: {text}")),
                None => Ok(self.is_idle()?.then_some(())),
            },
        )
    }

    fn is_idle(&self) -> Result<bool, String> {
        self.ask("all('#jp-main-statusbar').some((bar) => bar.innerText.includes('Idle'))", &[])
    }

    fn wait_until_run(&self) -> Result<(), String> {
        let unfinished = || format!("not every cell has ended: {:?}", self.ask::<Vec<String>>("prompts()", &[]));
        wait(ALL_CELLS, unfinished, || {
            // A kernel that dies is told in a dialog, and its cells never end.
            match self.dialogs()?.first() {
                Some(text) => Err(format!("JupyterLab says: {text}")),
                None => Ok(self.has_run()?.then_some(())),
            }
        })
    }

    fn has_run(&self) -> Result<bool, String> {
        let prompts: Vec<String> = self.ask("prompts()", &[])?;
        Ok(prompts.iter().all(|prompt| is_counted(prompt)))
    }

    /// Replaces the first `old` in a cell as a reader does, by marking it and typing over it, and runs the cell.
    pub fn change(&self, id: &'static str, old: &'static str, new: &'static str) -> Result<(), String> {
        self.changes.borrow_mut().push(Change { id, old, new });
        self.type_over_and_run(id, old, new)
    }

    /// Takes back all changes in the same way.
    pub fn undo_changes(&self) -> Result<(), String> {
        while let Some(Change { id, old, new }) = self.changes.borrow_mut().pop() {
            self.type_over_and_run(id, new, old)?;
        }
        Ok(())
    }

    fn type_over_and_run(&self, id: &str, old: &str, new: &str) -> Result<(), String> {
        let before = self.type_over_and_start(id, old, new)?;
        self.wait_until_ended(id, &before)
    }

    /// Puts a loop without an end in the place of `old`, runs the cell, and interrupts it when it runs.
    pub fn interrupt_endless(&self, id: &'static str, old: &'static str, new: &'static str) -> Result<(), String> {
        self.changes.borrow_mut().push(Change { id, old, new });
        let before = self.type_over_and_start(id, old, new)?;
        wait(SOON, || "the kernel is not busy".into(), || Ok((!self.is_idle()?).then_some(())))?;
        // Compiled first: what is interrupted must be the loop.
        std::thread::sleep(Duration::from_secs(4));
        self.menu(&["Kernel", "Interrupt Kernel"])?;
        self.wait_until_ended(id, &before)
    }

    /// Runs a cell with `new` in the place of `old` and returns the prompt that it had before.
    fn type_over_and_start(&self, id: &str, old: &str, new: &str) -> Result<String, String> {
        let index = self.notebook.borrow().index(id)?;
        if !self.ask::<bool>("mark(a, b)", &[json!(index), json!(old)])? {
            return Err(format!("the cell {id} does not contain {old}"));
        }
        self.browser.type_text(new)?;
        let changed = || {
            let text: String = self.ask("cell(a).querySelector('.cm-content').textContent", &[json!(index)])?;
            Ok(text.contains(new).then_some(()))
        };
        wait(SOON, || format!("{new} was not typed into the cell {id}"), changed)?;
        let before: String = self.ask("prompt(cell(a))", &[json!(index)])?;
        self.browser.chord(Key::Control, Key::Enter)?;
        Ok(before)
    }

    fn wait_until_ended(&self, id: &str, before: &str) -> Result<(), String> {
        let index = self.notebook.borrow().index(id)?;
        wait(
            CELL,
            || format!("the cell {id} did not end"),
            || {
                let prompt: String = self.ask("prompt(cell(a))", &[json!(index)])?;
                Ok((prompt != before && is_counted(&prompt)).then_some(()))
            },
        )
    }

    /// The outputs of one cell.
    pub fn outputs_of(&self, id: &str) -> Result<Vec<Output>, String> {
        self.outputs("cell(a)", &[json!(self.notebook.borrow().index(id)?)])
    }

    /// Everything that tells of a failure in the notebook.
    pub fn complaints(&self) -> Result<Vec<Output>, String> {
        let mut outputs = self.outputs("document", &[])?;
        outputs.retain(|output| output.mime_type.ends_with(".error") || output.mime_type.ends_with(".stderr"));
        Ok(outputs)
    }

    fn outputs(&self, inside: &str, arguments: &[Value]) -> Result<Vec<Output>, String> {
        self.ask(&format!("outputs({inside})"), arguments)
    }

    /// The figure that a cell shows.
    pub fn figure_of(&self, id: &str) -> Result<Figure, String> {
        let mut figures: Vec<Figure> = self.ask("figures(cell(a))", &[json!(self.notebook.borrow().index(id)?)])?;
        figures.pop().ok_or_else(|| format!("the cell {id} shows no figure"))
    }

    /// Scrolls to one figure after the other, waits for each to be drawn, and looks at it.
    pub fn look_at_figures(&self) -> Result<Vec<(Figure, Picture)>, String> {
        let count: usize = self.ask("figures().length", &[])?;
        (0..count).map(|number| self.look_at_figure(number)).collect()
    }

    fn look_at_figure(&self, number: usize) -> Result<(Figure, Picture), String> {
        self.ask::<Value>("show(figureElements()[a])", &[json!(number)])?;
        let mut before: Option<Picture> = None;
        wait(
            SOON,
            || format!("figure {} of the notebook was not drawn", number + 1),
            || {
                let mut figures: Vec<Figure> = self.ask("figures()", &[])?;
                let figure = figures.swap_remove(number);
                let picture = Picture::cut(&self.browser.screenshot()?, &figure.place())?;
                // Scrolling has ended when two looks are alike.
                let settled = before.as_ref().is_some_and(|before| before.pixels == picture.pixels);
                if figure.loaded && settled {
                    return Ok(Some((figure, picture)));
                }
                before = Some(picture);
                Ok(None)
            },
        )
    }

    /// All text of the notebook with too little contrast, at most one entry for each text.
    pub fn faint_text(&self, selector: &str, least: f64) -> Result<Vec<Contrast>, String> {
        let mut contrasts: Vec<Contrast> = self.ask("contrasts(a)", &[json!(selector)])?;
        if contrasts.is_empty() {
            return Err(format!("there is no text at {selector}"));
        }
        contrasts.retain(|contrast| contrast.ratio < least);
        contrasts.sort_by(|a, b| a.text.cmp(&b.text));
        contrasts.dedup_by(|a, b| a.text == b.text);
        Ok(contrasts)
    }
}

impl Figure {
    fn place(&self) -> Place {
        // Whole pixels within the frame.
        let (left, top) = (self.left.ceil(), self.top.ceil());
        let (right, bottom) = ((self.left + self.width).floor(), (self.top + self.height).floor());
        Place {
            left: left as usize,
            top: top as usize,
            width: (right - left) as usize,
            height: (bottom - top) as usize,
        }
    }
}

/// The prompt of a cell that has ended holds its number.
fn is_counted(prompt: &str) -> bool {
    prompt
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix("]:"))
        .is_some_and(|number| number.parse::<u32>().is_ok())
}
