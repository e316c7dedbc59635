//! Ports for kernels that start seconds after their ports were chosen.

use std::{
    net::{Ipv4Addr, TcpListener},
    ops::Range,
    process,
    sync::atomic::{AtomicU16, Ordering},
};

/// Below the ports that systems hand out by themselves (Linux from 32768, others from 49152): what is free when it is
/// chosen would else be handed out to the next connection before the kernel, still copying its folder, listens on it.
const OURS: Range<u16> = 20_000..32_000;

/// How many ports this process has tried.
static TRIED: AtomicU16 = AtomicU16::new(0);

/// Five ports that nothing listens on and that this process has not given to a kernel lately.
pub fn choose() -> Result<[u16; 5], String> {
    let size = u32::from(OURS.end - OURS.start);
    // Another run of the tests begins elsewhere.
    let begin = process::id().wrapping_mul(97) % size;
    let mut candidates = (0..size).filter_map(|_| {
        let step = u32::from(TRIED.fetch_add(1, Ordering::Relaxed));
        let port = OURS.start + u16::try_from((begin + step) % size).ok()?;
        TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok().map(|_| port)
    });
    let mut ports = [0; 5];
    for port in &mut ports {
        *port = candidates.next().ok_or("no free port for the kernel")?;
    }
    Ok(ports)
}
