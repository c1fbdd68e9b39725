"""Tests on plain native builds: does the program itself do what the engine said it would?"""
