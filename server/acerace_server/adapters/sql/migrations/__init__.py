"""Alembic's: ``env.py``, and one file a version of the schema."""
