const UTC_MILLISECONDS = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;
let lastGood = '1970-01-01T00:00:00.000Z';

/** True for RFC 3339 in UTC with milliseconds, of a moment that exists. Such texts compare as their times do. */
export function isUtcMilliseconds(text: unknown): text is string {
  if (text === lastGood) return true; // all entries of a batch carry the same time
  if (typeof text !== 'string' || !UTC_MILLISECONDS.test(text)) return false;
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== text) return false;
  lastGood = text;
  return true;
}
