"""The browser client: files served as they are. Data only; the server finds this package by its name."""
