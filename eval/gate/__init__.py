"""The gate: no change goes in that finds less than the code before it, or finds it otherwise unnoticed."""
