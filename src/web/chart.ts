// Charts that the server draws: they need no script, and every number also stands in a table or a name.
import { type Html, html, NOTHING } from '#kernel/html.ts';
import { dataTable, type Tone } from './components.ts';

// Heights are pixels and widths shares of the width there is, so that text keeps its size on a phone.
const HEIGHT = 200;
const TOP = 10;
const PLOT_HEIGHT = 166;
/** The width of the drawing that a line is stretched from. */
const LINE_WIDTH = 1000;
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
  const step = 100 / labels.length;
  const bar = Math.min(8, step * 0.72);
  const bars = labels.map((label, place) => {
    const parts = shown.map(({ label: name, values }) => `${name} ${format(values[place] ?? 0)}`);
    const said = `${label}: ${format(totals[place] ?? 0)}. ${parts.join(', ')}`;
    const x = step * place + (step - bar) / 2;
    let below = 0;
    const stack = shown.map(({ values }, index) => {
      const value = values[place] ?? 0;
      if (value === 0) return NOTHING;
      const height = Math.max(MIN_BAR, (value / top) * PLOT_HEIGHT);
      below += height;
      const y = TOP + PLOT_HEIGHT - below;
      // The pixel between two parts tells them apart without colour.
      return html`<rect class="${seriesClass(index, shown)}" x="${px(x)}%" y="${px(y)}" width="${px(bar)}%" height="${px(Math.max(MIN_BAR, height - 1))}"/>`;
    });
    if (totals[place] === 0) return NOTHING;
    return html`<g tabindex="0" role="img" aria-label="${said}"><title>${said}</title><rect class="chart-hit" x="${px(step * place)}%" y="${TOP}" width="${px(step)}%" height="${PLOT_HEIGHT}"/>${stack}</g>`;
  });
  const places = axisPlaces(labels.length);
  const axis = places.map((place) => axisLabel(step * (place + 0.5), place, labels));
  return html`<figure class="chart-figure"><figcaption class="visually-hidden">${title}</figcaption>${drawing(title, ticks(top, format), html`${bars}${axis}`)}${legend(shown, format)}
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
  const step = 1 / (points.length - 1);
  const y = (value: number) => px(TOP + PLOT_HEIGHT * (1 - value / top));
  const x = (place: number) => px(LINE_WIDTH * step * place);
  const path = points.map(({ value }, place) => (place === 0 ? `M0 ${y(value)}` : `H${x(place)}V${y(value)}`)).join('');
  const last = points.at(-1) as StepLine['points'][number];
  const labels = points.map(({ label }) => label);
  const axis = axisPlaces(points.length).map((place) => axisLabel(100 * step * place, place, labels));
  const lastY = Number(y(last.value));
  const labelY = lastY < TOP + 16 ? lastY + 18 : lastY - 8;
  return html`<figure class="chart-figure"><figcaption class="visually-hidden">${title}</figcaption>${drawing(
    `${title}. ${last.label}: ${format(last.value)}`,
    ticks(top, format),
    html`<svg viewBox="0 0 ${LINE_WIDTH} ${HEIGHT}" width="100%" height="${HEIGHT}" preserveAspectRatio="none"><path class="chart-area" d="${path}V${TOP + PLOT_HEIGHT}H0Z"/><path class="chart-line" d="${path}"/></svg><circle class="chart-end" cx="100%" cy="${lastY}" r="3"/><text class="chart-value" x="100%" y="${labelY}" text-anchor="end">${format(last.value)}</text>${axis}`,
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

/** Values at the left; the rest takes the width which is left. */
function drawing(name: string, { lines, values }: Ticks, body: Html): Html {
  return html`<div class="chart-box" role="group" aria-label="${name}"><svg width="56" height="${HEIGHT}" aria-hidden="true">${values}</svg><svg class="chart-plot" height="${HEIGHT}">${lines}${body}</svg></div>`;
}

interface Ticks {
  readonly lines: readonly Html[];
  readonly values: readonly Html[];
}

function ticks(top: number, format: (value: number) => string): Ticks {
  const places = Array.from({ length: GRID_LINES }, (_line, index) => {
    const value = (top * index) / (GRID_LINES - 1);
    return { y: Number(px(TOP + PLOT_HEIGHT * (1 - value / top))), text: format(value) };
  });
  return {
    lines: places.map(({ y }) => html`<line class="chart-grid" x1="0" x2="100%" y1="${y}" y2="${y}"/>`),
    values: places.map(
      ({ y, text }) => html`<text class="chart-tick" x="48" y="${y + 4}" text-anchor="end">${text}</text>`,
    ),
  };
}

function axisLabel(percent: number, place: number, labels: readonly string[]): Html {
  const isFirst = percent < 5;
  const isLast = percent > 95;
  const anchor = isFirst ? 'start' : isLast ? 'end' : 'middle';
  const isAlwaysShown = fewPlaces(labels.length).includes(place);
  return html`<text class="chart-tick${isAlwaysShown ? '' : ' chart-tick-wide'}" aria-hidden="true" x="${px(percent)}%" y="${HEIGHT - 6}" text-anchor="${anchor}">${labels[place] ?? ''}</text>`;
}

/** Every day of a week; of more only the first, the middle and the last. */
function axisPlaces(count: number): number[] {
  if (count <= MAX_NAMED_DAYS) return Array.from({ length: count }, (_place, index) => index);
  return fewPlaces(count);
}

/** What there is room for on a phone. */
function fewPlaces(count: number): number[] {
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
