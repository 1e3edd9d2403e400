import { test } from 'node:test';
import { assertCleansPlanes } from '#kernel/_code-points.ts';
import { cleanKeyText, cleanText } from '#kernel/foreign-text.ts';

const PLANES = Array.from({ length: 17 }, (_, plane) => plane);

for (const clean of [cleanText, cleanKeyText]) {
  test(`${clean.name} holds for every code point`, () => assertCleansPlanes(clean, PLANES));
}
