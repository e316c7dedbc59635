//! The launcher against stand-ins for Python, Cargo and the kernel: every step, every interruption, every failure.
#![cfg(unix)]

mod failures;
mod kernels;
mod scene;

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use scene::Scene;

const WHOLE: [&str; 6] = ["venv", "ensurepip", "pip", "cargo 0.22.0", "register", "template"];

/// Makes the stand-in for the server print what it was given, one argument a line.
const SHOW_ARGUMENTS: &str = "printf '%s\\n' \"$@\"";

#[test]
fn the_second_set_up_does_nothing() {
    let scene = Scene::new("second");
    assert_eq!(scene.succeeds(&["setup"]).1, WHOLE);
    assert_eq!(scene.succeeds(&["setup"]).1, [""; 0]);
}

#[test]
fn nothing_is_written_to_the_readers_own_folders_but_the_kernel() {
    let scene = Scene::new("own_folders").with("SERVER", "true");
    scene.succeeds(&["--no-browser"]);
    let names: Vec<_> =
        fs::read_dir(scene.folder.join("home")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, [".cargo"]);
}

#[test]
fn the_kernel_is_registered_inside_the_environment() {
    let scene = Scene::new("registered");
    scene.succeeds(&["setup"]);
    let (printed, calls) = scene.succeeds(&["kernelspec"]);
    let path = scene.clone().join(".venv/share/jupyter/kernels/rust/kernel.json");
    assert_eq!(printed, format!("{}\n", path.display()));
    assert_eq!(calls, [""; 0]);
    let contents = fs::read_to_string(path).unwrap();
    let clone = scene.clone().canonicalize().unwrap();
    let program = clone.join(".venv/d2l/bin/d2l-notebooks");
    let argv = format!(
        "\"argv\": [\"{}\", \"--root\", \"{}\", \"kernel\", \"{{connection_file}}\"]",
        program.display(),
        clone.display()
    );
    assert!(contents.contains(&argv), "{contents}");
    assert!(contents.contains("\"interrupt_mode\": \"message\""), "{contents}");
    let stock = fs::read_to_string(scene.succeeds(&["kernelspec", "--stock"]).0.trim_end()).unwrap();
    let program = scene.folder.join("home/.cargo/bin/evcxr_jupyter");
    assert!(stock.contains(&format!("\"argv\": [\"{}\", \"--control_file\"", program.display())), "{stock}");
}

#[test]
fn changed_pins_are_installed_into_the_environment_that_is_there() {
    let scene = Scene::new("pins");
    scene.succeeds(&["setup"]);
    scene.pin("jupyterlab==2.0\n");
    assert_eq!(scene.succeeds(&["setup"]).1, ["pip"]);
    assert_eq!(scene.succeeds(&["setup"]).1, [""; 0]);
}

#[test]
fn another_python_in_the_environment_makes_it_anew() {
    let scene = Scene::new("another_python");
    scene.succeeds(&["setup"]);
    let scene = scene.with("PYTHON", "3.12.1 able");
    assert_eq!(scene.succeeds(&["setup"]).1, ["venv", "ensurepip", "pip", "register"]);
}

#[test]
fn a_moved_clone_is_set_up_anew() {
    let scene = Scene::new("moved");
    scene.succeeds(&["setup"]);
    let moved = Scene::new("moved_here");
    fs::remove_dir_all(moved.clone()).unwrap();
    fs::rename(scene.clone(), moved.clone()).unwrap();
    assert_eq!(moved.succeeds(&["setup"]).1, WHOLE);
}

#[test]
fn a_half_made_environment_is_made_anew() {
    let scene = Scene::new("half")
        .add_file("clone/.venv/bin/python", "cut off in the midd")
        .add_file("clone/.venv/d2l/lock", "");
    assert_eq!(scene.succeeds(&["setup"]).1, WHOLE);
}

#[test]
fn a_set_up_goes_on_after_the_last_step_that_ended() {
    let scene = Scene::new("goes_on").with("PIP", "exit 1");
    scene.fails(&["setup"], "Installing JupyterLab stopped", "exit code 1");
    let scene = scene.with("PIP", "").with("CARGO_INSTALL", "exit 1");
    scene.fails(&["setup"], "Installing evcxr_jupyter 0.22.0 stopped", "exit code 1");
    assert_eq!(scene.calls(), ["venv", "ensurepip", "pip", "pip", "cargo 0.22.0"]);
    let scene = scene.with("CARGO_INSTALL", "");
    assert_eq!(scene.succeeds(&["setup"]).1, ["cargo 0.22.0", "register", "template"]);
}

#[test]
fn an_interrupt_stops_the_tool_and_the_next_run_goes_on() {
    let hang = "touch \"$CALLS.hanging\"; exec sleep 60";
    let scene = Scene::new("interrupt").with("CARGO_INSTALL", hang);
    let mut launcher = scene.command(&["setup"]).process_group(0).stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while !scene.folder.join("calls.hanging").exists() {
        assert!(start.elapsed() < Duration::from_secs(20), "the build never began");
        thread::sleep(Duration::from_millis(20));
    }
    let group = format!("-{}", launcher.id());
    let kill = |signal: &str| Command::new("/bin/sh").args(["-c", &format!("kill {signal} {group}")]).status().unwrap();
    kill("-INT");
    assert!(!launcher.wait().unwrap().success());
    while kill("-0 2>/dev/null").success() {
        assert!(start.elapsed() < Duration::from_secs(20), "a tool outlived the interrupt");
        thread::sleep(Duration::from_millis(20));
    }
    let scene = scene.with("CARGO_INSTALL", "");
    assert_eq!(scene.succeeds(&["setup"]).1, ["cargo 0.22.0", "register", "template"]);
}

#[test]
fn two_set_ups_at_once_do_each_step_once() {
    let scene = Scene::new("at_once").with("PIP", "sleep 0.5");
    let mut first = scene.command(&["setup"]).stderr(Stdio::null()).spawn().unwrap();
    let mut second = scene.command(&["setup"]).stderr(Stdio::null()).spawn().unwrap();
    assert!(first.wait().unwrap().success() && second.wait().unwrap().success());
    assert_eq!(scene.calls(), WHOLE);
}

#[test]
fn a_tool_that_outlives_its_launcher_is_waited_for() {
    // Two at a time would fail.
    let alone = "mkdir \"$CALLS.alone\" || exit 1; sleep 1; rmdir \"$CALLS.alone\"";
    let scene = Scene::new("outlives").with("PIP", alone);
    let mut launcher = scene.command(&["setup"]).stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while !scene.folder.join("calls.alone").exists() {
        assert!(start.elapsed() < Duration::from_secs(20), "pip never began");
        thread::sleep(Duration::from_millis(20));
    }
    launcher.kill().unwrap();
    launcher.wait().unwrap();
    let calls = scene.succeeds(&["setup"]).1;
    assert_eq!(calls[calls.len() - 4..], ["pip", "cargo 0.22.0", "register", "template"]);
}

#[test]
fn missing_sources_of_the_standard_library_are_added_once() {
    let scene = Scene::new("sources").add_tool("bin/rustup");
    let empty = scene.folder.join("bare_sysroot").display().to_string();
    let scene = scene.with("SYSROOT", empty);
    assert_eq!(
        scene.succeeds(&["setup"]).1,
        ["rustup", "venv", "ensurepip", "pip", "cargo 0.22.0", "register", "template"]
    );
    assert_eq!(scene.succeeds(&["setup"]).1, [""; 0]);
}

#[test]
fn another_evcxr_stays_and_the_right_one_is_installed_beside_it() {
    let scene = Scene::new("another_evcxr").add_tool("home/.cargo/bin/evcxr_jupyter").add_file(
        "home/.cargo/.crates.toml",
        "[v1]\n\"evcxr_jupyter 0.21.1 (registry+there)\" = [\"evcxr_jupyter\"]\n",
    );
    let output = scene.run(&["setup"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && said.contains("evcxr_jupyter 0.21.1 in") && said.contains("need 0.22.0"),
        "{said}"
    );
    let notes = fs::read_to_string(scene.folder.join("home/.cargo/.crates.toml")).unwrap();
    assert!(notes.contains("0.21.1"), "{notes}");
    let stock = scene.clone().join(".venv/d2l/stock/kernels/rust/kernel.json");
    assert!(fs::read_to_string(stock).unwrap().contains(".venv/d2l/evcxr/bin/evcxr_jupyter"));
    assert_eq!(scene.succeeds(&["setup"]).1, [""; 0]);
}

#[test]
fn an_evcxr_on_the_path_is_used_when_its_version_is_known() {
    let scene = Scene::new("on_the_path")
        .add_tool("elsewhere/bin/evcxr_jupyter")
        .add_file("elsewhere/.crates.toml", "\"evcxr_jupyter 0.22.0 (registry+there)\" = [\"evcxr_jupyter\"]\n");
    let path = format!("{0}/bin:{0}/elsewhere/bin", scene.folder.display());
    assert_eq!(scene.with("PATH", path).succeeds(&["setup"]).1, ["venv", "ensurepip", "pip", "register", "template"]);
    let unknown = Scene::new("unknown_version").add_tool("bin/evcxr_jupyter");
    assert_eq!(unknown.succeeds(&["setup"]).1, WHOLE);
    assert!(unknown.clone().join(".venv/d2l/evcxr/bin/evcxr_jupyter").exists());
}

#[test]
fn the_server_is_started_on_loopback_with_the_notebook() {
    let notebook = "lt/11-1-uzklausos-raktai-reiksmes.ipynb";
    let scene =
        Scene::new("server").with("SERVER", SHOW_ARGUMENTS).add_file(&format!("clone/notebooks/{notebook}"), "{}");
    let (printed, _) = scene.succeeds(&["--no-browser"]);
    let root = format!("--ServerApp.root_dir={}", scene.clone().join("notebooks").display());
    let page = format!("--LabApp.default_url=/lab/tree/{notebook}");
    for expected in ["--ServerApp.ip=127.0.0.1", "--ServerApp.open_browser=False", &root, &page] {
        assert!(printed.lines().any(|line| line == expected), "{expected} is not among\n{printed}");
    }
    assert!(!printed.contains("--ServerApp.port"), "{printed}");
}

#[test]
fn a_language_opens_its_first_notebook() {
    let scene =
        Scene::new("language").with("SERVER", SHOW_ARGUMENTS).add_file("clone/notebooks/uk/1-sumish.ipynb", "{}");
    let (printed, _) = scene.succeeds(&["uk", "--no-browser"]);
    assert!(printed.contains("--LabApp.default_url=/lab/tree/uk/1-sumish.ipynb\n"), "{printed}");
}

#[test]
fn the_server_keeps_its_files_in_the_clone_and_finds_the_toolchain_first() {
    let scene = Scene::new("server_folders");
    let show = "printf '%s\\n' \"$JUPYTER_CONFIG_DIR\" \"$JUPYTER_DATA_DIR\" \"$JUPYTER_RUNTIME_DIR\" \"$SEEN\"";
    let path = format!("{0}/decoy:{0}/bin", scene.folder.display());
    let (printed, _) = scene.with("SERVER", show).with("PATH", &path).succeeds(&[]);
    let folder = path.split_once("/decoy").unwrap().0;
    let state = format!("{folder}/clone/.venv/d2l/jupyter");
    assert_eq!(printed, format!("{state}/config\n{state}/data\n{state}/runtime\n{folder}/bin:{path}\n"));
}

#[test]
fn a_port_that_is_asked_for_is_the_only_one() {
    let scene = Scene::new("port").with("SERVER", SHOW_ARGUMENTS);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (printed, _) = scene.succeeds(&["--port", &free.to_string()]);
    assert!(printed.contains(&format!("--ServerApp.port={free}\n--ServerApp.port_retries=0")), "{printed}");
    assert!(printed.contains("--ServerApp.open_browser=True"), "{printed}");
}

#[test]
fn an_active_conda_environment_is_used_as_it_is() {
    let scene = conda("conda", "0.22.0").with("SERVER", "true");
    assert_eq!(scene.succeeds(&["--no-browser"]).1, ["server"]);
    let (printed, _) = scene.succeeds(&["kernelspec"]);
    assert_eq!(printed, format!("{}/conda/share/jupyter/kernels/rust/kernel.json\n", scene.folder.display()));
}

#[test]
fn an_active_conda_environment_without_the_tools_is_no_concern() {
    let scene = Scene::new("conda_base").add_tool("conda/bin/python");
    let prefix = scene.folder.join("conda").display().to_string();
    assert_eq!(scene.with("CONDA_PREFIX", prefix).succeeds(&["setup"]).1, WHOLE);
}

/// A scene inside an active environment made from `environment.yml`.
fn conda(name: &str, evcxr: &str) -> Scene {
    let scene = Scene::new(name)
        .add_tool("conda/bin/python")
        .add_tool("conda/bin/cargo")
        .add_tool("conda/bin/jupyter-lab")
        .add_tool("conda/bin/evcxr_jupyter")
        .add_file("conda/share/jupyter/kernels/rust/kernel.json", "{}")
        .add_file(&format!("conda/conda-meta/evcxr-{evcxr}-h1234567_0.json"), "{}");
    let prefix = scene.folder.join("conda").display().to_string();
    scene.with("CONDA_PREFIX", prefix)
}
