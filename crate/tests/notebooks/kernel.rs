//! A running kernel: started as JupyterLab starts it, spoken to over ZeroMQ, and gone with everything it started.

use std::{
    fmt, fs,
    future::Future,
    net::{IpAddr, Ipv4Addr},
    path::{Path, PathBuf},
    process::Stdio,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use jupyter_protocol::{
    ConnectionInfo, ExecuteRequest, ExecutionState, JupyterMessage, JupyterMessageContent, KernelInfoRequest,
    connection_info::Transport,
};
use jupyter_zmq_client::{ClientIoPubConnection, ClientShellConnection, KernelspecDir};
use nbformat::v4::{DisplayData, ErrorOutput, ExecuteResult, MultilineString, Output};
use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use tokio::{
    process::Child,
    runtime::Runtime,
    signal::unix::{SignalKind, signal},
};
use uuid::Uuid;

use crate::ports;

/// How long a kernel may take to answer for the first time.
const START_LIMIT: Duration = Duration::from_secs(90);

/// Text that a cell wrote reaches the client by another thread than its end does: wait until nothing more comes.
const QUIET: Duration = Duration::from_millis(50);

/// Set once Ctrl-C was pressed: no further kernel starts, so that all that is running gets tidied up.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Why a cell's outputs are not all there. The kernel is gone after each of these.
#[derive(Debug)]
pub enum Stopped {
    NeverEnded(Duration),
    Died { how: String, log: String },
    Unreadable(String),
    Interrupted,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeverEnded(limit) => write!(f, "never ended within {} s", limit.as_secs()),
            Self::Died { how, log } if log.is_empty() => write!(f, "the kernel died ({how}) and wrote nothing"),
            Self::Died { how, log } => write!(f, "the kernel died ({how}); it had written:\n{log}"),
            Self::Unreadable(error) => write!(f, "the kernel sent a message that cannot be read: {error}"),
            Self::Interrupted => write!(f, "the run was interrupted"),
        }
    }
}

/// One kernel with its own process group and its own temporary files.
pub struct Kernel {
    /// Only none while in drop.
    sockets: Option<Sockets>,
    process: Process,
    runtime: Runtime,
    pub started_in: Duration,
    /// From sending the last cell to the kernel's idle state and reply.
    pub last_cell: Duration,
}

struct Sockets {
    shell: ClientShellConnection,
    iopub: ClientIoPubConnection,
}

/// The kernel's process group, killed and waited for when dropped.
struct Process {
    child: Child,
    group: Pid,
    /// The connection file, what the kernel printed, and all temporary files of the kernel and its cells.
    files: TempDir,
}

impl Kernel {
    /// Starts the kernel with `folder` as its working directory, as JupyterLab does for a notebook in that folder.
    ///
    /// A stock kernel builds in `build`, which no other running kernel may use; a tuned one has a directory of its own.
    pub fn start(spec: &KernelspecDir, folder: &Path, build: &Path) -> Result<Self, String> {
        if INTERRUPTED.load(Ordering::Relaxed) {
            return Err(Stopped::Interrupted.to_string());
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| format!("no runtime for the kernel's messages: {error}"))?;
        let began = Instant::now();
        let (process, sockets) = runtime.block_on(start(spec, folder, build))?;
        Ok(Self { sockets: Some(sockets), process, runtime, started_in: began.elapsed(), last_cell: Duration::ZERO })
    }

    /// Runs one cell and returns its outputs; the kernel is killed when it has not ended within `limit`.
    ///
    /// Texts come first and merged, stdout before stderr: evcxr sends a cell's one result at its end, but by another
    /// thread than the text, so that the order of arrival says nothing.
    pub fn execute(&mut self, code: &str, limit: Duration) -> Result<Vec<Output>, Stopped> {
        let Self { sockets, process, runtime, last_cell, .. } = self;
        let Some(sockets) = sockets else { return Err(Stopped::Unreadable("it was closed".into())) };
        let outcome = runtime.block_on(process.watch(limit, sockets.run(code, last_cell)));
        let outcome = outcome.and_then(|messages| messages.map_err(Stopped::Unreadable));
        if outcome.is_err() {
            process.kill();
        }
        outcome.map(in_order)
    }

    /// The process group that the kernel and all it starts belong to.
    pub fn group(&self) -> Pid {
        self.process.group
    }

    /// Where the kernel's temporary files lie.
    pub fn files(&self) -> PathBuf {
        self.process.files.path().to_owned()
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // Sockets close by way of the runtime.
        let _inside = self.runtime.enter();
        self.sockets.take();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Process {
    /// Kills the kernel with the process that runs the cells and any compiler at work, and waits for its end.
    fn kill(&mut self) {
        // An error says that the group is gone already.
        let _ = kill_process_group(self.group, Signal::KILL);
        while matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for `work`, but not past `limit`, the kernel's end, or an interruption of this program.
    async fn watch<T>(&mut self, limit: Duration, work: impl Future<Output = T>) -> Result<T, Stopped> {
        // The kernel's own process group does not hear the terminal's Ctrl-C.
        let mut interrupt = signal(SignalKind::interrupt()).expect("a handler for SIGINT");
        let mut terminate = signal(SignalKind::terminate()).expect("a handler for SIGTERM");
        tokio::select! {
            done = work => Ok(done),
            () = tokio::time::sleep(limit) => Err(Stopped::NeverEnded(limit)),
            ended = self.child.wait() => {
                let how = ended.map_or_else(|error| error.to_string(), |status| status.to_string());
                Err(Stopped::Died { how, log: last_lines(&self.files.path().join("log"), 12) })
            }
            _ = interrupt.recv() => interrupted(),
            _ = terminate.recv() => interrupted(),
        }
    }
}

impl Sockets {
    /// Sends one cell and gathers what it shows until the kernel is idle and has replied.
    ///
    /// Text of the cell before it that came too late is kept as this cell's, rather than lost.
    async fn run(&mut self, code: &str, took: &mut Duration) -> Result<Vec<Output>, String> {
        let began = Instant::now();
        let request: JupyterMessage = ExecuteRequest::new(code.to_owned()).into();
        let id = request.header.msg_id.clone();
        self.shell.send(request).await.map_err(|error| error.to_string())?;
        let mut outputs = Vec::new();
        let (mut idle, mut replied) = (false, false);
        while !(idle && replied) {
            tokio::select! {
                message = self.iopub.read() => {
                    let message = message.map_err(|error| error.to_string())?;
                    idle |= is_idle(&message, &id);
                    outputs.extend(output(message));
                }
                reply = self.shell.read(), if !replied => {
                    let reply = reply.map_err(|error| error.to_string())?;
                    replied = answers(&reply, &id);
                }
            }
        }
        *took = began.elapsed();
        while let Ok(message) = tokio::time::timeout(QUIET, self.iopub.read()).await {
            outputs.extend(output(message.map_err(|error| error.to_string())?));
        }
        Ok(outputs)
    }

    /// Asks who the kernel is until both its reply and its idle state arrive: then no later message gets lost.
    async fn greet(&mut self) -> Result<(), String> {
        loop {
            let request: JupyterMessage = KernelInfoRequest {}.into();
            let id = request.header.msg_id.clone();
            self.shell.send(request).await.map_err(|error| error.to_string())?;
            while !answers(&self.shell.read().await.map_err(|error| error.to_string())?, &id) {}
            while let Ok(message) = tokio::time::timeout(Duration::from_millis(500), self.iopub.read()).await {
                if is_idle(&message.map_err(|error| error.to_string())?, &id) {
                    return Ok(());
                }
            }
        }
    }
}

async fn start(spec: &KernelspecDir, folder: &Path, build: &Path) -> Result<(Process, Sockets), String> {
    let files = tempfile::Builder::new()
        .prefix("d2l-kernel-")
        .tempdir()
        .map_err(|error| format!("no temporary directory for the kernel: {error}"))?;
    let ip = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let [shell_port, iopub_port, stdin_port, control_port, hb_port] = ports::choose()?;
    let connection = ConnectionInfo {
        ip: ip.to_string(),
        transport: Transport::TCP,
        shell_port,
        iopub_port,
        stdin_port,
        control_port,
        hb_port,
        key: Uuid::new_v4().to_string(),
        signature_scheme: "hmac-sha256".into(),
        kernel_name: Some("rust".into()),
    };
    let file = files.path().join("connection.json");
    let log_file = files.path().join("log");
    let prepared = serde_json::to_string(&connection)
        .map_err(std::io::Error::from)
        .and_then(|text| fs::write(&file, text))
        .and_then(|()| fs::create_dir_all(build))
        .and_then(|()| fs::File::create(&log_file))
        .and_then(|log| Ok((log.try_clone()?, log)));
    let (log, errors) = prepared.map_err(|error| format!("cannot prepare the kernel's files: {error}"))?;

    let mut command = spec
        .clone()
        .command(&file, Some(Stdio::from(errors)), Some(Stdio::from(log)))
        .map_err(|error| format!("the kernel specification cannot be used: {error}"))?;
    crate::setup::without_cargo_test(command.as_std_mut());
    command.current_dir(folder).process_group(0).kill_on_drop(true);
    // Killed kernels cannot tidy up: what they and their cells leave must be in a directory of ours.
    command.env("TMPDIR", files.path());
    // A reader's own progress with the exercises is neither shown nor changed by a test.
    command.env("D2L_PROGRESS", files.path().join("progress"));
    if !spec.kernelspec.env.as_ref().is_some_and(|env| env.contains_key("EVCXR_TMPDIR")) {
        command.env("EVCXR_TMPDIR", build);
    }
    let child = command.spawn().map_err(|error| {
        format!("cannot start {}: {error}", spec.kernelspec.argv.first().map_or("the kernel", String::as_str))
    })?;
    let group = child.id().and_then(|id| Pid::from_raw(id.cast_signed())).ok_or("the kernel ended at once")?;
    let mut process = Process { child, group, files };

    let session = Uuid::new_v4().to_string();
    let connect = async {
        let identity = jupyter_zmq_client::peer_identity_for_session(&session)?;
        Ok::<_, jupyter_zmq_client::RuntimeError>(Sockets {
            iopub: jupyter_zmq_client::create_client_iopub_connection(&connection, "", &session).await?,
            shell: jupyter_zmq_client::create_client_shell_connection_with_identity(&connection, &session, identity)
                .await?,
        })
    };
    let greeted = process
        .watch(START_LIMIT, async {
            let mut sockets = connect.await.map_err(|error| error.to_string())?;
            sockets.greet().await?;
            Ok::<_, String>(sockets)
        })
        .await;
    match greeted {
        Ok(Ok(sockets)) => Ok((process, sockets)),
        Ok(Err(error)) => {
            tokio::time::sleep(QUIET).await;
            let log = last_lines(&process.files.path().join("log"), 12);
            Err(format!("the kernel did not start: {error}; it had written:\n{log}"))
        }
        Err(Stopped::NeverEnded(limit)) => Err(format!(
            "the kernel did not answer within {} s; it had written:\n{}",
            limit.as_secs(),
            last_lines(&process.files.path().join("log"), 12)
        )),
        Err(stopped) => Err(format!("the kernel did not start: {stopped}")),
    }
}

fn interrupted<T>() -> Result<T, Stopped> {
    INTERRUPTED.store(true, Ordering::Relaxed);
    Err(Stopped::Interrupted)
}

fn answers(message: &JupyterMessage, id: &str) -> bool {
    message.parent_header.as_ref().is_some_and(|parent| parent.msg_id == id)
}

fn is_idle(message: &JupyterMessage, id: &str) -> bool {
    matches!(&message.content, JupyterMessageContent::Status(status) if status.execution_state == ExecutionState::Idle)
        && answers(message, id)
}

/// What a message shows, if it shows anything.
fn output(message: JupyterMessage) -> Option<Output> {
    Some(match message.content {
        JupyterMessageContent::StreamContent(stream) => Output::Stream {
            name: match stream.name {
                jupyter_protocol::Stdio::Stdout => "stdout".into(),
                jupyter_protocol::Stdio::Stderr => "stderr".into(),
            },
            text: MultilineString(stream.text),
        },
        JupyterMessageContent::DisplayData(shown) => {
            Output::DisplayData(DisplayData { data: shown.data, metadata: shown.metadata })
        }
        JupyterMessageContent::ExecuteResult(result) => Output::ExecuteResult(ExecuteResult {
            execution_count: result.execution_count,
            data: result.data,
            metadata: result.metadata,
        }),
        JupyterMessageContent::ErrorOutput(error) => {
            Output::Error(ErrorOutput { ename: error.ename, evalue: error.evalue, traceback: error.traceback })
        }
        _ => return None,
    })
}

/// Merged stdout, merged stderr, then all else as it came.
fn in_order(outputs: Vec<Output>) -> Vec<Output> {
    let (texts, mut rest): (Vec<_>, Vec<_>) = outputs.into_iter().partition(|o| matches!(o, Output::Stream { .. }));
    for wanted in ["stderr", "stdout"] {
        let text: String = texts.iter().filter_map(|output| stream_text(output, wanted)).collect();
        if !text.is_empty() {
            rest.insert(0, Output::Stream { name: wanted.into(), text: MultilineString(text) });
        }
    }
    rest
}

/// The text of an output that is a stream of that name.
pub fn stream_text<'a>(output: &'a Output, wanted: &str) -> Option<&'a str> {
    match output {
        Output::Stream { name, text } if name == wanted => Some(&text.0),
        _ => None,
    }
}

fn last_lines(path: &Path, count: usize) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}
