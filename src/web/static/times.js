// @ts-check
// How times are said to people: the server renders with these functions, and site.js keeps the text true.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** @param {number} value */
const two = (value) => String(value).padStart(2, '0');

/** @param {Date} at */
const dayOf = (at) => `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`;

/** The day, with its year where that is not the present one. @param {Date} at @param {Date} now */
function dateText(at, now) {
  return at.getUTCFullYear() === now.getUTCFullYear() ? dayOf(at) : `${dayOf(at)} ${at.getUTCFullYear()}`;
}

/** "3 min ago" under a week, then the date; times to come alike. @param {number} atMs @param {number} nowMs */
export function relativeText(atMs, nowMs) {
  const [at, now] = [new Date(atMs), new Date(nowMs)];
  const ms = Math.abs(nowMs - atMs);
  const isPast = atMs <= nowMs;
  const said = (/** @type {string} */ length) => (isPast ? `${length} ago` : `in ${length}`);
  if (ms < MINUTE_MS) return isPast ? 'just now' : 'in under a minute';
  if (ms < HOUR_MS) return said(`${Math.floor(ms / MINUTE_MS)} min`);
  if (ms < DAY_MS) return said(`${Math.floor(ms / HOUR_MS)} h`);
  if (isPast && ms < 2 * DAY_MS && new Date(nowMs - DAY_MS).getUTCDate() === at.getUTCDate())
    return `yesterday ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
  if (ms < 7 * DAY_MS) return said(`${Math.max(2, Math.floor(ms / DAY_MS))} days`.replace(/^1 days$/, '1 day'));
  return dateText(at, now);
}

/** "15 Nov 2026, 21:05", in UTC. @param {number} atMs */
export function exactText(atMs) {
  const at = new Date(atMs);
  return `${dayOf(at)} ${at.getUTCFullYear()}, ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
}

/** "2 min 36 s". @param {number} ms */
export function lengthText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
  if (minutes > 0) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${seconds} s`;
}

/** Local and UTC time for a title. @param {number} atMs */
export function titleText(atMs) {
  const utc = new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const at = new Date(atMs);
  const offset = -at.getTimezoneOffset() / 60;
  const zone = offset === 0 ? 'UTC' : `UTC${offset > 0 ? '+' : '−'}${Math.abs(offset)}`;
  const day = `${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()}`;
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  return `${day}, ${time} (${zone}) · ${utc}`;
}
