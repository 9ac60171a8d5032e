"""Desks: where the rooms meet. One desk serves the verbs of one noun; the hall hands each verb to its desk."""
