export interface OdometerReading {
  /** ISO 8601; readings are compared in this order. */
  readonly at: string;
  readonly value: number;
  readonly unit: 'MI' | 'KM';
}

const KM_PER_MILE = 1.609344;
/** Between units one is allowed for rounding. */
const ROUNDING = 1;

/**
 * A row that never goes down is in order. One reading that two or more later ones undercut, and without which the row
 * is in order, was mistyped; any other fall means that the odometer went down.
 */
export function judgeOdometer(readings: readonly OdometerReading[]): 'in_order' | 'inconsistent' | 'went_down' {
  const isMixed = new Set(readings.map(({ unit }) => unit)).size > 1;
  const tolerance = isMixed ? ROUNDING : 0;
  const values = readings
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ at, value, unit }) => ({
      day: at.slice(0, 10),
      miles: isMixed && unit === 'KM' ? value / KM_PER_MILE : value,
    }))
    .filter((one, i, all) => one.day !== all[i - 1]?.day || one.miles !== all[i - 1]?.miles) // a retest of the day
    .map(({ miles }) => miles);
  if (neverFalls(values, tolerance)) return 'in_order';
  const isMistyped = (value: number, i: number) =>
    neverFalls(values.toSpliced(i, 1), tolerance) &&
    values.slice(i + 1).filter((later) => later < value - tolerance).length > 1;
  return values.some(isMistyped) ? 'inconsistent' : 'went_down';
}

function neverFalls(values: readonly number[], tolerance: number): boolean {
  let highest = Number.NEGATIVE_INFINITY;
  return values.every((value) => {
    const isFall = value < highest - tolerance;
    highest = Math.max(highest, value);
    return !isFall;
  });
}
