"""Everything that outlives the process, in an SQL database: SQLite in a data directory, through SQLAlchemy Core.

``sqlite.py`` is the only module that says what PostgreSQL would not understand.
"""
