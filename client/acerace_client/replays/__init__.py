"""Replays: a finished game told again, entry by entry, to a second referee that knows only the rule book. Pure.

It shares the rules with the server and nothing else: no line of what a server decides about races, turns, timers and
endings is taken from there, so what both say alike was not merely said twice.
"""
