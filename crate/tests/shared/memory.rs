//! How much memory this process has.

/// Bytes of memory in use, as Linux counts them.
pub fn resident_bytes() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("Linux says how much memory is in use");
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("the second number") * 4096
}
