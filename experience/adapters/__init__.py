"""The adapters: each speaks one framework's language, and can be imported where that framework is not installed."""
