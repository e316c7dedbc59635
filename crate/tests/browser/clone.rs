//! A clone of the test's own: the notebooks are copies and JupyterLab keeps its state there; all else is linked.

use std::{
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

/// The clone and, beside it, room for temporary files: the kernel may not build inside the clone's workspace.
pub struct FreshClone {
    folder: TempDir,
}

impl FreshClone {
    /// Links and copies `original`, which is set up.
    pub fn of(original: &Path) -> Result<Self, String> {
        let failed = |error| format!("the clone for the test could not be made: {error}");
        // Links and Python's own paths are compared as they are written.
        let parent = std::env::temp_dir().canonicalize().map_err(failed)?;
        let folder = tempfile::Builder::new().prefix("d2l-browser-").tempdir_in(parent).map_err(failed)?;
        let clone = Self { folder };
        clone.fill(original).map_err(failed)?;
        Ok(clone)
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("clone")
    }

    pub fn temporary(&self) -> PathBuf {
        self.folder.path().join("temporary")
    }

    fn fill(&self, original: &Path) -> io::Result<()> {
        fs::create_dir(self.temporary())?;
        link_all(original, &self.root(), &[".git", ".kernels", ".venv", "notebooks", "target"])?;
        copy_all(&original.join("notebooks"), &self.root().join("notebooks"))?;

        let (packages, own) = (original.join(".venv"), self.root().join(".venv"));
        link_all(&packages, &own, &["bin", "d2l", "share"])?;
        link_all(&packages.join("bin"), &own.join("bin"), &[])?;
        link_all(&packages.join("share"), &own.join("share"), &["jupyter"])?;
        // The launcher registers the kernel there.
        link_all(&packages.join("share/jupyter"), &own.join("share/jupyter"), &["kernels"])?;
        // Without this the launcher would install the packages anew, as after a move.
        let stamp = fs::read_to_string(packages.join("d2l/stamp"))?;
        fs::create_dir(own.join("d2l"))?;
        fs::write(own.join("d2l/stamp"), stamp.replace(&*packages.to_string_lossy(), &own.to_string_lossy()))
    }
}

/// Makes the folder `to` with links to all that `from` holds, except what is named.
fn link_all(from: &Path, to: &Path, except: &[&str]) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if !except.iter().any(|name| entry.file_name() == *name) {
            symlink(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copy = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &copy)?;
        } else {
            fs::copy(entry.path(), copy)?;
        }
    }
    Ok(())
}
