"""Writes colormaps.txt: matplotlib's 256 levels of each colour map that the crate offers.

usage: python colormaps.py > colormaps.txt        (matplotlib 3.11)
"""
import matplotlib

print(f"# matplotlib {matplotlib.__version__}: name, then 256 colours from lowest to highest")
for name in ("Reds", "Blues", "Greens", "Purples", "Greys", "RdBu"):
    colors = matplotlib.colormaps[name](range(256), bytes=True)
    print(name, " ".join(f"{r:02x}{g:02x}{b:02x}" for r, g, b, _ in colors))
