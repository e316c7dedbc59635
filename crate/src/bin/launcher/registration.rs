//! What Jupyter knows of the kernel: one registration that JupyterLab lists, and the plain one to compare it with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::files;
use crate::project::Project;
use crate::toolchain::program;
use crate::{say, step};

/// Where the environment's Jupyter finds the kernel.
pub fn listed(environment: &Path) -> PathBuf {
    environment.join("share/jupyter/kernels/rust/kernel.json")
}

/// The plain kernel's registration, which no Jupyter lists: its folder is on no path of Jupyter's.
pub fn stock(project: &Project) -> PathBuf {
    stock_kernels(project).join("rust/kernel.json")
}

/// The folder that holds nothing but the plain kernel.
pub fn stock_kernels(project: &Project) -> PathBuf {
    project.state().join("stock/kernels")
}

/// Registers the tuned kernel for the notebooks and the plain one beside it.
pub fn register(project: &Project, evcxr: &Path) -> Result<(), Failure> {
    let plain = contents(project, evcxr, &["--control_file"])?;
    files::write_changed(&stock(project), &plain)?;
    // Elsewhere than on Unix no process can become another, so that nothing would tell when a tuned kernel has died.
    let contents = if cfg!(unix) {
        contents(project, &keep_launcher(project)?, &["--root", text(project.root())?, "kernel"])?
    } else {
        plain
    };
    let path = listed(&project.environment());
    if fs::read_to_string(&path).is_ok_and(|present| present == contents) {
        return Ok(());
    }
    say("Registering the kernel under the name `rust` inside `.venv`.");
    // Its own installer brings the icons and shows that the program runs.
    let share = project.environment().join("share/jupyter");
    let mut installer = Command::new(evcxr);
    installer.arg("--install").env("JUPYTER_PATH", share).stdout(Stdio::null());
    step::run("Registering the kernel", &mut installer)?;
    files::write_whole(&path, &contents)
}

/// Copies this program to where `cargo clean` and the next build do not reach it: open notebooks start kernels with it.
fn keep_launcher(project: &Project) -> Result<PathBuf, Failure> {
    let kept = project.state().join("bin").join(program("d2l-notebooks"));
    let copied = std::env::current_exe().and_then(|running| {
        let contents = fs::read(&running)?;
        if running == kept || fs::read(&kept).is_ok_and(|present| present == contents) {
            return Ok(());
        }
        // Under another name first: a running kernel's program cannot be written over.
        let part = kept.with_extension("part");
        fs::create_dir_all(project.state().join("bin"))?;
        fs::copy(&running, &part)?;
        fs::rename(&part, &kept)
    });
    copied.map_err(|error| Failure::writing(&kept, &error))?;
    Ok(kept)
}

/// The kernel's own registration, with one thing more: a starting kernel brings the registration that JUPYTER_PATH (or
/// the reader's own Jupyter folder) holds up to date. Pointed at a folder without any, it writes nothing.
fn contents(project: &Project, program: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let arguments = [text(program)?].into_iter().chain(arguments.iter().copied()).chain(["{connection_file}"]);
    let argv: Vec<_> = arguments.map(json_string).collect();
    Ok(format!(
        "{{\n  \"argv\": [{}],\n  \"display_name\": \"Rust\",\n  \"language\": \"rust\",\n  \
         \"interrupt_mode\": \"message\",\n  \"env\": {{\"JUPYTER_PATH\": {}}}\n}}\n",
        argv.join(", "),
        json_string(text(&project.state().join("jupyter"))?)
    ))
}

fn text(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| {
        Failure::new(format!(
            "`{}` is not valid Unicode, which Jupyter needs; move the clone elsewhere.",
            path.display()
        ))
    })
}

fn json_string(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\0'..='\u{1f}' => quoted.push_str(&format!("\\u{:04x}", u32::from(letter))),
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_json_string() {
        assert_eq!(json_string("C:\\ąč \"x\"\n"), r#""C:\\ąč \"x\"\u000a""#);
    }
}
