"""Following tables, commands at them, and the referee's advice."""

from collections.abc import Mapping
from typing import cast, get_args

from acerace_protocol.limits import LISTED_MAX, RESUMED_EVENTS_PER_MESSAGE
from acerace_protocol.messages import (
    Ask,
    Command,
    Leave,
    Legal,
    ListTables,
    Refused,
    Resume,
    Resumed,
    TableCommand,
    Watch,
)
from acerace_protocol.units import SECOND_NS
from acerace_rules.moves import IllegalMoveError
from acerace_server.core.connection import Connection
from acerace_server.core.office import Handler, Office


class TablesDesk:
    """Leads to tables."""

    def __init__(self, office: Office) -> None:
        self._office = office

    @property
    def answers(self) -> Mapping[type, Handler]:
        return {
            ListTables: self._list_tables,
            Watch: self._watch,
            Resume: self._resume,
            Leave: self._leave,
            Legal: self._legal,
            Ask: self._ask,
        } | dict.fromkeys(get_args(Command), self._command)

    def _list_tables(self, connection: Connection, message: ListTables, at: int) -> None:
        del message, at
        self._office.send(connection, self._office.registry.listed(LISTED_MAX))

    def _watch(self, connection: Connection, message: Watch, at: int) -> None:
        office = self._office
        hosted = office.seen_table(connection, message.table)
        if message.delay_s and hosted.key not in connection.player.tables:
            office.follow_late(hosted, connection, message.delay_s, at)
            return
        office.stop_being_late(hosted, connection, at)
        office.follow(hosted, connection, at)
        office.send(connection, hosted.snapshot(at))
        office.tell_sequel(hosted, connection, at)

    def _resume(self, connection: Connection, message: Resume, at: int) -> None:
        hosted = self._office.seen_table(connection, message.table)
        delay_ns = hosted.delay_ns_of(connection.number)
        if delay_ns is not None:  # to such a one "all that came after" would tell too much
            self._office.follow_late(hosted, connection, delay_ns // SECOND_NS, at)
            return
        self._office.follow(hosted, connection, at)
        missed = hosted.match.history.since(message.seen)
        match = hosted.match
        lost = match.seq - message.seen
        self._office.send(connection, Resumed(table=hosted.key, seq=match.seq, missed=max(0, lost)))
        for event in [hosted.snapshot(at)] if missed is None else missed:
            self._office.send(connection, event)
        self._office.tell_sequel(hosted, connection, at)
        connection.charge(len(missed or ()) // RESUMED_EVENTS_PER_MESSAGE)

    def _leave(self, connection: Connection, message: Leave, at: int) -> None:
        office = self._office
        if office.leave_late(connection, message.table):
            return
        hosted = office.followed_table(connection, message.table)
        office.registry.settle()  # what this connection sent before is still answered
        seat = hosted.seat_of(connection.number)
        connection.tables.discard(hosted.key)
        office.registry.unfollow(hosted, connection.number, at)
        if seat is not None and hosted.match.setup.code is not None:
            office.registry.remove(hosted)
            office.sweep()

    def _legal(self, connection: Connection, message: Legal, at: int) -> None:
        hosted, seat = self._office.seat(connection, message.table, at)
        if message.on:
            hosted.wants_legal[connection.number] = seat
            self._office.send(connection, hosted.match.legal(seat))
        else:
            hosted.wants_legal.pop(connection.number, None)

    def _ask(self, connection: Connection, message: Ask, at: int) -> None:
        hosted, seat = self._office.seat(connection, message.table, at)
        try:
            self._office.send(connection, hosted.match.advise(seat, message))
        except IllegalMoveError as error:
            refused = Refused(table=hosted.key, nonce=message.nonce, reason=error.reason, detail=error.detail)
            self._office.send(connection, refused)

    def _command(self, connection: Connection, message: TableCommand, at: int) -> None:
        """Judged at the end of the loop turn, with everything else that arrives in it."""
        hosted, seat = self._office.seat(connection, message.table, at)
        self._office.registry.enqueue(hosted, seat, cast("Command", message), at)
