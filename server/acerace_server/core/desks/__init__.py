"""One module a subject: each desk answers the messages of one."""
