import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What runs leave for later runs: times of the files, names of the tests, the journal of busy runs. Ignored by git. */
export const RECORDS = join(ROOT, '.test-runs');
const TIMES = join(RECORDS, 'times.json');

/** `npm test` runs `test`, `npm run test:more` runs `more`: longer tests and those that need a browser. */
export type Kind = 'test' | 'more';

const PATTERNS: Readonly<Record<Kind, readonly string[]>> = {
  test: ['src/**/*.test.ts', 'test/**/*.test.ts'],
  more: ['test/**/*.more.ts'],
};

const SIMULATES = 'puts timers and random bytes of the whole process on virtual time and a seed';
/** Files that cannot share a process with others, and why. */
const OWN_PROCESS: Readonly<Record<string, string>> = {
  'test/simulation/simulation.test.ts': SIMULATES,
  'test/simulation/simulation.more.ts': SIMULATES,
};

export function needsOwnProcess(file: string): boolean {
  return file in OWN_PROCESS;
}

/** The test files of this kind whose path holds one of the words, those that took longest first. */
export function testFiles(kind: Kind, words: readonly string[]): string[] {
  const all = PATTERNS[kind].flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
  const chosen = words.length === 0 ? all : all.filter((file) => words.some((word) => file.includes(word)));
  const times = knownTimes();
  const took = (file: string) => times[file]?.ms ?? Infinity;
  return chosen.toSorted((a, b) => took(b) - took(a) || a.localeCompare(b));
}

/** How long a file took, and how much processor time of it. */
interface Took {
  readonly ms: number;
  readonly cpuMs: number;
}

function knownTimes(): Record<string, Took> {
  try {
    return JSON.parse(readFileSync(TIMES, 'utf8')) as Record<string, Took>;
  } catch {
    return {};
  }
}

/** Keeps how long files took, so that the next run begins with the longest. */
export function keepTimes(took: Readonly<Record<string, Took>>): void {
  mkdirSync(dirname(TIMES), { recursive: true });
  writeFileSync(TIMES, JSON.stringify({ ...knownTimes(), ...took }));
}
