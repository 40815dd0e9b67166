"""Wirebound: one protocol contract → bindings that accept exactly what it accepts."""
