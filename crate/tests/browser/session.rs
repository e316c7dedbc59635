//! The server and the page that all tests share.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use libtest_mimic::{Failed, Trial};

use crate::{
    chromium::{Chromium, Programs},
    clone::FreshClone,
    page::Page,
    server::{self, Server},
};

/// Started by the first test, so that tests can be listed without it.
pub struct Shared {
    programs: Programs,
    session: Mutex<Option<Result<Session, String>>>,
}

/// Fields are dropped in this order: the folder goes when nothing writes to it any more.
pub struct Session {
    pub page: Page,
    pub server: Server,
    pub clone: FreshClone,
}

impl Shared {
    pub fn new(programs: Programs) -> Arc<Self> {
        Arc::new(Self { programs, session: Mutex::new(None) })
    }

    /// A test; when it fails, a screenshot and the server's log are kept.
    pub fn trial(
        self: &Arc<Self>,
        name: &'static str,
        body: impl FnOnce(&Session) -> Result<(), String> + Send + 'static,
    ) -> Trial {
        let shared = Arc::clone(self);
        Trial::test(name, move || shared.run(name, body).map_err(Failed::from))
    }

    /// Ends the browser and the server and removes the folder.
    pub fn close(&self) {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn run(&self, name: &str, body: impl FnOnce(&Session) -> Result<(), String>) -> Result<(), String> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let session = session.get_or_insert_with(|| Session::start(&self.programs)).as_ref().map_err(String::clone)?;
        let kept = failures().join(name);
        // What an earlier run left would mislead.
        let _ = std::fs::remove_dir_all(&kept);
        body(session).map_err(|sentence| match session.keep(&kept) {
            Ok(()) => format!("{sentence}\nscreenshot and the server's log: {}", kept.display()),
            Err(error) => format!("{sentence}\nno screenshot: {error}"),
        })
    }
}

impl Session {
    fn start(programs: &Programs) -> Result<Self, String> {
        server::set_up()?;
        let clone = FreshClone::of(server::root())?;
        let server = Server::start(&clone)?;
        let browser = Chromium::start(programs, &clone.temporary())?;
        let page = Page::open(browser, &server.address)?;
        Ok(Self { page, server, clone })
    }

    fn keep(&self, folder: &Path) -> Result<(), String> {
        let failed = |error| format!("{} cannot be written: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(failed)?;
        std::fs::write(folder.join("jupyter.log"), self.server.log()).map_err(failed)?;
        std::fs::write(folder.join("page.png"), self.page.browser.screenshot()?).map_err(failed)
    }
}

fn failures() -> PathBuf {
    target().join("browser-failures")
}

/// The target folder.
pub fn target() -> PathBuf {
    let temporary = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    temporary.parent().unwrap_or(&temporary).to_owned()
}
