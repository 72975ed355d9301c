"""Prints the AsyncAPI document of the protocol."""

import json
import sys

from acerace_protocol.asyncapi import document


def main() -> None:
    sys.stdout.write(json.dumps(document(), indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
