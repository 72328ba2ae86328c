"""The companion: law: the only house that puts parts together; nothing below it imports it."""
