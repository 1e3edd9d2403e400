/** Where the reporter of a worker says that all results of a file are on their way. */
export const FILE_REPORTED = 'avouch:test-file-reported';

/** What a worker tells of one test. */
export interface TestResult {
  /** The names of the suites around the test and its own, outermost first. */
  readonly path: readonly string[];
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly error?: string;
  /** Why it was skipped. */
  readonly reason?: string;
}

/** What a worker sends to the runner. */
export type Message =
  | { readonly kind: 'ready' }
  | { readonly kind: 'started'; readonly name: string }
  | { readonly kind: 'result'; readonly result: TestResult }
  | { readonly kind: 'done'; readonly ms: number; readonly cpuMs: number; readonly rssBytes: number };

/** What the runner sends to a worker. */
export interface WorkerOrder {
  readonly file: string;
}
