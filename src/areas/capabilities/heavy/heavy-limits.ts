import type { HeavyTasks } from './heavy-tasks.ts';

const MIB = 1024 * 1024;

/**
 * What heavy work may take. Measured with Node 26 on Linux, two cores: an idle process has 60 to 80 MiB; a PNG of 24
 * megapixels takes it to 239, the data of language detection to 206, a CSV of ten million characters to 253, 500 pages with
 * as much text as an answer may have to 162, a PDF with a font of 31 MB to 193. docs/tasks.md names the figures that callers
 * meet.
 */
export const HEAVY_LIMITS = {
  /** One task. A PDF of 500 dense pages took 12 to 19 s on a machine with other work. */
  taskMs: 30_000,
  /** Processes at once: one that an agent may hold, and one for the others. */
  processes: 2,
  /** Tasks of one agent at once, so that no agent alone holds every process. */
  runningPerAgent: 1,
  /** Executions with heavy work of one agent, waiting or running: two batches and a few single calls. */
  executionsPerAgent: 8,
  /** The same over all agents; each may hold a body of 16 MiB. */
  executions: 64,
  /** So many tasks that were ended at a limit, in so much time, and the agent's heavy work rests. */
  failuresPerAgent: 3,
  failureWindowMs: 600_000,
  restMs: 600_000,
  /** Agents whose failures are remembered. */
  agentsRemembered: 10_000,
  /** An idle process is given back. */
  idleMs: 5_000,
  /** How often the memory of a process at work is read. A reader of files fills some ten megabytes in the time. */
  watchMs: 20,
  /** Characters of all inputs of a call that are worked on where calls are answered; to redact so many takes 15 to 25 ms. */
  textLength: 4_000,
  /** Characters of an answer, as JSON. */
  outputLength: 4_000_000,
} as const;

/**
 * A process that holds more than this after a task is ended, so that the next finds all that it may take. Data of
 * languages takes longer to load than to use and stays for the next task of its kind.
 */
const REUSED_BELOW_BYTES = 128 * MIB;
const REUSED_BELOW_BYTES_OF: Readonly<Partial<Record<keyof HeavyTasks, number>>> = {
  language: 224 * MIB,
  ocr: 208 * MIB,
};

/** Whether a process that holds so much may do such a task; `last` is what it did before. */
export function isReusable(residentBytes: number, kind: keyof HeavyTasks, last: keyof HeavyTasks): boolean {
  const isSame = kind === last;
  return residentBytes <= ((isSame ? REUSED_BELOW_BYTES_OF[kind] : undefined) ?? REUSED_BELOW_BYTES);
}

export interface ProcessLimits {
  /** Ended above this, by whoever watches it. */
  readonly residentBytes: number;
  /**
   * Refused by the kernel above this and what Node reserves (RLIMIT_DATA): all private memory that can be written, used
   * or not.
   */
  readonly dataBytes: number;
  /** Each has a heap and a reservation of its own. */
  readonly threads: number;
  /** What JavaScript objects may take; typed arrays are not among them. */
  readonly heapMb: number;
}

/** OCR has a thread for each language: a photograph of 12 megapixels takes it to 258 MiB in one and to 423 in both. */
export const PROCESS_LIMITS = {
  general: { residentBytes: 264 * MIB, dataBytes: 400 * MIB, threads: 1, heapMb: 144 },
  ocr: { residentBytes: 480 * MIB, dataBytes: 688 * MIB, threads: 3, heapMb: 144 },
} as const satisfies Readonly<Record<string, ProcessLimits>>;
export type ProcessClass = keyof typeof PROCESS_LIMITS;

/** A PDF is read a page at a time. */
const PDF_RESIDENT_BYTES = 208 * MIB;

/** What a process may hold while it does a task of the kind. */
export function residentLimit(kind: keyof HeavyTasks, processClass: ProcessClass): number {
  return kind === 'pdf' ? PDF_RESIDENT_BYTES : PROCESS_LIMITS[processClass].residentBytes;
}

/**
 * What a thread of Node reserves and does not use, mostly for code: so much that it must be known before a limit is set.
 * Where a machine reserves more, the first process tells, and the next is started with that.
 */
export function usuallyReservedBytes(): number {
  return (process.arch === 'x64' ? 528 : 240) * MIB;
}

/** What images and documents may unpack to, said by their headers or counted before they are read. */
export const DECODED_LIMITS = {
  /** A photograph of 24 megapixels, or one of 12 with 16 bits a colour. */
  image: { pixels: 25_000_000, bytes: 75_000_000 },
  /** A photograph of 12 megapixels; a page of A4 at 300 dots an inch has 9. */
  ocrImage: { pixels: 12_500_000, bytes: 40_000_000 },
  /** One stream of a PDF. Contents of a page have some hundred kilobytes, large fonts some megabytes. */
  pdfStreamBytes: 32 * MIB,
} as const;
