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
        account = accounts.find_account(job.name)
        right = passwords.verify(None if account is None else account.password_hash, job.password)
        if account is None or not right:
            return None
        return Owner(account.player, accounts.list_tokens(account.player.player, LISTED_MAX))

    def list_tokens(job: ListTokens) -> object:
        return accounts.list_tokens(job.player, LISTED_MAX)

    return {HashPassword: hash_password, CheckPassword: check_password, ListTokens: list_tokens}
