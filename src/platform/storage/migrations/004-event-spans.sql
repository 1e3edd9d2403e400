-- By span of revisions before the key: events of keys at random are then written side by side.
DROP INDEX event_key;
CREATE INDEX event_span ON event ((rev / 1024), key, rev);
