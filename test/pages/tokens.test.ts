// The colours of the style sheet against what they stand on, by the contrast of WCAG 2.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokens } from '#web/tokens.ts';

type Scheme = 'light' | 'dark';
const SCHEMES = ['light', 'dark'] as const;
const TEXT = 4.5;
const CONTROL = 3;
const GROUNDS = ['bg', 'surface', 'sunken'];

const named = new Map(tokens().map((token) => [token.name, token]));

/** Relative luminance. */
function luminance(hex: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [r = 0, g = 0, b = 0] = parts.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(ink: string, ground: string, scheme: Scheme): number {
  const of = (name: string) => {
    const value = named.get(name)?.[scheme] ?? '';
    assert.match(value, /^#[0-9a-f]{6}$/, `--${name} in ${scheme}`);
    return luminance(value);
  };
  const [high, low] = [of(ink), of(ground)].toSorted((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Measured contrasts on bg, surface and sunken. */
const ON_GROUNDS: Readonly<Record<string, Readonly<Record<Scheme, readonly number[]>>>> = {
  ink: { light: [15.5, 16.4, 14.8], dark: [15.6, 14.1, 15.3] },
  muted: { light: [5.8, 6.2, 5.6], dark: [8.2, 7.4, 8.1] },
  'line-strong': { light: [3.4, 3.6, 3.2], dark: [4.6, 4.1, 4.5] },
  accent: { light: [7.5, 7.9, 7.1], dark: [8.9, 8, 8.7] },
};

/** Measured contrasts of pairs. */
const PAIRS: readonly (readonly [ink: string, ground: string, light: number, dark: number])[] = [
  ['accent', 'accent-bg', 6.8, 7.1],
  ['ink', 'accent-bg', 14.2, 12.4],
  ['on-accent', 'accent', 7.9, 8.7],
  ['good', 'good-bg', 5.8, 8.2],
  ['warn', 'warn-bg', 6.3, 8.8],
  ['bad', 'bad-bg', 6.2, 7.9],
  ['on-bad', 'bad-solid', 6.6, 9.1],
  ['info', 'info-bg', 7.3, 8.7],
  ['chart-rest', 'surface', 4.6, 5.7],
];

/** Recorded with one digit. */
function assertIs(ink: string, ground: string, scheme: Scheme, recorded: number | undefined): void {
  const found = contrast(ink, ground, scheme);
  assert.ok(
    Math.abs(found - (recorded ?? Number.NaN)) <= 0.1,
    `${ink} on ${ground} in ${scheme} is ${found.toFixed(2)}, recorded ${recorded}`,
  );
}

test('every colour has the contrast that the table of the design records', () => {
  for (const [ink, recorded] of Object.entries(ON_GROUNDS)) {
    for (const scheme of SCHEMES) {
      for (const [place, ground] of GROUNDS.entries()) assertIs(ink, ground, scheme, recorded[scheme][place]);
    }
  }
  for (const [ink, ground, light, dark] of PAIRS) {
    assertIs(ink, ground, 'light', light);
    assertIs(ink, ground, 'dark', dark);
  }
});

test('text stands out from every ground by 4.5, borders of controls and lines of charts by 3', () => {
  for (const scheme of SCHEMES) {
    const states = ['good', 'warn', 'bad', 'info'];
    const texts = ['ink', 'muted', 'accent', ...states].flatMap((ink) =>
      GROUNDS.map((ground) => [ink, ground] as const),
    );
    const onOwn = states.map((name) => [name, `${name}-bg`] as const);
    for (const [ink, ground] of [
      ...texts,
      ...onOwn,
      ['on-accent', 'accent'] as const,
      ['on-bad', 'bad-solid'] as const,
    ]) {
      assert.ok(contrast(ink, ground, scheme) >= TEXT, `${ink} on ${ground} in ${scheme}`);
    }
    for (const ground of GROUNDS) assert.ok(contrast('line-strong', ground, scheme) >= CONTROL, `${ground}, ${scheme}`);
    for (const name of ['1', '2', '3', '4', '5', '6', 'rest'])
      assert.ok(contrast(`chart-${name}`, 'surface', scheme) >= CONTROL, `chart-${name}, ${scheme}`);
  }
});
