//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::project::Language;
#[cfg(unix)]
use crate::reaper::Watch;

/// What `--help` prints.
pub const HELP: &str = "\
Opens the notebooks in JupyterLab with the Rust kernel; the first run sets both up inside this clone.

Usage: cargo run [-- [COMMAND] [OPTIONS]]

Commands:
  (none), lt    set up what is missing, then open the Lithuanian notebooks in JupyterLab
  uk            the same with the Ukrainian notebooks
  setup         set up what is missing, start nothing
  kernelspec    print the path of the kernel.json that the set-up has registered
  kernel FILE   become the kernel that speaks over the connection in FILE, as JupyterLab asks for it

Options:
  --no-browser  start JupyterLab without opening a browser
  --port N      listen on this port of 127.0.0.1, from 1 to 65535 (without it: 8888 or the next free one)
  --stock       with kernelspec: the plain kernel, without its warm build folder
  --root DIR    the clone to work in, when it is not the one this program was built in
  -h, --help    print this text";

/// What the reader asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// With the notebooks of that language.
    Start(Language),
    Setup,
    Kernelspec,
    /// With the connection file that Jupyter has written.
    Kernel(OsString),
    /// What a kernel's start leaves behind to clear up; nobody else asks for it.
    #[cfg(unix)]
    Reap(Watch),
    Help,
}

/// The command line, checked.
#[derive(Debug, PartialEq)]
pub struct Options {
    pub command: Command,
    pub browser: bool,
    pub port: Option<u16>,
    pub stock: bool,
    pub root: Option<PathBuf>,
}

impl Options {
    /// Reads the arguments that follow the program's name.
    ///
    /// # Errors
    /// An argument that does not fit is named, with what fits.
    pub fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Self, Failure> {
        let start = Command::Start(Language::Lithuanian);
        let mut options = Self { command: start.clone(), browser: true, port: None, stock: false, root: None };
        let mut arguments = arguments;
        let mut named = None;
        while let Some(argument) = arguments.next() {
            let text = argument.to_string_lossy();
            let (name, attached) = match text.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(OsString::from(value))),
                _ => (text.as_ref(), None),
            };
            match (name, &attached) {
                ("lt", None) if named.is_none() => named = Some(start.clone()),
                ("uk", None) if named.is_none() => named = Some(Command::Start(Language::Ukrainian)),
                ("setup", None) if named.is_none() => named = Some(Command::Setup),
                ("kernelspec", None) if named.is_none() => named = Some(Command::Kernelspec),
                ("kernel", None) if named.is_none() => {
                    let missing = || Failure::usage("`kernel` was given no connection file; JupyterLab names one.");
                    named = Some(Command::Kernel(arguments.next().ok_or_else(missing)?));
                }
                #[cfg(unix)]
                ("reap", None) if named.is_none() => {
                    named = Some(Command::Reap(watch(&mut arguments).ok_or_else(|| {
                        Failure::usage("`reap` was not given a folder and two processes; only a kernel asks for it.")
                    })?));
                }
                ("-h" | "--help", None) => return Ok(Self { command: Command::Help, ..options }),
                ("--stock", None) => options.stock = true,
                ("--no-browser", None) => options.browser = false,
                ("--port", _) => options.port = Some(port(attached.or_else(|| arguments.next()))?),
                ("--root", _) => {
                    let missing = || Failure::usage("`--root` was given no folder; write `--root DIR`.");
                    options.root = Some(attached.or_else(|| arguments.next()).ok_or_else(missing)?.into());
                }
                _ => {
                    return Err(Failure::usage(format!(
                        "`{text}` does not fit; the commands are `lt`, `uk`, `setup`, `kernelspec` and `kernel FILE` (at most \
                         one), the options `--no-browser`, `--port N`, `--stock`, `--root DIR` and `--help`."
                    )));
                }
            }
        }
        options.command = named.unwrap_or(start);
        if !matches!(options.command, Command::Start(_)) && (options.port.is_some() || !options.browser) {
            return Err(Failure::usage(
                "`--port` and `--no-browser` fit only a run that starts a server: no command, `lt` or `uk`.",
            ));
        }
        if options.stock && options.command != Command::Kernelspec {
            return Err(Failure::usage("`--stock` fits `kernelspec` only; leave it out."));
        }
        Ok(options)
    }
}

#[cfg(unix)]
fn watch(arguments: &mut impl Iterator<Item = OsString>) -> Option<Watch> {
    let folder = arguments.next()?.into();
    let mut process = || arguments.next()?.to_str()?.parse().ok();
    Some(Watch { folder, kernel: process()?, server: process()? })
}

fn port(value: Option<OsString>) -> Result<u16, Failure> {
    let text = value.unwrap_or_default().to_string_lossy().into_owned();
    match text.parse() {
        Ok(port) if port > 0 => Ok(port),
        _ => Err(Failure::usage(format!("`--port` was given `{text}`; a whole number from 1 to 65535 fits."))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, Failure> {
        Options::parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn a_bare_run_starts_with_a_browser_on_any_port() {
        let expected = Options {
            command: Command::Start(Language::Lithuanian),
            browser: true,
            port: None,
            stock: false,
            root: None,
        };
        assert_eq!(parse(&[]).unwrap(), expected);
        assert_eq!(parse(&["lt"]).unwrap(), expected);
    }

    #[test]
    fn a_language_opens_its_notebooks() {
        let options = parse(&["uk", "--no-browser"]).unwrap();
        assert_eq!((options.command, options.browser), (Command::Start(Language::Ukrainian), false));
    }

    #[test]
    fn options_are_read_in_both_spellings() {
        let expected = Options {
            command: Command::Start(Language::Lithuanian),
            browser: false,
            port: Some(8899),
            stock: false,
            root: Some(PathBuf::from("elsewhere")),
        };
        assert_eq!(parse(&["--no-browser", "--port", "8899", "--root", "elsewhere"]).unwrap(), expected);
        assert_eq!(parse(&["--root=elsewhere", "--port=8899", "--no-browser"]).unwrap(), expected);
    }

    #[test]
    fn a_kernel_is_given_its_connection_file() {
        let options = parse(&["--root", "here", "kernel", "--odd name.json"]).unwrap();
        assert_eq!(options.command, Command::Kernel("--odd name.json".into()));
    }

    #[test]
    fn help_wins_over_a_command() {
        assert_eq!(parse(&["setup", "--help"]).unwrap().command, Command::Help);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (arguments, named) in [
            (&["--prot"][..], "`--prot`"),
            (&["setup", "kernelspec"], "`kernelspec`"),
            (&["uk", "lt"], "`lt`"),
            (&["--no-browser=yes"], "`--no-browser=yes`"),
            (&["--port"], "``"),
            (&["--port", "0"], "`0`"),
            (&["--port", "65536"], "`65536`"),
            (&["--port=eight"], "`eight`"),
            (&["--root"], "`--root`"),
            (&["setup", "--port", "8888"], "`--port`"),
            (&["setup", "--stock"], "`--stock`"),
            (&["kernel"], "`kernel`"),
            (&["reap", "folder", "12"], "`reap`"),
        ] {
            let failure = parse(arguments).unwrap_err();
            assert_eq!(failure.code, 2, "{arguments:?}");
            assert!(failure.sentence.contains(named), "{arguments:?}: {}", failure.sentence);
        }
    }
}
