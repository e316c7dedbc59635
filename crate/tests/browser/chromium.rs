//! Headless Chromium behind its driver.

use std::{
    env,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use fantoccini::{
    Client, ClientBuilder, Locator,
    actions::{InputSource, KeyAction, KeyActions},
    error::CmdError,
    key::Key,
};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::process::{Group, wait};

/// The longest that one command of the driver may take.
const COMMAND: Duration = Duration::from_secs(60);

/// Chromium and its driver on this machine.
pub struct Programs {
    chromium: PathBuf,
    driver: PathBuf,
}

impl Programs {
    pub fn find() -> Option<Self> {
        let chromium = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(on_path)?;
        Some(Self { chromium, driver: on_path("chromedriver")? })
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// A browser with one window.
pub struct Chromium {
    runtime: Runtime,
    client: Client,
    _driver: Group,
}

impl Chromium {
    /// Starts one that keeps all its files below `folder`.
    pub fn start(programs: &Programs, folder: &Path) -> Result<Self, String> {
        let mut command = Command::new(&programs.driver);
        command.arg("--port=0").env("TMPDIR", folder).env("HOME", folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut driver = Group::start(&mut command, Duration::from_secs(5))?;
        let port = port(driver.child.stdout.take().expect("a pipe"))?;

        let mut arguments: Vec<String> = [
            "--headless",
            "--window-size=1300,1000",
            "--disable-gpu",
            "--disable-quic",
            "--disable-sync",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-crash-reporter",
            "--disable-dev-shm-usage",
            "--no-first-run",
        ]
        .map(str::to_owned)
        .into();
        arguments.push(format!("--user-data-dir={}", folder.join("profile").display()));
        if rustix::process::geteuid().is_root() {
            // Chromium refuses to start as root with its sandbox; it sees nothing but this JupyterLab.
            arguments.push("--no-sandbox".into());
        }
        let options = json!({ "binary": programs.chromium, "args": arguments });
        let capabilities = [("goog:chromeOptions".to_owned(), options)].into_iter().collect();

        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("no runtime: {error}"))?;
        let address = format!("http://127.0.0.1:{port}");
        let client = runtime
            .block_on(async {
                ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(&address).await
            })
            .map_err(|error| format!("Chromium did not start: {error}"))?;
        Ok(Self { runtime, client, _driver: driver })
    }
}

impl Chromium {
    pub fn go(&self, address: &str) -> Result<(), String> {
        self.command(self.client.goto(address))
    }

    /// Runs a script in the page and returns what it returns.
    pub fn script(&self, script: &str, arguments: Vec<Value>) -> Result<Value, String> {
        self.command(self.client.execute(script, arguments))
    }

    /// Waits for the element to be there and clicks it.
    pub fn click(&self, xpath: &str) -> Result<(), String> {
        let element = wait(
            Duration::from_secs(15),
            || format!("nothing to click at {xpath}"),
            || {
                let found = self.command(self.client.find_all(Locator::XPath(xpath)))?;
                for element in found {
                    if self.command(element.is_displayed())? {
                        return Ok(Some(element));
                    }
                }
                Ok(None)
            },
        )?;
        self.command(element.click())
    }

    /// Types into whatever has the focus.
    pub fn type_text(&self, text: &str) -> Result<(), String> {
        self.keys(text.chars().flat_map(|key| [KeyAction::Down { value: key }, KeyAction::Up { value: key }]))
    }

    /// Presses two keys at once.
    pub fn chord(&self, held: Key, key: Key) -> Result<(), String> {
        let (held, key) = (char::from(held), char::from(key));
        self.keys([
            KeyAction::Down { value: held },
            KeyAction::Down { value: key },
            KeyAction::Up { value: key },
            KeyAction::Up { value: held },
        ])
    }

    fn keys(&self, keys: impl IntoIterator<Item = KeyAction>) -> Result<(), String> {
        let actions = keys.into_iter().fold(KeyActions::new("keyboard".into()), KeyActions::then);
        self.command(self.client.perform_actions(actions))
    }

    /// A picture of the window in PNG.
    pub fn screenshot(&self) -> Result<Vec<u8>, String> {
        self.command(self.client.screenshot())
    }

    fn command<T>(&self, work: impl Future<Output = Result<T, CmdError>>) -> Result<T, String> {
        let done = self.runtime.block_on(async { tokio::time::timeout(COMMAND, work).await });
        match done {
            Ok(done) => done.map_err(|error| format!("the browser said: {error}")),
            Err(_) => Err(format!("the browser did not answer within {} s", COMMAND.as_secs())),
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // Killing it does as well, but leaves its goodbyes to the driver.
        let _ = self.command(self.client.clone().close());
    }
}

/// The driver's first lines name the port that it found free.
fn port(output: impl std::io::Read) -> Result<u16, String> {
    let lines = BufReader::new(output).lines().map_while(Result::ok);
    let mut named = lines.filter_map(|line| line.rsplit_once("on port ")?.1.trim_end_matches('.').parse().ok());
    named.find(|port| *port > 0).ok_or_else(|| "chromedriver named no port".into())
}
