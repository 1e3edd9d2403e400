import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECORDS } from './files.ts';
import type { TestResult } from './messages.ts';
import type { FileResult } from './worker-process.ts';

const SLOWEST = 10;
const LINE_EVERY_MS = 20_000;

export interface ResultCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Tells how far a run is: one line that is written over on a terminal, a line now and then elsewhere. */
export class RunProgress {
  readonly #total: number;
  readonly #startedMs = performance.now();
  readonly #isTerminal = process.stderr.isTTY;
  #done = 0;
  #failed = 0;
  #lineMs = 0;

  constructor(total: number) {
    this.#total = total;
  }

  add(result: FileResult): void {
    this.#done += 1;
    this.#failed += resultCounts([result]).failed;
    const failure = failureText(result);
    if (failure !== '') this.#write(`${failure}\n`);
    const nowMs = performance.now();
    if (!this.#isTerminal && nowMs - this.#lineMs < LINE_EVERY_MS && this.#done < this.#total) return;
    this.#lineMs = nowMs;
    const failed = this.#failed === 0 ? '' : `, ${this.#failed} failed`;
    this.#write(`${this.#done} of ${this.#total} files, ${time(nowMs - this.#startedMs)}${failed}`, !this.#isTerminal);
  }

  /** On a terminal the last line has no end, so that the next one takes its place. */
  #write(text: string, endsLine = false): void {
    process.stderr.write(this.#isTerminal ? `\r\x1b[K${text}` : `${text}${endsLine ? '\n' : ''}`);
  }
}

export function resultCounts(files: readonly FileResult[]): ResultCounts {
  const results = files.flatMap(({ results: ones }) => ones);
  const count = (outcome: TestResult['outcome']) => results.filter((one) => one.outcome === outcome).length;
  const broken = files.filter(({ fault }) => fault !== undefined).length;
  return { passed: count('passed'), failed: count('failed') + broken, skipped: count('skipped') };
}

function failureText({ file, results, output, fault }: FileResult): string {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0 && fault === undefined) return '';
  const tests = failed.map(({ path, error }) => `✖ ${[file, ...path].join(' › ')}\n${indented(error ?? '')}`);
  const end = fault === undefined ? [] : [`✖ ${file}: ${fault}`];
  const printed = output.trim() === '' ? [] : [`  it printed:\n${indented(output.trim())}`];
  return `\n${[...tests, ...end, ...printed].join('\n')}`;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

/** What stands at the end of a run. */
export function summaryText(
  files: readonly FileResult[],
  { peakBytes, ms }: { peakBytes: number; ms: number },
): string {
  const { passed, failed, skipped } = resultCounts(files);
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  const cpuMs = files.reduce((sum, file) => sum + file.cpuMs, 0);
  return [
    '',
    `slowest ${slowest.length} of ${files.length} files (time, processor time):`,
    ...slowest.map((one) => `  ${seconds(one.ms)}  ${seconds(one.cpuMs)}  ${one.file}`),
    ...reasonsOfSkips(files),
    ...files.flatMap(failedNames),
    `${time(ms)}, ${(cpuMs / 1000).toFixed(0)} s of processor time in the files, at most ${mebibytes(peakBytes)} MiB of temporary data`,
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ].join('\n');
}

function failedNames({ file, results, fault }: FileResult): string[] {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  return [
    ...failed.map(({ path }) => `✖ ${[file, ...path].join(' › ')}`),
    ...(fault === undefined ? [] : [`✖ ${file}`]),
  ];
}

function reasonsOfSkips(files: readonly FileResult[]): string[] {
  const reasons = Map.groupBy(
    files.flatMap(({ results }) => results.filter(({ outcome }) => outcome === 'skipped')),
    ({ reason = 'no reason given' }) => reason,
  );
  return [...reasons].map(([reason, ones]) => `skipped ${ones.length}: ${reason}`);
}

/** Writes the name and outcome of every test, one a line, so that two runs can be compared. */
export function keepNames(kind: string, files: readonly FileResult[]): void {
  const lines = files.flatMap(({ file, results }) =>
    results.map(({ path, outcome }) => `${outcome}\t${file}\t${path.join(' › ')}`),
  );
  mkdirSync(RECORDS, { recursive: true });
  writeFileSync(join(RECORDS, `names-${kind}.tsv`), `${lines.toSorted().join('\n')}\n`);
}

function time(ms: number): string {
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} min`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(8);
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
