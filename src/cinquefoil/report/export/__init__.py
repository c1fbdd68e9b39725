"""An output folder in other tools' formats: one module per format."""
