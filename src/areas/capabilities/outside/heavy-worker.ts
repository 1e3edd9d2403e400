// The thread in which heavy capabilities run: no call waits for them, and one that hangs is ended with its thread.
import { parentPort, workerData } from 'node:worker_threads';
import { type HeavyResults, type HeavyTasks, Impossible } from '../heavy-tasks.ts';
import { keySentences } from '../text-rank.ts';

export interface HeavyRequest {
  readonly id: number;
  readonly kind: keyof HeavyTasks;
  readonly task: unknown;
}
/** What a thread is given with its start. */
export interface HeavyData {
  /** Where the packages that read images lie; null where they are not installed, and then nothing asks for them. */
  readonly ocrFolder: string | null;
}
export type HeavyAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly impossible: Impossible };

type Work = { readonly [K in keyof HeavyTasks]: (task: HeavyTasks[K]) => Promise<HeavyResults[K] | Impossible> };

const WORK: Work = {
  async language({ text }) {
    const { eld } = await import('eld/small');
    const result = eld.detect(text);
    return { language: result.language || null, reliable: result.isReliable(), scores: result.getScores() };
  },
  summary: async ({ text, sentences }) => keySentences(text, sentences),
  pdf: async (task) => (await import('./pdf.ts')).readPdf(task),
  ocr: async (task) => (await import('./ocr.ts')).readImage(task, (workerData as HeavyData).ocrFolder ?? ''),
  barcode_read: async ({ bytes }) => (await import('./barcode.ts')).readCodes(bytes),
  barcode_write: async ({ text, output }) => (await import('./barcode.ts')).writeQr(text, output),
  validation: async (task) => (await import('./validation.ts')).validate(task),
  async stuck() {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return null;
  },
};

parentPort?.on('message', ({ id, kind, task }: HeavyRequest) => {
  const run = WORK[kind] as (task: unknown) => Promise<unknown>;
  const answer = (sent: HeavyAnswer) => parentPort?.postMessage(sent);
  run(task).then(
    (value) => answer(value instanceof Impossible ? { id, impossible: value } : { id, value }),
    (error: Error) => answer({ id, impossible: { code: 'unreadable', detail: error.message.slice(0, 200) } }),
  );
});
