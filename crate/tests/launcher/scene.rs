//! A clone, a home and a PATH of the test's own, with stand-ins for the tools.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const TOOL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/launcher/fake_tool.sh");

/// Everything the launcher can see.
pub struct Scene {
    pub folder: PathBuf,
    environment: Vec<(&'static str, String)>,
}

impl Scene {
    /// A fresh clone and a machine with Python and Rust; `name` keeps tests apart.
    pub fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("launcher").join(name);
        let _ = fs::remove_dir_all(&folder);
        let scene = Self { folder, environment: Vec::new() };
        fs::create_dir_all(scene.clone().join("notebooks")).unwrap();
        fs::create_dir_all(scene.folder.join("home")).unwrap();
        fs::create_dir_all(scene.folder.join("sysroot/lib/rustlib/src/rust/library")).unwrap();
        scene.pin("jupyterlab==1.0\n");
        fs::write(scene.clone().join("Cargo.lock"), "version = 4\n").unwrap();
        scene.add_tool("bin/python3").add_tool("bin/cargo").add_tool("bin/rustc")
    }

    pub fn clone(&self) -> PathBuf {
        self.folder.join("clone")
    }

    pub fn pin(&self, requirements: &str) {
        fs::write(self.clone().join("requirements.txt"), requirements).unwrap();
    }

    pub fn add_tool(self, path: &str) -> Self {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(TOOL, path).unwrap();
        self
    }

    pub fn add_file(self, path: &str, contents: &str) -> Self {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
        self
    }

    pub fn without(self, path: &str) -> Self {
        fs::remove_file(self.folder.join(path)).unwrap();
        self
    }

    /// Sets a variable for the launcher and the stand-ins until it is set again.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_d2l-notebooks"));
        command
            .env_clear()
            .env("TOOL", TOOL)
            .env("CALLS", self.folder.join("calls"))
            .env("PATH", self.folder.join("bin"))
            .env("HOME", self.folder.join("home"))
            .env("SYSROOT", self.folder.join("sysroot"))
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .arg("--root")
            .arg(self.clone())
            .args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs, expects success and returns standard output and the calls that this run has made.
    #[track_caller]
    pub fn succeeds(&self, arguments: &[&str]) -> (String, Vec<String>) {
        let _ = fs::remove_file(self.folder.join("calls"));
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (String::from_utf8(output.stdout).unwrap(), self.calls())
    }

    pub fn calls(&self) -> Vec<String> {
        let calls = fs::read_to_string(self.folder.join("calls")).unwrap_or_default();
        calls.lines().map(str::to_owned).collect()
    }

    /// Runs, expects the exit code 1 and that the last line is one sentence that begins and goes on as given.
    #[track_caller]
    pub fn fails(&self, arguments: &[&str], begins: &str, remedy: &str) {
        let output = self.run(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        let last = said.lines().last().unwrap_or_default();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(last.starts_with(begins) && last.contains(remedy) && last.ends_with('.'), "{said}");
    }
}
