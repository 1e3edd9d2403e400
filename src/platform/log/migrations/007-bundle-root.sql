-- The bundle_root of an entry that has one, by its place in the canonical JSON of the leaf.
CREATE INDEX entries_bundle_root ON entries (substr(leaf, 17, 64)) WHERE substr(leaf, 1, 16) = '{"bundle_root":"';
