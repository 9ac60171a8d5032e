"""The steps of the night, one verb each: `plan` decides without touching, `apply` does some of the plan."""
