//! For readers who know NumPy and PyTorch: what you write there, on the left, and here, on the right.
//!
//! Every line on the right is compiled and run with the crate's tests. A notebook starts with
//! `use d2l::prelude::*;`, and so does each of them.
//!
//! # Arrays
//!
//! Plain arrays are ndarray's; its own guide for NumPy users goes further. Counting starts at 0, indices are
//! `usize`, and a slice is a view.
//!
//! <table>
//! <tr><th>NumPy</th><th>here</th></tr>
//! <tr><td>
//!
//! ```python
//! a = np.array([[1., 2.], [3., 4.]])
//! np.zeros((2, 3)); np.eye(3)
//! a.shape; a[0, 1]; a[:, 1]
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! let a = array![[1., 2.], [3., 4.]];
//! Array2::<f64>::zeros((2, 3)); Array2::<f64>::eye(3);
//! a.shape(); a[[0, 1]]; a.column(1);
//! ```
//!
//! </td></tr>
//! <tr><td>
//!
//! ```python
//! a @ a; a.T; a * 2 + 1
//! a.sum(axis=0); a.mean()
//! np.exp(a); np.maximum(a, 0)
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! # let a: Array2<f64> = array![[1., 2.], [3., 4.]];
//! a.dot(&a); a.t(); &a * 2. + 1.;
//! a.sum_axis(Axis(0)); a.mean();
//! a.exp(); a.mapv(|x| x.max(0.));
//! ```
//!
//! </td></tr>
//! <tr><td>
//!
//! ```python
//! rng = np.random.default_rng(0)
//! rng.standard_normal((2, 3))
//! rng.uniform(-1, 1, 5)
//! rng.permutation(10)
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! let mut rng = seeded(0);
//! normal((2, 3), &mut rng);
//! uniform(5, -1., 1., &mut rng);
//! permutation(10, &mut rng);
//! ```
//!
//! </td></tr>
//! </table>
//!
//! # Tensors and gradients
//!
//! A [`Tensor`](crate::autograd::Tensor) holds an array of `f64` unless another type is named. Operators take references,
//! so that a tensor can be used again; `backward` frees the graph, as in PyTorch.
//!
//! <table>
//! <tr><th>PyTorch</th><th>here</th></tr>
//! <tr><td>
//!
//! ```python
//! x = torch.tensor([1., 2.])
//! w = nn.Parameter(torch.tensor([3., 4.]))
//! loss = (w * x).sum()
//! loss.backward()
//! w.grad; loss.item()
//! w.grad = None
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! let x = Tensor::new(array![1., 2.]);
//! let w = Tensor::parameter(array![3., 4.]);
//! let loss = (&w * &x).sum();
//! loss.backward();
//! w.grad(); loss.item();
//! w.zero_grad();
//! ```
//!
//! </td></tr>
//! <tr><td>
//!
//! ```python
//! with torch.no_grad():
//!     y = w * 2
//! w.detach(); w.numpy(force=True)
//! w.data = torch.tensor([5., 6.])
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! # let w = Tensor::parameter(array![3., 4.]);
//! let y = no_grad(|| &w * 2.);
//!
//! w.detach(); w.value();
//! w.set_value(array![5., 6.]);
//! ```
//!
//! </td></tr>
//! <tr><td>
//!
//! ```python
//! x = torch.ones(2, 3, 4)
//! x @ x.mT; x.permute(2, 0, 1)
//! x.reshape(6, 4); x[:, 1:]
//! x[..., -1]; x.unsqueeze(1)
//! torch.cat([x, x], dim=1)
//! x.sum(); x.mean(-1, keepdim=True)
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! let x = Tensor::new(Array3::<f64>::ones((2, 3, 4)));
//! x.matmul(&x.transpose()); x.permute([2, 0, 1]);
//! x.reshape([6, 4]); x.slice(1, 1..);
//! x.index_axis(-1, -1); x.insert_axis(1);
//! Tensor::concat(&[x.clone(), x.clone()], 1);
//! x.sum(); x.mean_keepdim(-1);
//! ```
//!
//! </td></tr>
//! <tr><td>
//!
//! ```python
//! x.exp(); x.tanh(); F.relu(x); F.gelu(x)
//! x.softmax(-1); x.log_softmax(-1)
//! x.masked_fill(~mask, -torch.inf).softmax(-1)
//! table[tokens]
//! F.cross_entropy(logits, labels)
//! F.mse_loss(y, target)
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! # let x = Tensor::new(Array3::<f64>::ones((2, 3, 4)));
//! # let (table, logits) = (Tensor::parameter(Array2::<f64>::ones((9, 4))), Tensor::new(Array2::<f64>::ones((2, 3))));
//! # let (y, target, tokens, labels) = (x.clone(), x.clone(), [8, 0, 8], [2, 0]);
//! x.exp(); x.tanh(); x.relu(); x.gelu();
//! x.softmax(-1); x.log_softmax(-1);
//! x.masked_softmax(Mask::lengths([2, 3]));
//! table.gather_rows(&tokens);
//! logits.cross_entropy(&labels);
//! y.mse_loss(&target);
//! ```
//!
//! </td></tr>
//! </table>
//!
//! # Layers
//!
//! Sizes are given when a layer is made: none is guessed from the first input. What PyTorch takes by keyword is a method, and
//! where numbers are drawn a seeded generator is passed in. `Linear` as the type of a field or a variable means
//! `Linear<f64>`; where no type stands, as in some lines here, `::<f64>` says it.
//!
//! <table>
//! <tr><th>PyTorch or d2l</th><th>here</th></tr>
//! <tr><td>
//!
//! ```python
//! nn.Linear(4, 2); nn.Linear(4, 2, bias=False)
//! nn.Embedding(9, 4); nn.LayerNorm(4)
//! nn.Dropout(0.1)
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! # let rng = &mut seeded(0);
//! Linear::<f64>::new(4, 2, rng); Linear::<f64>::without_bias(4, 2, rng);
//! Embedding::<f64>::new(9, 4, rng); LayerNorm::<f64>::new(4);
//! Dropout::<f64>::new(0.1, rng);
//! ```
//!
//! </td></tr>
//! <tr><td>
//!
//! ```python
//! d2l.DotProductAttention(dropout=0.1)
//! d2l.AdditiveAttention(num_hiddens=8, dropout=0)
//! d2l.MultiHeadAttention(8, 2, dropout=0, bias=True)
//! d2l.PositionalEncoding(8, dropout=0, max_len=100)
//! d2l.AddNorm(8, dropout=0)
//! d2l.PositionWiseFFN(16, 8)
//! d2l.TransformerEncoderBlock(8, 16, 2, dropout=0)
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! # let rng = &mut seeded(0);
//! DotProductAttention::<f64>::new().dropout(0.1, rng);
//! AdditiveAttention::<f64>::new(4, 6, 8, rng);
//! MultiHeadAttention::<f64>::new(8, 2, rng).bias(rng);
//! PositionalEncoding::<f64>::new(8, 100);
//! AddNorm::<f64>::new(8);
//! PositionWiseFFN::<f64>::new(8, 16, 8, rng);
//! TransformerEncoderBlock::<f64>::new(8, 16, 2, rng);
//! ```
//!
//! </td></tr>
//! <tr><td>
//!
//! ```python
//! y = attention(q, k, v, valid_lens)
//! d2l.show_heatmaps(attention.attention_weights,
//!                   'Keys', 'Queries')
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! # let q = Tensor::new(Array3::<f64>::ones((2, 3, 4)));
//! # let (k, v, attention, lengths) = (q.clone(), q.clone(), DotProductAttention::new(), [2, 3]);
//! let y = attention.forward(&q, &k, &v, Mask::lengths(lengths));
//! show_heatmaps(&attention.attention_weights(),
//!               "Keys", "Queries");
//! ```
//!
//! </td></tr>
//! <tr><td>
//!
//! ```python
//! class Tagger(nn.Module):
//!     def __init__(self):
//!         super().__init__()
//!         self.table = nn.Embedding(9, 4)
//!         self.out = nn.Linear(4, 2)
//!
//!
//!     def forward(self, tokens):
//!         return self.out(self.table(tokens))
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! struct Tagger { table: Embedding, out: Linear }
//!
//! impl Module for Tagger {
//!     fn parts(&self) -> Parts<'_> {
//!         parts!(self, table, out)
//!     }
//! }
//!
//! impl Tagger {
//!     fn forward(&self, tokens: &Array2<usize>) -> Tensor {
//!         self.out.forward(&self.table.forward(tokens))
//!     }
//! }
//! ```
//!
//! </td></tr>
//! <tr><td>
//!
//! ```python
//! model.train(); model.eval()
//! model.parameters(); model.named_parameters()
//! model.get_parameter('out.weight').grad
//! sum(p.numel() for p in model.parameters())
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! # let rng = &mut seeded(0);
//! # let model = PositionWiseFFN::<f64>::new(8, 16, 8, rng);
//! model.train(); model.eval();
//! model.parameters(); model.named_parameters();
//! model.parameter("dense1.weight").grad();
//! model.parameter_count();
//! ```
//!
//! </td></tr>
//! </table>
//!
//! # Training
//!
//! <table>
//! <tr><th>PyTorch or d2l</th><th>here</th></tr>
//! <tr><td>
//!
//! ```python
//! torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
//! torch.optim.AdamW(model.parameters(), lr=1e-3)
//! adam = torch.optim.Adam(model.parameters(), lr=0.05)
//! for _ in range(10):
//!     loss = F.mse_loss(model(x), y)
//!     adam.zero_grad()
//!     loss.backward()
//!     nn.utils.clip_grad_norm_(model.parameters(), 1)
//!     adam.step()
//! adam.param_groups[0]['lr'] = 0.01
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! # let model = Linear::new(1, 1, &mut seeded(0));
//! # let (x, y) = (Tensor::new(array![[1.0]]), Tensor::new(array![[2.0]]));
//! Sgd::new(&model, 0.1).momentum(0.9);
//! AdamW::new(&model, 1e-3);
//! let mut adam = Adam::new(&model, 0.05);
//! for _ in 0..10 {
//!     let loss = model.forward(&x).mse_loss(&y);
//!     adam.zero_grad();
//!     loss.backward();
//!     clip_gradients(&model, 1.);
//!     adam.step();
//! }
//! adam.set_learning_rate(0.01);
//! ```
//!
//! </td></tr>
//! <tr><td>
//!
//! ```python
//! trainer = d2l.Trainer(max_epochs=10)
//! trainer.fit(model, data)
//!
//! timer = d2l.Timer()
//! timer.stop()
//!
//! parallel = nn.DataParallel(model)
//! ```
//!
//! </td><td>
//!
//! ```
//! # use d2l::prelude::*;
//! # struct Level { level: Tensor }
//! # impl Module for Level { fn parts(&self) -> Parts<'_> { parts!(self, level) } }
//! # impl Trainable for Level {
//! #     type Batch = f64;
//! #     fn training_step(&self, batch: &f64) -> Tensor { self.level.mse_loss(&Tensor::new(array![*batch])) }
//! # }
//! # struct Data;
//! # impl DataModule for Data {
//! #     type Batch = f64;
//! #     fn train_batches(&self, _: &mut Generator) -> impl Iterator<Item = f64> { [1.0].into_iter() }
//! # }
//! # let (model, data, rng) = (Level { level: Tensor::parameter(array![0.0]) }, Data, &mut seeded(0));
//! # let mut adam = Adam::new(&model, 0.05);
//! let trainer = Trainer::new(10);
//! trainer.fit(&model, &data, &mut adam, rng).figure();
//!
//! let mut timer = Timer::new();
//! timer.stop();
//!
//! // Each of two copies works on a thread; a batch is a list of parts.
//! let parallel = DataParallel::new(2, || Level { level: Tensor::parameter(array![0.0]) });
//! let loss = parallel.training_step(&vec![1.0, 2.0]);
//! ```
//!
//! </td></tr>
//! </table>
//!
//! With the feature `safetensors`, `nn::save_state(&model, "model.safetensors")` and `nn::load_state` do what PyTorch's
//! `save_file(model.state_dict(), …)` and `load_file` of the package `safetensors` do.
