//! What the reader looks at: heatmaps, plots and diagrams as SVG.
