"""What holds for all tests."""

import os

# The servers that tests start have no house bots, each of which would be one more process; who wants them says so.
os.environ.setdefault("ACERACE_HOUSE_BOTS", "0")

# Autobahn's suite needs a Python 2.7 and a folder it is installed in: see tests/autobahn.
collect_ignore = [] if "ACERACE_AUTOBAHN" in os.environ else ["autobahn"]
