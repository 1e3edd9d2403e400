-- The claim_commitment of an entry, by its place in the canonical JSON of the leaf.
CREATE INDEX entries_commitment ON entries ((CASE substr(leaf, 1, 20)
  WHEN '{"claim_commitment":' THEN substr(leaf, 22, 64)
  WHEN '{"bundle_root":null,' THEN substr(leaf, 41, 64)
  ELSE substr(leaf, 103, 64) END));
