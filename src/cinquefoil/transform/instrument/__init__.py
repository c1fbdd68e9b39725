"""The tracing rewrite: IR in, IR that records what depends on the input out (`module.instrument`)."""
