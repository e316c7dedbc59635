//! What all runs share: the registered kernel, the build directories, and one kernel for the runner's own proof.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use jupyter_zmq_client::KernelspecDir;
use tempfile::TempDir;

use crate::{
    document::{self, Document},
    kernel::Kernel,
    name_of,
    run::{self, Limits, Run},
    setup,
};

/// Empty until it is set up, so that tests can be listed without a kernel.
#[derive(Default)]
pub struct Lab {
    ready: Option<Ready>,
    shared: Option<Kernel>,
    timings: Mutex<Vec<String>>,
}

struct Ready {
    spec: KernelspecDir,
    limits: Limits,
    /// Build directories of the stock kernel; the tuned one brings its own. A directory that one kernel after another uses compiles the crate once.
    builds: TempDir,
}

impl Lab {
    /// Lets the launcher set up the tuned kernel, or the stock one beside it, and makes room for its builds.
    pub fn set_up(&mut self, stock: bool) -> Result<(), String> {
        let limits = Limits::from_environment()?;
        let builds = tempfile::Builder::new()
            .prefix("d2l-builds-")
            .tempdir()
            .map_err(|error| format!("no temporary directory for the kernel's builds: {error}"))?;
        self.ready = Some(Ready { spec: setup::kernelspec(stock)?, limits, builds });
        Ok(())
    }

    /// Runs a committed notebook in a fresh kernel; the error is the report of all that is wrong.
    pub fn check(&self, path: &Path) -> Result<(), String> {
        let name = name_of(path);
        let notebook = Document::read(path, &name)?;
        refuse_unexecuted(&notebook)?;
        let run = self.run_timed(&notebook, path)?;
        let differs = !run.differences.is_empty();
        let remedy = differs.then(|| {
            format!(
                "compared with what is saved in the file: `{}` saves what it shows now, `git checkout {}` brings back \
                 what is committed",
                write_command(&name),
                quoted(&name)
            )
        });
        report(&name, run.failures.into_iter().chain(run.differences).chain(remedy))
    }

    /// Runs a notebook in a fresh kernel and writes its outputs back; true when the file changed.
    pub fn write(&self, path: &Path) -> Result<bool, String> {
        let name = name_of(path);
        let mut notebook = Document::read(path, &name)?;
        let run = self.run_timed(&notebook, path)?;
        save(&mut notebook, path, run)
    }

    fn run_timed(&self, notebook: &Document, path: &Path) -> Result<Run, String> {
        let began = Instant::now();
        let (started_in, run) = self.run(notebook, path, "notebooks")?;
        let line = timing(&notebook.name, began.elapsed(), started_in, &run);
        self.timings.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        Ok(run)
    }

    /// Runs a notebook in a fresh kernel in the notebook's folder; the time is that of the kernel's start.
    pub fn run(&self, notebook: &Document, path: &Path, build: &str) -> Result<(Duration, Run), String> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut kernel = self.kernel(folder, build).map_err(|sentence| format!("{}: {sentence}", notebook.name))?;
        let run = run::run(notebook, &mut kernel, self.limits());
        Ok((kernel.started_in, run))
    }

    /// A fresh kernel. No two running kernels may have the same `build`.
    pub fn kernel(&self, folder: &Path, build: &str) -> Result<Kernel, String> {
        let ready = self.ready();
        Kernel::start(&ready.spec, folder, &ready.builds.path().join(build))
    }

    /// The kernel on which small notebooks run that leave it usable.
    pub fn shared(&mut self) -> Result<&mut Kernel, String> {
        if self.shared.is_none() {
            self.shared = Some(self.kernel(&std::env::temp_dir(), "shared")?);
        }
        self.shared.as_mut().ok_or_else(|| "the shared kernel is gone".into())
    }

    /// Ends the shared kernel and removes the builds.
    pub fn close(&mut self) {
        self.shared = None;
        self.ready = None;
    }

    /// One line per notebook that ran.
    pub fn timings(&self) -> Vec<String> {
        self.timings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn limits(&self) -> Limits {
        self.ready().limits
    }

    pub fn spec(&self) -> &KernelspecDir {
        &self.ready().spec
    }

    pub fn builds(&self) -> PathBuf {
        self.ready().builds.path().to_owned()
    }

    fn ready(&self) -> &Ready {
        self.ready.as_ref().expect("a test runs only after the set-up")
    }
}

/// Writes a run's outputs into the notebook, if no cell failed; true when the file changed.
pub fn save(notebook: &mut Document, path: &Path, run: Run) -> Result<bool, String> {
    report(&notebook.name, run.failures)?;
    notebook.fill(&run.outputs);
    let text = notebook.to_text();
    let before = std::fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", notebook.name))?;
    if text == before {
        return Ok(false);
    }
    document::replace(path, &text)?;
    Ok(true)
}

/// A notebook whose cells never ran has nothing to compare with.
pub fn refuse_unexecuted(notebook: &Document) -> Result<(), String> {
    let cells = notebook.code_cells();
    if cells.is_empty() || cells.iter().any(|cell| cell.executed) {
        return Ok(());
    }
    let name = &notebook.name;
    Err(format!("{name} is not executed: run `{}`", write_command(name)))
}

/// The command that runs a notebook and writes its outputs back.
fn write_command(name: &str) -> String {
    format!("cargo test --test notebooks -- --write {}", quoted(name))
}

/// A name as a shell reads it.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    if name.chars().all(plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

/// All problems of a notebook under its name.
pub fn report(name: &str, problems: impl IntoIterator<Item = String>) -> Result<(), String> {
    let problems: Vec<String> = problems.into_iter().collect();
    if problems.is_empty() { Ok(()) } else { Err(format!("{name}\n{}", problems.join("\n"))) }
}

fn timing(name: &str, whole: Duration, start: Duration, run: &Run) -> String {
    let mut slowest: Vec<_> = run.times.iter().collect();
    slowest.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    let cells: Vec<String> =
        slowest.iter().take(3).map(|(title, time)| format!("{title} {:.1} s", time.as_secs_f64())).collect();
    let (whole, start) = (whole.as_secs_f64(), start.as_secs_f64());
    format!("{name}: {whole:.1} s, of which kernel start {start:.1} s; slowest: {}", cells.join(", "))
}
