CREATE INDEX lesson_at ON lesson (at, id);
