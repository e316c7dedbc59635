//! Opens the Lithuanian notebook in the JupyterLab that the launcher starts and uses it as a reader does.
//!
//! ```text
//! cargo test --test browser              # everything, in headless Chromium
//! cargo test --test browser -- theme     # the tests whose name contains `theme`
//! ```
//!
//! All tests share one server and one page, and each brings the notebook into the state it needs, so that any of them
//! runs alone. They work in a copy of the clone that is removed in the end. When a test fails, a screenshot of the page
//! and the server's log are kept in `browser-failures` in the target folder; how an exercise looks on the way to its
//! answer is kept in `browser-pictures` each time.

mod chromium;
mod clone;
mod endings;
#[path = "../shared/environment.rs"]
mod environment;
mod learner;
mod notebook;
mod page;
mod picture;
mod process;
mod server;
mod session;
mod trials;

use std::process::ExitCode;

use libtest_mimic::Arguments;

use crate::{chromium::Programs, session::Shared};

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // There is one page.
    arguments.test_threads = Some(1);
    let Some(programs) = Programs::find() else {
        eprintln!(
            "The browser tests were left out: `chromium` and `chromedriver` are not both on the PATH (on Debian and \
             Ubuntu: `sudo apt install chromium chromium-driver`)."
        );
        return ExitCode::SUCCESS;
    };
    process::watch_for_interruption();
    let shared = Shared::new(programs);
    let conclusion = libtest_mimic::run(&arguments, trials::all(&shared));
    shared.close();
    conclusion.exit_code()
}
