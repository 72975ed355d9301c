"""How the core says no to a message that is no table command."""

from acerace_protocol.limits import Fault


class RefusalError(Exception):
    """A message that is not carried out; becomes a ``problem``."""

    def __init__(self, fault: Fault, detail: str = "") -> None:
        super().__init__(detail or fault)
        self.fault = fault
        self.detail = detail
