// Stands in for what a package loads and nothing here uses.
