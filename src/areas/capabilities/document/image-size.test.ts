import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pngOf } from '../../../../test/support/small-files.ts';
import { imageSizeOf } from './image-size.ts';

const NOTHING = Buffer.alloc(1);

test('a PNG says how many bytes its samples take, palettes counted as colours', () => {
  const bytesOf = (colourType: number, depth: number) =>
    imageSizeOf(pngOf({ width: 100, height: 10, depth, colourType }, NOTHING))?.bytes;
  assert.deepEqual([bytesOf(0, 1), bytesOf(0, 8), bytesOf(0, 16)], [1_000, 1_000, 2_000]);
  assert.deepEqual([bytesOf(2, 8), bytesOf(3, 4), bytesOf(4, 8), bytesOf(6, 16)], [3_000, 4_000, 2_000, 8_000]);
  assert.equal(bytesOf(7, 8), 4_000, 'a colour type that is none');
});

test('a JPEG says it too, one in several scans with its coefficients', () => {
  const frame = (marker: string, components: string) =>
    imageSizeOf(Buffer.from(`ffd8ffe000044a46ff${marker}001108000a0064${components}ffd9`, 'hex'));
  const halved = '03012200021100031100';
  const whole = '03011100021100031100';
  assert.deepEqual(frame('c0', halved), { pixels: 1_000, bytes: 3_000 });
  assert.deepEqual(frame('c2', halved), { pixels: 1_000, bytes: 3_000 });
  assert.deepEqual(frame('c2', whole), { pixels: 1_000, bytes: 6_000 });
  assert.deepEqual(frame('c0', '01011100'), { pixels: 1_000, bytes: 1_000 });
});

test('what is neither, or ends before it says its size, has none', () => {
  const png = pngOf({ width: 9, height: 9, depth: 8, colourType: 0 }, NOTHING);
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('GIF89a'),
    png.subarray(0, 25),
    Buffer.from('ffd8ffc00011', 'hex'),
  ]) {
    assert.equal(imageSizeOf(bytes), null);
  }
});
