"""CFMSE: control flow on symbolic conditions becomes data flow.

Saumya, Gangaraju, Sundararajah, Kulkarni: "Targeted Control-flow Transformations for Mitigating Path Explosion in
Dynamic Symbolic Execution".  docs/techniques/cfmse.md tells the whole story.
"""
