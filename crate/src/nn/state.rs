//! `save_state` and `load_state`: a model's parameters in a safetensors file, which PyTorch and others read as well.
//!
//! ```
//! use d2l::nn::{Linear, Module, load_state, save_state};
//! use d2l::random::seeded;
//!
//! # let folder = std::env::temp_dir().join(format!("d2l-state-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let path = folder.join("layer.safetensors");
//! let (trained, fresh) = (Linear::<f64>::new(3, 2, &mut seeded(0)), Linear::<f64>::new(3, 2, &mut seeded(1)));
//! save_state(&trained, &path)?;
//! load_state(&fresh, &path)?;
//! assert_eq!(fresh.parameter("weight").value(), trained.parameter("weight").value());
//!
//! let other = Linear::<f64>::new(5, 2, &mut seeded(1));
//! let error = load_state(&other, &path).unwrap_err();
//! assert!(error.to_string().ends_with("weight has shape [2, 3] in the file and [2, 5] in the model"));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use ndarray::ArrayD;
use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView, serialize};

use super::Module;
use crate::autograd::{Real, float};

/// Writes every parameter of the model under its path to a safetensors file, in the model's own type of number.
///
/// # Errors
/// If the file cannot be written.
pub fn save_state<A: Real>(model: &dyn Module<A>, path: impl AsRef<Path>) -> Result<(), StateError> {
    let failed = |why| StateError { path: path.as_ref().to_owned(), why };
    let state: Vec<(String, Vec<usize>, Vec<u8>)> = model
        .named_parameters()
        .into_iter()
        .map(|(name, parameter)| (name, parameter.shape().to_vec(), parameter.value().iter().flat_map(bytes).collect()))
        .collect();
    let views = state.iter().map(|(name, shape, data)| Ok((name, TensorView::new(dtype::<A>(), shape.clone(), data)?)));
    let views: Vec<_> = views.collect::<Result<_, _>>().map_err(|error| failed(Why::Format(error)))?;
    let file = serialize(views, None).map_err(|error| failed(Why::Format(error)))?;
    fs::write(&path, file).map_err(|error| failed(Why::Io(error)))
}

/// Replaces every parameter of the model by what a safetensors file holds under its path.
///
/// # Errors
/// If the file cannot be read, or if its names, shapes and types of number are not those of the model. The model then
/// stays as it was.
pub fn load_state<A: Real>(model: &dyn Module<A>, path: impl AsRef<Path>) -> Result<(), StateError> {
    let failed = |why| StateError { path: path.as_ref().to_owned(), why };
    let file = fs::read(&path).map_err(|error| failed(Why::Io(error)))?;
    let stored = SafeTensors::deserialize(&file).map_err(|error| failed(Why::Format(error)))?;
    let parameters = model.named_parameters();
    let (names, in_file) = (parameters.iter().map(|(name, _)| name.as_str()), stored.names());
    let missing: Vec<String> = names.clone().filter(|name| !in_file.contains(name)).map(str::to_owned).collect();
    let mut unknown: Vec<String> =
        in_file.into_iter().filter(|&name| names.clone().all(|known| known != name)).map(str::to_owned).collect();
    unknown.sort();
    if !missing.is_empty() || !unknown.is_empty() {
        return Err(failed(Why::Names { missing, unknown }));
    }
    let mut values = Vec::with_capacity(parameters.len());
    for (name, parameter) in &parameters {
        let view = stored.tensor(name).map_err(|error| failed(Why::Format(error)))?;
        let (shape, file_type, model_type) = (view.shape(), view.dtype(), dtype::<A>());
        if shape != parameter.shape() {
            let [file, model] = [shape, parameter.shape()].map(<[usize]>::to_vec);
            return Err(failed(Why::Shape { name: name.clone(), file, model }));
        }
        if file_type != model_type {
            let [file, model] = [file_type, model_type].map(|dtype| dtype.to_string());
            return Err(failed(Why::Dtype { name: name.clone(), file, model }));
        }
        let numbers = view.data().chunks_exact(size_of::<A>()).map(number).collect();
        values.push(ArrayD::from_shape_vec(shape, numbers).expect("the format holds as many numbers as the shape"));
    }
    for ((_, parameter), value) in parameters.iter().zip(values) {
        parameter.set_value(value);
    }
    Ok(())
}

/// The type of number `A` by its name in the file.
fn dtype<A: Real>() -> Dtype {
    if size_of::<A>() == size_of::<f32>() { Dtype::F32 } else { Dtype::F64 }
}

/// A number's bytes in the file.
fn bytes<A: Real>(number: &A) -> Vec<u8> {
    let exact = "a float is exact in its own type";
    match dtype::<A>() {
        Dtype::F32 => number.to_f32().expect(exact).to_le_bytes().to_vec(),
        _ => number.to_f64().expect(exact).to_le_bytes().to_vec(),
    }
}

/// The number of these bytes.
fn number<A: Real>(bytes: &[u8]) -> A {
    match *bytes {
        [a, b, c, d] => float(f32::from_le_bytes([a, b, c, d]).into()),
        _ => float(f64::from_le_bytes(bytes.try_into().expect("a number has four bytes or eight"))),
    }
}

/// Why a file could not be written, or was not what the model needs.
pub struct StateError {
    path: PathBuf,
    why: Why,
}

enum Why {
    Io(io::Error),
    Format(SafeTensorError),
    Names { missing: Vec<String>, unknown: Vec<String> },
    Shape { name: String, file: Vec<usize>, model: Vec<usize> },
    Dtype { name: String, file: String, model: String },
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "\"{}\": ", self.path.display())?;
        match &self.why {
            Why::Io(error) => write!(f, "{error}"),
            Why::Format(error) => write!(f, "this is no sound safetensors file: {error}"),
            Why::Names { missing, unknown } => {
                let lists = [("lacks", missing), ("holds more than the model has:", unknown)];
                let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
                let told: Vec<String> = lists.map(|(what, names)| format!("{what} {}", names.join(", "))).collect();
                write!(f, "the file {}", told.join(" and "))
            }
            Why::Shape { name, file, model } => {
                write!(f, "{name} has shape {file:?} in the file and {model:?} in the model")
            }
            Why::Dtype { name, file, model } => write!(f, "{name} holds {file} in the file and {model} in the model"),
        }
    }
}

/// The same sentence: it is what `unwrap` and a cell's `?` show.
impl fmt::Debug for StateError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for StateError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.why {
            Why::Io(error) => Some(error),
            Why::Format(error) => Some(error),
            _ => None,
        }
    }
}
