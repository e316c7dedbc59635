"""JupyterLab, patient with evcxr. The launcher passes this text to Python."""

import signal
import sys

try:
    from jupyter_server.services.kernels.kernelmanager import MappingKernelManager, ServerKernelManager
    from jupyterlab.labapp import main
except ImportError as error:
    sys.exit(f"JupyterLab is damaged ({error}); delete the folder `.venv` and run the same command again.")

# Seconds; by then whatever connected together with a passing question has long been let in.
PATIENCE = 30


def patient(connect):
    """Keeps the channel of a passing question open for a while after it was answered.

    While a kernel starts, the server asks who it is over channels that it closes at the first answer, and connects
    others at once. In evcxr_jupyter 0.22 (zeromq 0.6) a channel that closes while another connects can lock up all
    that is said to the kernel, and an answer that finds the control channel closed ends the kernel ("Broken pipe").
    """

    def connected(self, identity=None):
        stream = connect(self, identity=identity)
        if identity is None:
            close = stream.close
            stream.close = lambda *_: self.loop.call_later(PATIENCE, close)
        return stream

    return connected


ServerKernelManager.connect_shell = patient(ServerKernelManager.connect_shell)
ServerKernelManager.connect_control = patient(ServerKernelManager.connect_control)

# JupyterLab does not show the status that goes with these messages. That of "who are you" is all that a kernel says
# which came back by itself: without it the page would go on showing "Unknown".
for message in MappingKernelManager.untracked_message_types.default():
    if not message.startswith("kernel_info"):
        sys.argv.append(f"--MappingKernelManager.untracked_message_types={message}")

# An interrupt and a closed terminal end it as SIGTERM does: where standard input is no terminal, Jupyter would end at
# once and leave its kernels behind.
for name in ("SIGINT", "SIGHUP"):
    if hasattr(signal, name):
        signal.signal(getattr(signal, name), lambda *_: signal.raise_signal(signal.SIGTERM))

sys.exit(main())
