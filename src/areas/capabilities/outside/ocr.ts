import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type HeavyResults, type HeavyTasks, Impossible } from '../heavy-tasks.ts';

type Recogniser = Awaited<ReturnType<typeof import('tesseract.js').createWorker>>;
type Read = HeavyResults['ocr'];

/** Kept from one image to the next: to load a language takes longer than to read a page. */
const warm = new Map<string, Promise<Recogniser>>();

async function load(language: string): Promise<Recogniser> {
  const { createWorker } = await import('tesseract.js');
  const directory = dirname(fileURLToPath(import.meta.resolve(`@tesseract.js-data/${language}`)));
  const langPath = join(directory, '4.0.0_best_int');
  return createWorker(language, 1, { langPath, gzip: true, cacheMethod: 'none', errorHandler: () => {} });
}

/** Reads the image in each language; the reading that is surest of itself is taken. */
export async function readImage({ bytes, languages }: HeavyTasks['ocr']): Promise<Read | Impossible> {
  const readings: Read[] = [];
  for (const language of languages) {
    const loading = warm.get(language) ?? load(language);
    warm.set(language, loading);
    const read = await recognised(await loading, bytes);
    if (read instanceof Impossible) return read;
    readings.push(read);
  }
  return readings.toSorted((a, b) => b.confidence - a.confidence)[0] as Read;
}

async function recognised(recogniser: Recogniser, bytes: Uint8Array): Promise<Read | Impossible> {
  try {
    const { data } = await recogniser.recognize(Buffer.from(bytes), {}, { text: true, blocks: true });
    const lines = (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines));
    const words = lines.flatMap((line) => line.words);
    return {
      text: data.text.trim().toWellFormed(),
      confidence: data.confidence,
      words: words.map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => ({
        text: text.toWellFormed(),
        confidence,
        box: [x0, y0, x1, y1],
      })),
    };
  } catch {
    return new Impossible('not_an_image', 'is no readable PNG or JPEG');
  }
}
