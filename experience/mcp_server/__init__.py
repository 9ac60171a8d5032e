"""The door for agents that speak the Model Context Protocol, over stdio and over HTTP.

Whatever comes through it was said by an agent: it is stored as an agent's words, an outcome is a self-report, and
nothing is let out of quarantine. The core is synchronous; async lives in this room alone.
"""
