"""The core's jobs about accounts, for the workshop's threads. They only read: records are what is written."""

from collections.abc import Callable, Mapping
from typing import Any

from acerace_protocol.limits import LISTED_MAX
from acerace_server.core.jobs import CheckPassword, HashPassword, ListTokens
from acerace_server.core.records import Owner
from acerace_server.ports import Accounts, Passwords


def account_jobs(accounts: Accounts, passwords: Passwords) -> Mapping[type, Callable[[Any], object]]:
    """By the type of a job, what does it."""

    def hash_password(job: HashPassword) -> str:
        return passwords.hash(job.password)

    def check_password(job: CheckPassword) -> Owner | None:
        found = [account for player in job.players if (account := accounts.find_account(player))]
        for account in found:
            if passwords.verify(account.password_hash, job.password):
                return Owner(account.player, accounts.list_tokens(account.player.player, LISTED_MAX))
        if not found:
            passwords.verify(None, job.password)  # so that nobody can tell by the time whether the name is anyone's
        return None

    def list_tokens(job: ListTokens) -> object:
        return accounts.list_tokens(job.player, LISTED_MAX)

    return {HashPassword: hash_password, CheckPassword: check_password, ListTokens: list_tokens}
