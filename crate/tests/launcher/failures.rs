//! Every failure ends in one sentence with the cause and the remedy.

use std::net::TcpListener;
#[cfg(target_os = "linux")]
use std::os::unix::fs::symlink;

use crate::conda;
use crate::scene::Scene;

#[test]
fn no_python() {
    let scene = Scene::new("no_python").without("bin/python3");
    scene.fails(&["setup"], "No Python was found on the PATH", "install Python 3.10 or later");
}

#[test]
fn python_too_old() {
    let scene = Scene::new("too_old").with("PYTHON", "3.8.10 able");
    scene.fails(&["setup"], "Python 3.8.10 is too old", "install Python 3.10 or later");
}

#[test]
fn an_environment_of_the_readers_own_is_left_alone() {
    let scene = Scene::new("own_environment").add_file("clone/.venv/notes.txt", "mine");
    scene.fails(&["setup"], "`", ".venv` is not made by this program and stays as it is; move it away");
    assert_eq!(std::fs::read_to_string(scene.clone().join(".venv/notes.txt")).unwrap(), "mine");

    let scene = Scene::new("linked_environment").add_file("precious/thesis.txt", "mine");
    std::os::unix::fs::symlink(scene.folder.join("precious"), scene.clone().join(".venv")).unwrap();
    scene.fails(&["setup"], "`", ".venv` is a link and stays as it is; move it away");
    assert_eq!(std::fs::read_to_string(scene.folder.join("precious/thesis.txt")).unwrap(), "mine");
}

#[test]
fn no_venv_module() {
    let scene = Scene::new("no_venv").with("PYTHON", "3.11.2 unable");
    scene.fails(&["setup"], "Python 3.11.2 has no `venv` module", "sudo apt install python3-venv");
}

#[test]
fn no_network_for_pip() {
    let said = "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...)'
ERROR: Could not find a version that satisfies the requirement jupyterlab (from versions: none)";
    let scene = Scene::new("pip_network").with("PIP", format!("echo \"{said}\" >&2; exit 1"));
    scene.fails(&["setup"], "Installing JupyterLab stopped: the network", "check the connection");
}

#[test]
fn no_network_for_cargo() {
    let said = "error: failed to download from the index\n  [6] Could not resolve hostname";
    let scene = Scene::new("cargo_network").with("CARGO_INSTALL", format!("echo '{said}' >&2; exit 101"));
    scene.fails(&["setup"], "Installing evcxr_jupyter 0.22.0 stopped: the network", "check the connection");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_under_a_tool() {
    // A tool's own words on a device that is always full, then a traceback as Python would leave it.
    let fill = "head -c 1 /dev/zero > /dev/full || { echo Traceback >&2; exit 2; }";
    let pip = Scene::new("pip_disk").with("PIP", fill);
    pip.fails(&["setup"], "Installing JupyterLab stopped: the disk is full", "free about 2 GB");
    let cargo = Scene::new("cargo_disk").with("CARGO_INSTALL", fill);
    cargo.fails(&["setup"], "Installing evcxr_jupyter 0.22.0 stopped: the disk is full", "free about 2 GB");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_under_the_launcher() {
    let scene = Scene::new("own_disk").add_file("clone/.venv/d2l/lock", "");
    symlink("/dev/full", scene.clone().join(".venv/d2l/stamp.part")).unwrap();
    scene.fails(&["setup"], "`", "could not be written: the disk is full; free about 2 GB");
}

#[test]
#[cfg(target_os = "linux")]
fn no_permission_to_write_the_clone() {
    // Even root makes no folder there, so the test holds in a container too.
    let scene = Scene::new("own_permission");
    std::fs::create_dir(scene.clone().join(".venv")).unwrap();
    symlink("/sys/kernel", scene.clone().join(".venv/d2l")).unwrap();
    scene.fails(&["setup"], "`", "for want of permission; make the clone's folder your own");
}

#[test]
fn no_permission_for_a_tool() {
    let said = "ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: x";
    let scene = Scene::new("pip_permission").with("PIP", format!("echo '{said}' >&2; exit 1"));
    scene.fails(
        &["setup"],
        "Installing JupyterLab stopped: a file could not be written",
        "make the folder named above",
    );
}

#[test]
fn a_file_in_the_way_of_the_environment() {
    let scene = Scene::new("in_the_way").add_file("clone/.venv", "a file");
    scene.fails(&["setup"], "`", ".venv` is not made by this program and stays as it is; move it away");
}

#[test]
fn cargo_missing() {
    let scene = Scene::new("no_cargo").without("bin/cargo");
    scene.fails(&["setup"], "Cargo was not found on the PATH", "install Rust 1.95 or later");
}

#[test]
fn no_sources_of_the_standard_library_and_no_rustup() {
    let scene = Scene::new("no_sources").with("SYSROOT", "/nowhere");
    scene.fails(&["setup"], "The toolchain has no sources", "`rustup component add rust-src`");
}

#[test]
fn no_network_for_rustup() {
    let fail = "echo 'error: could not download file from x' >&2; exit 1";
    let scene = Scene::new("rustup_network").add_tool("bin/rustup").with("SYSROOT", "/nowhere").with("RUSTUP", fail);
    scene.fails(&["setup"], "Adding the sources stopped: the network", "check the connection");
}

#[test]
fn a_tool_that_is_killed() {
    let scene = Scene::new("killed").with("CARGO_INSTALL", "kill -9 $$");
    scene.fails(&["setup"], "Installing evcxr_jupyter 0.22.0 stopped: the tool was killed", "close other programs");
}

#[test]
fn a_tool_that_fails_for_a_reason_of_its_own() {
    let said = "Traceback (most recent call last):\n  File x, line 1\nKeyError: odd";
    let scene = Scene::new("odd").with("PIP", format!("echo '{said}' >&2; exit 2"));
    scene.fails(
        &["setup"],
        "Installing JupyterLab stopped: the tool ended with exit code 2",
        "delete the folder `.venv`",
    );
}

#[test]
fn a_busy_port_is_told_before_anything_is_set_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let scene = Scene::new("busy");
    scene.fails(&["--port", &port], &format!("Port {port} is in use"), "name another one with `--port`");
    assert_eq!(scene.calls(), [""; 0]);
}

#[test]
fn a_conda_environment_that_does_not_fit() {
    conda("conda_version", "0.17.0").fails(
        &["setup"],
        "The active conda environment holds evcxr 0.17.0",
        "conda env update",
    );
    let unregistered = conda("conda_kernel", "0.22.0").without("conda/share/jupyter/kernels/rust/kernel.json");
    unregistered.fails(&["setup"], "The active conda environment has no kernel registered", "conda env update");
    let bare = conda("conda_cargo", "0.22.0").without("conda/bin/cargo");
    bare.fails(&["setup"], "The active conda environment has no cargo", "conda deactivate");
}

#[test]
fn no_kernel_registered_yet() {
    Scene::new("unregistered").fails(&["kernelspec"], "No kernel is registered yet", "cargo run -- setup");
}

#[test]
fn a_command_line_that_does_not_fit_has_an_exit_code_of_its_own() {
    let output = Scene::new("usage").run(&["start"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said.starts_with("`start` does not fit; the commands are `lt`, `uk`, `setup`, `kernelspec` and `kernel FILE`"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_root_that_is_no_clone() {
    let scene = Scene::new("no_clone").without("clone/requirements.txt");
    let output = scene.run(&["setup"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("which is no clone of the notebooks"), "{said}");
}
