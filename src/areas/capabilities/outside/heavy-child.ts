// The process in which heavy capabilities run: no call waits for them, and one that hangs or swells is ended with it.
import { type Tools, Unworkable } from '../capability.ts';
import { HEAVY_LIMITS } from '../heavy/heavy-limits.ts';
import { type HeavyResults, type HeavyTasks, Impossible } from '../heavy/heavy-tasks.ts';
import type { HeavyAnswer, HeavyRequest } from './heavy-process.ts';

type Work = { readonly [K in keyof HeavyTasks]: (task: HeavyTasks[K]) => Promise<HeavyResults[K] | Impossible> };

const [, , ocrFolder = ''] = process.argv;
const MEMORY_REFUSED = /allocation failed|out of memory|invalid string length/i;
/** Readers of files go on where memory was refused to them, and say so to the terminal alone. */
let isStarved = false;
const notice = (...said: unknown[]) => void (isStarved ||= said.some((one) => MEMORY_REFUSED.test(String(one))));
Object.assign(console, { log: notice, warn: notice, error: notice, info: notice });

const unavailable = () => {
  throw new Error('there are no tools here');
};
const NO_TOOLS: Tools = { heavy: unavailable, fetch: unavailable, nowIso: unavailable };

const WORK: Work = {
  async language({ text }) {
    const { eld } = await import('eld/small');
    const result = eld.detect(text);
    return { language: result.language || null, reliable: result.isReliable(), scores: result.getScores() };
  },
  summary: async ({ text, sentences }) => (await import('../text/text-rank.ts')).keySentences(text, sentences),
  pdf: async (task) => (await import('./pdf.ts')).readPdf(task),
  ocr: async (task) => (await import('./ocr.ts')).readImage(task, ocrFolder),
  barcode_read: async ({ bytes }) => (await import('./barcode.ts')).readCodes(bytes),
  barcode_write: async ({ text, output }) => (await import('./barcode.ts')).writeQr(text, output),
  validation: async (task) => (await import('./validation.ts')).validate(task),
  invoice: async ({ xml }) => (await import('../document/ubl.ts')).readUbl(xml),
  page_text: async (task) => (await import('../web/page-text.ts')).pageText(task),
  embedded: async ({ capability, input }) => {
    const { embedded } = (await import('../table.ts')).capabilityById(capability) ?? {};
    const output = await embedded?.run(input, NO_TOOLS);
    if (output === undefined || output instanceof Unworkable) throw new Error(`${capability} has no output`);
    return output;
  },
  async stuck() {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return null;
  },
};

async function answerTo({ kind, task }: HeavyRequest): Promise<HeavyAnswer> {
  isStarved = false;
  const run = WORK[kind] as (task: unknown) => Promise<unknown>;
  try {
    const value = await run(task);
    if (isStarved) return { isStarved };
    if (value instanceof Impossible) return { impossible: value };
    const json = JSON.stringify(value);
    return json.length <= HEAVY_LIMITS.outputLength ? { json } : { impossible: outputTooLong() };
  } catch (error) {
    const { message } = error as Error;
    if (isStarved || MEMORY_REFUSED.test(message)) return { isStarved: true };
    return { impossible: new Impossible('unreadable', message.slice(0, 200)) };
  }
}

function outputTooLong(): Impossible {
  return new Impossible('output_too_long', `The output would have more than ${HEAVY_LIMITS.outputLength} characters.`);
}

// The parent is gone, and with it whoever asked.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (request: HeavyRequest) => {
  void answerTo(request).then((answer) => process.send?.(answer));
});
process.send?.('ready');
