"""Finding: one analyzer, one formula, two engines that rank alike."""
