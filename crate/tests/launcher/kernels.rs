//! The kernels' build folders: made, held, and cleared up however a kernel ends.

use std::fs::{self, File, FileTimes};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::scene::Scene;

/// A stand-in kernel that says it runs, then waits as one whose cell loops for ever.
const WAIT: &str = "echo \"$EVCXR_TMPDIR\" > \"$CALLS.$$\"; exec sleep 60";

/// A process of this test, killed when the test ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// A kernel as JupyterLab starts it, in a process group that it leads.
fn start(scene: &Scene) -> (Running, PathBuf) {
    let mut command = scene.command(&["kernel", "connection.json"]);
    command.process_group(0).stdin(Stdio::null());
    let kernel = Running(command.spawn().unwrap());
    let said = scene.folder.join(format!("calls.{}", kernel.0.id()));
    wait_until("the kernel starts", || fs::read_to_string(&said).is_ok_and(|said| said.ends_with('\n')));
    (kernel, fs::read_to_string(said).unwrap().trim_end().into())
}

fn set_up(name: &str) -> Scene {
    let scene = Scene::new(name);
    scene.succeeds(&["setup"]);
    scene.with("KERNEL", WAIT)
}

#[track_caller]
fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(20), "waited 20 s until {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Names of the build folders, without the template.
fn builds(scene: &Scene) -> Vec<String> {
    let entries = fs::read_dir(scene.clone().join(".kernels")).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    names.filter(|name| name != "template" && !name.starts_with('.')).collect()
}

fn reaper_of(kernel: &Running) -> u32 {
    let id = kernel.0.id().to_string();
    let mut processes = fs::read_dir("/proc").unwrap().flatten().filter_map(|process| {
        let arguments = fs::read_to_string(process.path().join("cmdline")).ok()?;
        let mut arguments = arguments.split('\0');
        let reaps = arguments.any(|argument| argument == "reap") && arguments.any(|argument| argument == id);
        reaps.then(|| process.file_name().to_str()?.parse().ok())?
    });
    processes.next().expect("a reaper beside the kernel")
}

fn signal(name: &str, target: u32) {
    assert!(Command::new("kill").args(["-s", name, &target.to_string()]).status().unwrap().success());
}

#[test]
fn a_kernel_gets_a_warm_folder_of_its_own() {
    let scene = set_up("warm");
    let template = scene.clone().join(".kernels/template");
    assert!(!template.join("target/incremental").exists(), "what only cells have left is not kept");
    assert!(!template.join("lock").exists());
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let rlib = File::options().write(true).open(template.join("target/libd2l.rlib")).unwrap();
    rlib.set_times(FileTimes::new().set_modified(old)).unwrap();
    let (mut first, folder) = start(&scene);
    let (_second, other) = start(&scene);
    assert_ne!(folder, other);
    for folder in [&folder, &other] {
        let copied = folder.join("target/libd2l.rlib");
        assert_eq!(fs::read_to_string(&copied).unwrap(), "warm\n");
        assert_eq!(fs::metadata(copied).unwrap().modified().unwrap(), old);
        assert!(File::open(folder.join("lock")).unwrap().try_lock().is_err(), "the running kernel holds its folder");
    }
    first.kill();
    wait_until("the ended kernel's folder is gone", || !folder.exists());
    assert!(other.exists());
}

#[test]
fn a_kernel_that_ends_by_itself_leaves_nothing() {
    let scene = set_up("ends").with("KERNEL", "echo \"$EVCXR_TMPDIR $EVCXR_CONFIG_DIR\"; exit 3");
    let output = scene.run(&["kernel", "connection.json"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    let (folder, settings) = said.trim_end().split_once(' ').unwrap();
    assert!(fs::read_to_string(format!("{settings}/evcxr.toml")).unwrap().contains("opt_level = \"0\""));
    wait_until("its folder is gone", || !PathBuf::from(folder).exists());
    assert_eq!(builds(&scene), [""; 0]);
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_killed_kernel_had_started_ends_with_it() {
    let scene = set_up("group").with("KERNEL", "sleep 61 < /dev/null & echo $! > \"$CALLS.cell\"; eval \"$WAIT\"");
    let scene = scene.with("WAIT", WAIT);
    let (mut kernel, folder) = start(&scene);
    let cell = fs::read_to_string(scene.folder.join("calls.cell")).unwrap();
    let cell = PathBuf::from(format!("/proc/{}/stat", cell.trim()));
    kernel.kill();
    wait_until("the folder is gone", || !folder.exists());
    wait_until("the cell's process is gone", || fs::read_to_string(&cell).map_or(true, |stat| stat.contains(") Z ")));
}

#[test]
#[cfg(target_os = "linux")]
fn the_next_start_sweeps_after_a_killed_kernel_and_reaper() {
    let scene = set_up("swept");
    let (mut kernel, folder) = start(&scene);
    signal("KILL", reaper_of(&kernel));
    kernel.kill();
    thread::sleep(Duration::from_millis(300));
    assert!(folder.exists(), "nobody was there to clear up");
    let (_kernel, other) = start(&scene);
    assert!(!folder.exists() && other.exists());
    scene.succeeds(&["setup"]);
    assert!(other.exists(), "the set-up leaves a running kernel's folder alone");
}

#[test]
#[cfg(target_os = "linux")]
fn a_kernel_ends_with_the_server_that_started_it() {
    let scene = set_up("server");
    let mut server = Running(Command::new("sleep").arg("60").spawn().unwrap());
    let scene = scene.with("JPY_PARENT_PID", server.0.id().to_string());
    let (mut kernel, folder) = start(&scene);
    thread::sleep(Duration::from_secs(3));
    assert!(kernel.0.try_wait().unwrap().is_none() && folder.exists(), "the kernel lives as long as its server");
    server.kill();
    wait_until("the kernel is ended", || kernel.0.try_wait().unwrap().is_some());
    wait_until("its folder is gone", || !folder.exists());
}

#[test]
fn without_a_template_a_kernel_starts_in_an_empty_folder() {
    let scene = set_up("no_template").with("TEMPLATE", "exit 1");
    fs::remove_dir_all(scene.clone().join(".kernels/template")).unwrap();
    let (_kernel, folder) = start(&scene);
    let names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["lock"]);
}

#[test]
fn a_template_that_no_longer_fits_is_used_and_then_renewed() {
    let scene = set_up("stale").add_tool("bin/nice");
    let source = scene.clone().join("crate/src/lib.rs");
    fs::create_dir_all(source.parent().unwrap()).unwrap();
    fs::write(source, "// edited\n").unwrap();
    let stamp = scene.clone().join(".kernels/template/stamp");
    let before = fs::read_to_string(&stamp).unwrap();
    let (mut kernel, folder) = start(&scene);
    assert!(folder.join("target/libd2l.rlib").is_file(), "the old template serves as long as there is no other");
    kernel.kill();
    wait_until("the template is renewed", || fs::read_to_string(&stamp).is_ok_and(|stamp| stamp != before));
    wait_until("nothing is left", || builds(&scene).is_empty());
    assert_eq!(scene.succeeds(&["setup"]).1, [""; 0]);
}

#[test]
fn the_set_up_renews_the_template_for_another_compiler_and_for_other_versions() {
    let scene = set_up("renewed").with("RUSTC", "rustc 1.96.0");
    assert_eq!(scene.succeeds(&["setup"]).1, ["template"]);
    fs::write(scene.clone().join("Cargo.lock"), "version = 5\n").unwrap();
    assert_eq!(scene.succeeds(&["setup"]).1, ["template"]);
    assert_eq!(scene.succeeds(&["setup"]).1, [""; 0]);
}

#[test]
fn a_template_that_cannot_be_made_stops_nothing_and_leaves_the_old_one() {
    let scene = set_up("unmade").with("TEMPLATE", "echo 'error: no such crate' >&2; exit 1").with("RUSTC", "new");
    let output = scene.run(&["setup"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.contains("The notebooks work without that step"), "{said}");
    assert!(scene.clone().join(".kernels/template/target/libd2l.rlib").is_file());
    assert_eq!(builds(&scene), [""; 0]);
}

#[test]
fn a_kernel_starts_while_the_template_is_being_made() {
    let scene = set_up("being_made");
    let slow = scene.with("TEMPLATE", "touch \"$CALLS.building\"; sleep 3").with("RUSTC", "new");
    let mut building = Running(slow.command(&["setup"]).stderr(Stdio::null()).spawn().unwrap());
    wait_until("the build begins", || slow.folder.join("calls.building").exists());
    let (_kernel, folder) = start(&slow);
    assert!(folder.join("target/libd2l.rlib").is_file());
    assert!(building.0.try_wait().unwrap().is_none(), "the kernel did not wait for the build");
    assert!(building.0.wait().unwrap().success(), "the sweep of the kernel's start left the build alone");
}

#[test]
fn paths_may_hold_blanks_and_letters_of_any_language() {
    let scene = set_up("dėmesys ir увага \"x\"");
    let (mut kernel, folder) = start(&scene);
    assert!(folder.join("target/libd2l.rlib").is_file());
    kernel.kill();
    wait_until("its folder is gone", || !folder.exists());
}

#[test]
#[cfg(target_os = "linux")]
fn where_no_folder_can_be_made_the_kernel_starts_without() {
    let scene = set_up("no_room").with("KERNEL", "echo \"folder: $EVCXR_TMPDIR\"");
    fs::remove_dir_all(scene.clone().join(".kernels")).unwrap();
    std::os::unix::fs::symlink("/sys/kernel", scene.clone().join(".kernels")).unwrap();
    let output = scene.run(&["kernel", "connection.json"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "folder: \n", "{said}");
    assert!(output.status.success() && said.contains("starts without its warm build folder"), "{said}");
}

#[test]
fn a_folder_that_is_being_made_is_not_swept() {
    let scene = set_up("half_made");
    let (fresh, old) = (scene.clone().join(".kernels/fresh"), scene.clone().join(".kernels/old"));
    for folder in [&fresh, &old] {
        fs::create_dir(folder).unwrap();
    }
    let long_ago = FileTimes::new().set_modified(SystemTime::now() - Duration::from_secs(600));
    File::open(&old).unwrap().set_times(long_ago).unwrap();
    scene.succeeds(&["setup"]);
    assert_eq!(builds(&scene), ["fresh"]);
}
