// @ts-check
// Draws every [data-chart] with uPlot; the numbers stand in a table beside it.

/** @typedef {{ title: string, unit: string, times: number[], series: { label: string, values: (number | null)[] }[] }} Chart */

const HEIGHT = 180;
const COLOURS = ['--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5', '--chart-6', '--chart-rest'];
const uPlot = /** @type {any} */ (window)['uPlot'];
/** @type {Map<Element, { plot: any, data: string | null }>} */
const drawn = new Map();

/** @param {string} name */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const DAY_S = 86400;

/** Times as ISO writes them, to the day, the minute or the second. @param {unknown} _plot @param {number[]} splits */
function timeLabels(
  _plot,
  splits,
  /** @type {number} */ _axis,
  /** @type {number} */ _space,
  /** @type {number} */ step,
) {
  const [from, to] = step >= DAY_S ? [0, 10] : step >= 60 ? [11, 16] : [11, 19];
  return splits.map((at) => new Date(at * 1000).toISOString().slice(from, to));
}

/** While nothing is pointed at, the legend shows the newest values. @param {any} plot */
function showNewest(plot) {
  if (plot.cursor.idx == null) plot.setLegend({ idx: plot.data[0].length - 1 });
}

/** @param {Element} figure */
function draw(figure) {
  /** @type {Chart} */
  const { unit, times, series } = JSON.parse(/** @type {HTMLElement} */ (figure).dataset['chart'] ?? '{}');
  drawn.get(figure)?.plot.destroy();
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  };
  const options = {
    width: figure.clientWidth,
    height: HEIGHT,
    tzDate: (/** @type {number} */ at) => uPlot.tzDate(new Date(at * 1000), 'UTC'),
    cursor: { drag: { x: false, y: false } },
    hooks: { setCursor: [showNewest], ready: [showNewest] },
    scales: {
      y: {
        range: (/** @type {unknown} */ _plot, /** @type {number} */ _low, /** @type {number} */ high) => [
          0,
          high > 0 ? high * 1.15 : 1,
        ],
      },
    },
    axes: [
      { ...axis, space: 80, values: timeLabels },
      { ...axis, size: 56 },
    ],
    series: [
      { label: 'Time', value: '{HH}:{mm} UTC' },
      ...series.map(({ label }, index) => ({
        label,
        stroke: colour(COLOURS[index % COLOURS.length] ?? ''),
        width: 1.5,
        points: { show: times.length <= 31, size: 4 },
        value: (/** @type {unknown} */ _plot, /** @type {number | null} */ value) =>
          value == null ? '–' : `${value} ${unit}`,
      })),
    ],
  };
  const plot = new uPlot(options, [times, ...series.map(({ values }) => values)], figure);
  drawn.set(figure, { plot, data: figure.getAttribute('data-chart') });
}

function drawAll() {
  for (const figure of document.querySelectorAll('[data-chart]')) draw(figure);
}

const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) drawn.get(target)?.plot.setSize({ width: target.clientWidth, height: HEIGHT });
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
document.addEventListener('htmx:after:swap', () => {
  for (const [figure, { plot }] of drawn) {
    if (figure.isConnected) continue;
    plot.destroy();
    drawn.delete(figure);
  }
  for (const figure of document.querySelectorAll('[data-chart]')) {
    const known = drawn.get(figure);
    if (known === undefined) start(figure);
    else if (known.data !== figure.getAttribute('data-chart')) draw(figure);
  }
});

/** @param {Element} figure */
function start(figure) {
  draw(figure);
  resized.observe(figure);
}

for (const figure of document.querySelectorAll('[data-chart]')) start(figure);
