"""Test inputs on disk."""
