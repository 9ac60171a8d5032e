"""What the hall can be asked, a file a noun: each verb is checked here and done at its desk."""
