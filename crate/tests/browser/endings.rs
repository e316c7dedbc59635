//! However a cell, a kernel or the server ends: the reader goes on, and nothing is left over.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

use crate::{page::Page, process::wait, server::Server, session::Session, trials::expect_everything_drawn};

/// A cell that needs no other, and something in it to replace.
const CELL: &str = "lt-07-kodas";

/// The build folder of a killed kernel must be gone by then.
const CLEARED: Duration = Duration::from_secs(20);

/// The loop ends, the kernel lives on, and the notebook runs again from its top.
pub fn an_endless_cell_is_interrupted(page: &Page) -> Result<(), String> {
    page.ensure_run()?;
    page.interrupt_endless(CELL, "&scores", "{ loop {} }")?;
    page.wait_until_idle()?;
    page.undo_changes()?;
    page.run_all()?;
    expect_everything_drawn(page)
}

/// `kill -9` of evcxr: JupyterLab says so and starts another that runs everything, the folder of the dead one goes.
pub fn a_killed_kernel_starts_again(session: &Session) -> Result<(), String> {
    let (page, root) = (&session.page, session.clone.root());
    page.ensure_run()?;
    // Another notebook's kernel may run beside this one's.
    let killed = running(&root);
    for kernel in &killed {
        kill_process(kernel.process, Signal::KILL).map_err(|error| error.to_string())?;
    }
    page.accept()?;
    killed.iter().try_for_each(|kernel| wait_until_gone(&kernel.folder))?;
    page.wait_until_idle()?;
    page.run_all()?;
    expect_everything_drawn(page)
}

/// `kill -9` of JupyterLab, which the launcher has become: its kernel ends, and the next start is as the first.
pub fn a_killed_server_leaves_nothing(session: &Session) -> Result<(), String> {
    let (page, root) = (&session.page, session.clone.root());
    let before = running(&root);
    let killed = Server::start(&session.clone)?;
    page.go(&killed.address)?;
    page.wait_until_idle()?;
    let mut orphans = running(&root);
    orphans.retain(|kernel| !before.iter().any(|other| other.process == kernel.process));
    let [orphan] = &orphans[..] else { return Err(format!("{} kernels were started, not one", orphans.len())) };
    killed.kill()?;
    wait_until_gone(&orphan.folder)?;
    wait(CLEARED, || "the killed server's kernel still runs".into(), || Ok((!runs(orphan.process)).then_some(())))?;
    let next = Server::start(&session.clone)?;
    page.go(&next.address)?;
    page.run_all()?;
    expect_everything_drawn(page)
}

/// A running evcxr.
struct Kernel {
    process: Pid,
    folder: PathBuf,
}

/// The kernels that build below `root`, by the environment that they were started with.
fn running(root: &Path) -> Vec<Kernel> {
    let builds = format!("EVCXR_TMPDIR={}/", root.join(".kernels").display());
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let kernels = processes.filter_map(|entry| {
        let process = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
        let read = |name| Some(String::from_utf8_lossy(&fs::read(entry.path().join(name)).ok()?).into_owned());
        let (arguments, environment) = (read("cmdline")?, read("environ")?);
        let variable = environment.split('\0').find(|variable| variable.starts_with(&builds))?;
        let is_kernel = arguments.split('\0').any(|argument| argument == "--control_file");
        is_kernel.then(|| Kernel { process, folder: variable.trim_start_matches("EVCXR_TMPDIR=").into() })
    });
    kernels.collect()
}

/// A process that has ended but is not yet taken note of does not run.
fn runs(process: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, fields)| !fields.trim_start().starts_with(['Z', 'X']))
}

fn wait_until_gone(folder: &Path) -> Result<(), String> {
    wait(CLEARED, || format!("{} is not gone", folder.display()), || Ok((!folder.exists()).then_some(())))
}
