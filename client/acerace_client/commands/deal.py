"""``acerace deal``: what a deal code stands for."""

import argparse

from acerace_client.commands.common import OK, Subparsers, UsageError, new_parser
from acerace_rules.deal import DealCodeError, read_code
from acerace_rules.diagram import draw_table
from acerace_rules.view import view


def add(subparsers: Subparsers) -> None:
    parser = new_parser(
        subparsers, "deal", "show the deal of a code", ["deal KL1-D1UM-AAAAAAB", "deal KL1-D1UM-AAAAAAB --all"]
    )
    parser.add_argument("code", help="a deal code; case, spaces and hyphens do not matter")
    parser.add_argument("--all", action="store_true", help="show the hidden cards too")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    try:
        deal = read_code(args.code)
    except DealCodeError as error:
        raise UsageError(str(error)) from None
    print(f"code     {deal.code}")
    print(f"game     {deal.game}, deal number {deal.number}")
    print(f"options  {', '.join(f'{key} {value}' for key, value in deal.options.items()) or 'none'}")
    table = deal.table()
    print(draw_table(table if args.all else view(table)), end="")
    return OK
