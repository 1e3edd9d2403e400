import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type HeavyResults, type HeavyTasks, Impossible } from '../heavy/heavy-tasks.ts';

/** What is used of tesseract.js, whose own types are there only where the extra is installed. */
interface Tesseract {
  readonly createWorker: (language: string, engine: number, options: object) => Promise<Recogniser>;
}
interface Recogniser {
  recognize(image: Uint8Array, options: object, output: object): Promise<{ data: Page }>;
}
interface Page {
  readonly text: string;
  readonly confidence: number;
  readonly blocks: readonly { readonly paragraphs: readonly { readonly lines: readonly Line[] }[] }[] | null;
}
interface Line {
  readonly words: readonly {
    readonly text: string;
    readonly confidence: number;
    readonly bbox: { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number };
  }[];
}
type Read = HeavyResults['ocr'];

/** Kept from one image to the next: to load a language takes longer than to read a page. */
const warm = new Map<string, Promise<Recogniser>>();

async function load(language: string, folder: string): Promise<Recogniser> {
  const require = createRequire(join(folder, 'package.json'));
  const { createWorker } = require('tesseract.js') as Tesseract;
  const langPath = join(dirname(require.resolve(`@tesseract.js-data/${language}`)), '4.0.0_best_int');
  return createWorker(language, 1, { langPath, gzip: true, cacheMethod: 'none', errorHandler: () => {} });
}

/** Reads the image in each language with the packages of the folder; the reading that is surest of itself is taken. */
export async function readImage({ bytes, languages }: HeavyTasks['ocr'], folder: string): Promise<Read | Impossible> {
  const readings: Read[] = [];
  for (const language of languages) {
    const loading = warm.get(language) ?? load(language, folder);
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
    return new Impossible('not_an_image', 'The file is not a readable PNG or JPEG.');
  }
}
