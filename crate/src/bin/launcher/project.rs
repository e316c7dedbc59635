//! Where things lie in the clone.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The language of the notebooks that a reader wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Language {
    Lithuanian,
    Ukrainian,
}

impl Language {
    /// The notebook to begin with.
    fn first_notebook(self) -> &'static str {
        match self {
            Self::Lithuanian => "lt/11-1-uzklausos-raktai-reiksmes.ipynb",
            Self::Ukrainian => "uk/1-sumish.ipynb",
        }
    }
}

/// A clone of this repository.
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// The clone the reader named, or the one this program was built in, or the one around the current folder when
    /// that has moved.
    ///
    /// # Errors
    /// No such folder is a clone.
    pub fn find(named: Option<PathBuf>) -> Result<Self, Failure> {
        if let Some(root) = named {
            // Tools run in folders of their own and the kernel's registration outlives this run: paths are absolute.
            return match root.canonicalize() {
                Ok(root) if is_clone(&root) => Ok(Self { root }),
                _ => Err(Failure::usage(format!(
                    "`--root` was given `{}`, which is no clone of the notebooks; a folder that holds \
                     `requirements.txt` and `notebooks` fits.",
                    root.display()
                ))),
            };
        }
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned);
        let current = env::current_dir().unwrap_or_default();
        let around = current.ancestors().map(Path::to_owned);
        let root = built.into_iter().chain(around).find(|folder| is_clone(folder));
        root.map(|root| Self { root }).ok_or_else(|| {
            Failure::new(format!(
                "No clone of the notebooks around `{}`; change into the clone, or name it with `--root DIR`.",
                current.display()
            ))
        })
    }

    /// The virtual environment.
    pub fn environment(&self) -> PathBuf {
        self.root.join(".venv")
    }

    /// What the launcher keeps for itself: it outlives the virtual environment around it when that is made anew.
    pub fn state(&self) -> PathBuf {
        self.environment().join("d2l")
    }

    /// JupyterLab's version and those of everything below it.
    pub fn requirements(&self) -> PathBuf {
        self.root.join("requirements.txt")
    }

    /// What JupyterLab shows.
    pub fn notebooks(&self) -> PathBuf {
        self.root.join("notebooks")
    }

    /// The clone itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the kernels' build folders lie: below the clone, so that Cargo reads this folder's settings for them.
    pub fn builds(&self) -> PathBuf {
        self.root.join(".kernels")
    }

    /// The notebook that opens first, below the notebooks' folder, when it is there.
    pub fn first_notebook(&self, language: Language) -> Option<&'static str> {
        let first = language.first_notebook();
        self.notebooks().join(first).is_file().then_some(first)
    }

    /// Where an interrupted build of the kernel is kept until it succeeds.
    pub fn kernel_build(&self) -> PathBuf {
        self.root.join("target").join("evcxr_jupyter")
    }
}

fn is_clone(folder: &Path) -> bool {
    folder.join("requirements.txt").is_file() && folder.join("notebooks").is_dir()
}
