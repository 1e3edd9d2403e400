/** Milliseconds of one UTC day (leap seconds do not exist in Unix time). */
const DAY_MS = 86_400_000;

const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

let memoDay = Number.NaN;
let memoDate = '';
let memoMs = Number.NaN;
let memoText = '';

/** Number of the UTC day that holds the instant, counted from 1970-01-01. */
export function utcDay(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}

/** The instant as RFC 3339 text with milliseconds; lines of the same millisecond share one text. */
export function utcText(atMs: number): string {
  if (atMs === memoMs) return memoText;
  const day = utcDay(atMs);
  if (day !== memoDay) {
    memoDate = civilDate(day);
    memoDay = day;
  }
  const ms = Math.floor(atMs - day * DAY_MS);
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hour = TWO_DIGITS[Math.floor(minutes / 60)];
  const rest = `${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}.${String(ms % 1000).padStart(3, '0')}`;
  memoText = `${memoDate}T${hour}:${rest}Z`;
  memoMs = atMs;
  return memoText;
}

/** Proleptic Gregorian date of a day number, by 400-year eras of 146,097 days that start on 1 March. */
function civilDate(day: number): string {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leaps = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${TWO_DIGITS[month]}-${TWO_DIGITS[dayOfMonth]}`;
}
