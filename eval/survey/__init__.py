"""The same choices over every labelled set there is: what the defaults rest on."""
