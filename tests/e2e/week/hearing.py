"""A table's whole journal, heard once: tables that have not changed since are not heard again."""

from functools import cache

from tests.e2e.week.duels import Duel
from tests.e2e.week.ledger import TableRow
from tests.e2e.week.referee import Referee, WrongError
from tests.e2e.week.solos import Solo


@cache
def hear(row: TableRow) -> Referee:
    """The referee after the last entry. Raises :class:`WrongError` with the table and the entry."""
    referee = Duel(row) if row.code is None else Solo(row)
    for number, entry in enumerate(row.entries):
        referee.last_entry = number == len(row.entries) - 1
        try:
            referee.hear(entry)
        except WrongError as wrong:
            raise WrongError(f"table {row.id}, entry {number}: {wrong}") from None
        except (LookupError, ValueError, TypeError) as error:
            raise WrongError(f"table {row.id}, entry {number} makes no sense: {error!r}") from error
    return referee
