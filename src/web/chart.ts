// Charts that the server draws: they need no script, and every number also stands in a table or a name.
import { type Html, html, NOTHING } from '#kernel/html.ts';
import { dataTable, type Tone } from './components.ts';

const WIDTH = 640;
const HEIGHT = 200;
const MARGIN = { left: 56, right: 12, top: 10, bottom: 24 };
const PLOT = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
/** The one at 0 included. */
const GRID_LINES = 5;
const MAX_SERIES = 5;
const MAX_NAMED_DAYS = 8;
const MIN_BAR = 1;

interface Series {
  readonly label: string;
  readonly values: readonly number[];
}

export interface StackedBars {
  readonly title: string;
  /** One for each place on the axis, such as `15 Nov`. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** What the axis reaches at the least, so that little does not look like much. */
  readonly leastMax?: number;
}

/** Bars of several parts, the largest part lowest. Nothing where every value is 0. */
export function stackedBars({ title, labels, series, format, leastMax = 1 }: StackedBars): Html {
  const shown = withRest(series.toSorted((a, b) => sum(b.values) - sum(a.values)));
  const totals = labels.map((_label, place) => sum(shown.map(({ values }) => values[place] ?? 0)));
  if (totals.every((total) => total === 0)) return NOTHING;
  const top = niceMax(Math.max(leastMax, ...totals));
  const step = PLOT.width / labels.length;
  const bar = Math.max(2, Math.min(48, step * 0.72));
  const bars = labels.map((label, place) => {
    const parts = shown.map(({ label: name, values }) => `${name} ${format(values[place] ?? 0)}`);
    const said = `${label}: ${format(totals[place] ?? 0)}. ${parts.join(', ')}`;
    const x = MARGIN.left + step * place + (step - bar) / 2;
    let below = 0;
    const stack = shown.map(({ values }, index) => {
      const value = values[place] ?? 0;
      if (value === 0) return NOTHING;
      const height = Math.max(MIN_BAR, (value / top) * PLOT.height);
      below += height;
      const y = MARGIN.top + PLOT.height - below;
      // The pixel between two parts tells them apart without colour.
      return html`<rect class="${seriesClass(index, shown)}" x="${px(x)}" y="${px(y)}" width="${px(bar)}" height="${px(Math.max(MIN_BAR, height - 1))}"/>`;
    });
    if (totals[place] === 0) return NOTHING;
    return html`<g tabindex="0" role="img" aria-label="${said}"><title>${said}</title><rect class="chart-hit" x="${px(MARGIN.left + step * place)}" y="${MARGIN.top}" width="${px(step)}" height="${PLOT.height}"/>${stack}</g>`;
  });
  const places = axisPlaces(labels.length);
  const axis = places.map((place) => axisLabel(MARGIN.left + step * (place + 0.5), labels[place] ?? '', place, labels));
  return html`<figure class="chart-figure"><figcaption class="visually-hidden">${title}</figcaption>${drawing(title, html`${grid(top, format)}${bars}${axis}`)}${legend(shown, format)}
<details class="chart-table"><summary>Show as a table</summary>${dataTable({
    caption: title,
    hidesCaption: true,
    columns: [
      'Day',
      ...shown.map(({ label }) => ({ label, align: 'number' as const })),
      { label: 'Total', align: 'number' },
    ],
    rows: labels.map((label, place) => [
      label,
      ...shown.map(({ values }) => format(values[place] ?? 0)),
      format(totals[place] ?? 0),
    ]),
  })}</details></figure>`;
}

export interface StepLine {
  readonly title: string;
  readonly points: readonly { readonly label: string; readonly value: number }[];
  readonly format: (value: number) => string;
  readonly leastMax?: number;
}

/** A value that changes in steps; the last one is written at its end. */
export function stepLine({ title, points, format, leastMax = 1 }: StepLine): Html {
  if (points.length < 2 || points.every(({ value }) => value === 0)) return NOTHING;
  const top = niceMax(Math.max(leastMax, ...points.map(({ value }) => value)));
  const step = PLOT.width / (points.length - 1);
  const y = (value: number) => px(MARGIN.top + PLOT.height * (1 - value / top));
  const x = (place: number) => px(MARGIN.left + step * place);
  const path = points
    .map(({ value }, place) => (place === 0 ? `M${x(0)} ${y(value)}` : `H${x(place)}V${y(value)}`))
    .join('');
  const floor = MARGIN.top + PLOT.height;
  const last = points.at(-1) as StepLine['points'][number];
  const labels = points.map(({ label }) => label);
  const axis = axisPlaces(points.length).map((place) =>
    axisLabel(MARGIN.left + step * place, labels[place] ?? '', place, labels),
  );
  const lastY = Number(y(last.value));
  const labelY = lastY < MARGIN.top + 16 ? lastY + 18 : lastY - 8;
  return html`<figure class="chart-figure"><figcaption class="visually-hidden">${title}</figcaption>${drawing(
    `${title}. ${last.label}: ${format(last.value)}`,
    html`${grid(top, format)}<path class="chart-area" d="${path}V${floor}H${MARGIN.left}Z"/><path class="chart-line" d="${path}"/><circle class="chart-end" cx="${x(points.length - 1)}" cy="${lastY}" r="3"/><text class="chart-value" x="${x(points.length - 1)}" y="${labelY}" text-anchor="end">${format(last.value)}</text>${axis}`,
  )}
<details class="chart-table"><summary>Show as a table</summary>${dataTable({
    caption: title,
    hidesCaption: true,
    columns: ['Day', { label: 'Balance', align: 'number' }],
    rows: points.map(({ label, value }) => [label, format(value)]),
  })}</details></figure>`;
}

/** A small line without axes, beside a figure that says its end. */
export function sparkline(values: readonly number[], name: string): Html {
  if (values.length < 2) return NOTHING;
  const [width, height] = [120, 32];
  const most = Math.max(...values, Number.MIN_VALUE);
  const points = values.map((value, place) => {
    const x = (width * place) / (values.length - 1);
    return `${px(x)},${px(height - 2 - (height - 4) * (value / most))}`;
  });
  return html`<svg class="sparkline" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${name}"><polyline class="chart-line" points="${points.join(' ')}"/></svg>`;
}

export interface DayStrip {
  readonly name: string;
  readonly days: readonly { readonly label: string; readonly tone: Tone; readonly text: string }[];
}

/** One bar a day, coloured by how the day was; each says its day to readers of the screen. */
export function dayStrip({ name, days }: DayStrip): Html {
  const [step, height] = [7, 28];
  const bars = days.map(({ label, tone, text }, place) => {
    const said = `${label}: ${text}`;
    return html`<li class="day day-${tone}"><svg viewBox="0 0 ${step - 2} ${height}" width="${step - 2}" height="${height}" aria-hidden="true" data-place="${place}"><title>${said}</title><rect width="${step - 2}" height="${height}" rx="1"/></svg><span class="visually-hidden">${said}</span></li>`;
  });
  return html`<ol class="day-strip" aria-label="${name}">${bars}</ol>`;
}

function drawing(name: string, body: Html): Html {
  return html`<svg class="chart-svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="${name}">${body}</svg>`;
}

function grid(top: number, format: (value: number) => string): Html {
  const lines = Array.from({ length: GRID_LINES }, (_line, index) => {
    const value = (top * index) / (GRID_LINES - 1);
    const y = px(MARGIN.top + PLOT.height * (1 - value / top));
    return html`<line class="chart-grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y}" y2="${y}"/><text class="chart-tick" x="${MARGIN.left - 8}" y="${Number(y) + 4}" text-anchor="end">${format(value)}</text>`;
  });
  return html`<g aria-hidden="true">${lines}</g>`;
}

function axisLabel(x: number, text: string, place: number, labels: readonly string[]): Html {
  const isEdge = labels.length > MAX_NAMED_DAYS;
  const anchor = isEdge && place === 0 ? 'start' : isEdge && place === labels.length - 1 ? 'end' : 'middle';
  return html`<text class="chart-tick" aria-hidden="true" x="${px(x)}" y="${HEIGHT - 6}" text-anchor="${anchor}">${text}</text>`;
}

/** Every day of a week; of more only the first, the middle and the last. */
function axisPlaces(count: number): number[] {
  if (count <= MAX_NAMED_DAYS) return Array.from({ length: count }, (_place, index) => index);
  return [0, Math.floor((count - 1) / 2), count - 1];
}

function legend(series: readonly Series[], format: (value: number) => string): Html {
  const items = series.map(
    ({ label, values }, index) =>
      html`<li><svg class="${seriesClass(index, series)}" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" rx="2"/></svg>${label} <strong>${format(sum(values))}</strong></li>`,
  );
  return html`<ul class="chart-legend">${items}</ul>`;
}

const REST = 'Other';

function withRest(series: readonly Series[]): readonly Series[] {
  const used = series.filter(({ values }) => sum(values) > 0);
  if (used.length <= MAX_SERIES) return used;
  const rest = used.slice(MAX_SERIES);
  const places = Math.max(...rest.map(({ values }) => values.length));
  const values = Array.from({ length: places }, (_place, index) => sum(rest.map((one) => one.values[index] ?? 0)));
  return [...used.slice(0, MAX_SERIES), { label: REST, values }];
}

function seriesClass(index: number, series: readonly Series[]): string {
  return series[index]?.label === REST && index === MAX_SERIES ? 'series-rest' : `series-${index + 1}`;
}

/** The next 1, 2, 4 or 8 of a power of ten, whose quarters are round. */
function niceMax(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 4, 8].find((one) => one * power >= value) ?? 10;
  return factor * power;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
