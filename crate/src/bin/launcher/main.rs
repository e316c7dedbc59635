//! Sets up JupyterLab and the Rust kernel beside the notebooks and starts them.
//!
//! | module | what it holds |
//! |---|---|
//! | [`options`] | the command line and its help |
//! | [`project`] | where things lie in the clone |
//! | [`setup`] | the order of the steps, one set-up at a time |
//! | [`conda`] | an active conda environment, used as it is |
//! | [`toolchain`] | Cargo and the standard library's sources |
//! | [`python`] | a Python that is new enough |
//! | [`environment`] | the virtual environment with the pinned JupyterLab |
//! | [`kernel`] | evcxr_jupyter |
//! | [`registration`] | what Jupyter knows of the kernel |
//! | [`tuned`] | the kernel as JupyterLab starts it: evcxr in a warm build folder of its own |
//! | [`builds`], [`template`] | the kernels' build folders, and the warm one that each is a copy of |
//! | [`reaper`] | clearing up after a kernel, however it ended |
//! | [`jupyter`] | the server |
//! | [`step`], [`failure`], [`files`] | running a tool, saying what went wrong, writing files whole |

mod builds;
mod conda;
mod environment;
mod failure;
mod files;
mod jupyter;
mod kernel;
mod options;
mod project;
mod python;
#[cfg(unix)]
mod reaper;
mod registration;
mod setup;
mod step;
mod template;
mod toolchain;
mod tuned;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use failure::Failure;
use options::{Command, Options};
use project::Project;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say(&failure.sentence);
            ExitCode::from(failure.code)
        }
    }
}

fn run() -> Result<(), Failure> {
    let options = Options::parse(env::args_os().skip(1))?;
    // Help is to be had outside a clone too.
    let project = || Project::find(options.root);
    match options.command {
        Command::Help => print(options::HELP),
        Command::Kernelspec => print(&setup::kernelspec(&project()?, options.stock)?.display().to_string()),
        Command::Kernel(connection) => tuned::run(&project()?, &connection)?,
        #[cfg(unix)]
        Command::Reap(watch) => reaper::reap(&project()?, &watch),
        Command::Setup => {
            setup::set_up(&project()?)?;
            say("Everything is in place; `cargo run` opens the notebooks.");
        }
        Command::Start(language) => {
            let project = project()?;
            // A busy port is said at once, not after ten minutes of set-up.
            options.port.map_or(Ok(()), jupyter::check_port)?;
            let tools = setup::set_up(&project)?;
            jupyter::start(&project, &tools, language, options.port, options.browser)?;
        }
    }
    Ok(())
}

/// Tells the reader what happens; standard output is left to what a command was asked for.
fn say(sentence: &str) {
    // A closed terminal is no reason to stop a set-up that is under way.
    let _ = writeln!(io::stderr(), "{sentence}");
}

fn print(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}
