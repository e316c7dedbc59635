//! Sets up JupyterLab and the Rust kernel beside the notebooks and starts them.
fn main() {}
