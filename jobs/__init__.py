"""What happens by itself: the night that keeps the store small and true, its schedule, and the way back."""
