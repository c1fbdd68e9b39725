"""Real programs to try the engine on: found in Debian's source packages, built twice, explored and measured."""
