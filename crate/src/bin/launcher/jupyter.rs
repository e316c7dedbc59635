//! The server.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::files;
use crate::project::{Language, Project};
use crate::setup::Tools;
use crate::{say, step, toolchain};

/// What Python runs.
const SERVER: &str = include_str!("server.py");

/// Fails when the port cannot be listened on: Jupyter would take another one and say so in the middle of its log.
pub fn check_port(port: u16) -> Result<(), Failure> {
    let Err(error) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)) else { return Ok(()) };
    let remedy = "name another one with `--port`, or leave it out and a free one is found";
    Err(Failure::new(match error.kind() {
        ErrorKind::AddrInUse => format!("Port {port} is in use by another program; {remedy}."),
        ErrorKind::PermissionDenied => format!("Port {port} is kept for the system; {remedy}."),
        _ => format!("Port {port} cannot be listened on ({error}); {remedy}."),
    }))
}

/// Becomes JupyterLab; returns only when that fails (or, on Windows, when JupyterLab has ended).
pub fn start(
    project: &Project,
    tools: &Tools,
    language: Language,
    port: Option<u16>,
    browser: bool,
) -> Result<(), Failure> {
    let home = project.state().join("jupyter");
    let mut command = tools.python.command();
    command
        .args(["-c", SERVER, "--ServerApp.ip=127.0.0.1"])
        // Without this Ctrl-C asks in a terminal whether it was meant.
        .arg("--ServerApp.answer_yes=True")
        // The address stands out only where the server's everyday notes do not surround it.
        .arg("--ServerApp.log_level=WARN")
        // What a new notebook in this clone is written in.
        .arg("--MultiKernelManager.default_kernel_name=rust")
        .arg(format!("--ServerApp.open_browser={}", if browser { "True" } else { "False" }))
        .arg("--LabApp.custom_css=True")
        .arg(option("--ServerApp.root_dir=", &project.notebooks()));
    if let Some(port) = port {
        command.arg(format!("--ServerApp.port={port}")).arg("--ServerApp.port_retries=0");
    }
    if let Some(notebook) = project.first_notebook(language) {
        command.arg(format!("--LabApp.default_url=/lab/tree/{notebook}"));
    }
    if prepare_home(&home)? {
        // Jupyter refuses to start as root, who is the ordinary user in a container; it stays on loopback with a token.
        command.arg("--ServerApp.allow_root=True");
    }
    isolate(&mut command, &home);
    command.env("PATH", toolchain::path_after(tools.cargo.parent()));
    say("Starting JupyterLab on 127.0.0.1; its address with the token follows. Ctrl-C stops it and its kernels.");
    // One process, so that every signal reaches JupyterLab itself.
    step::become_tool("JupyterLab", &mut command)
}

/// The reader's own Jupyter stays out: its settings and kernels would change what the notebooks do, and what is done
/// here (trust, layout, settings) would end up among them.
pub fn isolate(command: &mut Command, home: &Path) {
    command
        .env("JUPYTER_CONFIG_DIR", home.join("config"))
        .env("JUPYTER_DATA_DIR", home.join("data"))
        .env("JUPYTER_RUNTIME_DIR", home.join("runtime"))
        .env("JUPYTER_PATH", home)
        .env("IPYTHONDIR", home.join("ipython"));
    for name in [
        "JUPYTER_CONFIG_PATH",
        "JUPYTER_NO_CONFIG",
        "JUPYTER_PREFER_ENV_PATH",
        "JUPYTERLAB_DIR",
        "JUPYTERLAB_SETTINGS_DIR",
        "JUPYTERLAB_WORKSPACES_DIR",
    ] {
        command.env_remove(name);
    }
}

/// Makes Jupyter's folders, so that a full disk or a read-only clone is told in a sentence and not in a traceback;
/// returns whether they belong to root.
fn prepare_home(home: &Path) -> Result<bool, Failure> {
    files::make_folder(&home.join("runtime"))?;
    files::write_changed(&home.join("config/custom/custom.css"), include_str!("errors.css"))?;
    // No question about news in front of the first notebook.
    let settings = home.join("config/labconfig/page_config.json");
    files::write_whole(
        &settings,
        "{\"disabledExtensions\": {\"@jupyterlab/apputils-extension:announcements\": true}}\n",
    )?;
    Ok(is_root(&settings))
}

#[cfg(unix)]
fn is_root(written: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(written).is_ok_and(|file| file.uid() == 0)
}

#[cfg(not(unix))]
fn is_root(_: &Path) -> bool {
    false
}

fn option(name: &str, path: &Path) -> OsString {
    let mut option = OsString::from(name);
    option.push(path);
    option
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_port_is_named_with_the_remedy() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let failure = check_port(port).unwrap_err();
        assert!(failure.sentence.starts_with(&format!("Port {port} is in use by another program; name another")));
        drop(listener);
        check_port(port).unwrap();
    }
}
