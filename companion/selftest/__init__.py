"""`corona selftest`: ten set-ups that a person lays, each read, and a page that says what to improve."""
