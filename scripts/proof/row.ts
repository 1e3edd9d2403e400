// What each test proves, the command that runs it, and how to read its output.

type Line = Readonly<Record<string, unknown>>;

/** The stored result of a run. */
export interface RunResult {
  /** The arguments of `node`. */
  readonly command: readonly string[];
  /** The part of the full size that was run, 1 at most. */
  readonly scale: number;
  /** Names the content of src/. Unknown for older results. */
  readonly source?: string;
  /** Its name in the list of machines; of parts that ran on several, all their names. */
  readonly machine: string;
  readonly at: string;
  readonly seconds: number;
  /** Null when time ran out. */
  readonly exit: number | null;
  /** One-minute load average, before and after. */
  readonly load: readonly [number, number];
  /** Its JSON lines, or the counts of a test run. */
  readonly lines: readonly Line[];
}

export interface ProofReading {
  readonly figure: string;
  readonly met: boolean;
  /** Everything that was run holds, but a part was not run. */
  readonly lacksOnlyParts?: boolean;
}

export interface ProofRow {
  readonly id: string;
  readonly kind: 'fault' | 'bench';
  readonly what: string;
  /** Null for what is measured without one. */
  readonly target: string | null;
  readonly command: (sized: (full: number) => string) => readonly string[];
  readonly read: (lines: readonly Line[]) => ProofReading;
  /** What a run has a line for each: without one of them the target is not met. */
  readonly parts?: Parts;
  /** The contenders of a bench: a heading and one line each. */
  readonly peers?: (lines: readonly Line[]) => readonly (readonly string[])[];
  readonly timeoutMinutes: number;
}

interface Parts {
  /** The part that a line is of. */
  readonly of: (line: Line) => unknown;
  readonly all: readonly string[];
}

export const ENGINES: Parts = { of: (line) => line['engine'], all: ['sqlite', 'postgres'] };

export type MachineFacts = Readonly<Record<string, string>>;

export interface Proof {
  readonly machines: Readonly<Record<string, MachineFacts>>;
  readonly results: Readonly<Record<string, RunResult>>;
}

/** The number at a path such as `callers_64.sqlite_vs_redis`. NaN if there is none, which meets no target. */
export function at(line: unknown, path: string): number {
  const found = path.split('.').reduce<unknown>((value, name) => (value as Line | undefined)?.[name], line);
  return typeof found === 'number' ? found : Number.NaN;
}

/** The largest over all lines. */
export function most(lines: readonly Line[], path: string): number {
  return Math.max(...lines.map((line) => at(line, path)));
}

/** The sum over all lines. */
export function total(lines: readonly Line[], path: string): number {
  return lines.reduce((sum, line) => sum + at(line, path), 0);
}

export function show(value: number): string {
  if (Number.isNaN(value)) return 'not measured';
  return Math.abs(value) >= 1_000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}

/** A part of a row adds to earlier parts that ran on the same code, on whatever machine. Anything else replaces what there was. */
export function joined(earlier: RunResult | undefined, latest: RunResult): RunResult {
  const isPart = (one: RunResult) => one.scale < 1;
  if (earlier === undefined || latest.source === undefined || earlier.source !== latest.source) return latest;
  if (!isPart(earlier) || !isPart(latest)) return latest;
  return {
    ...latest,
    machine: [...new Set([...earlier.machine.split(', '), latest.machine])].toSorted().join(', '),
    scale: Math.min(1, Number((earlier.scale + latest.scale).toFixed(4))),
    seconds: earlier.seconds + latest.seconds,
    exit: earlier.exit === 0 ? latest.exit : earlier.exit,
    load: [earlier.load[0], latest.load[1]],
    lines: [...earlier.lines, ...latest.lines],
  };
}

/** A target is met only if the run finished on its own with exit code 0. */
export function proofReadingOf(row: ProofRow, result: RunResult): ProofReading {
  if (result.exit === null) return { figure: `not finished within ${row.timeoutMinutes} min`, met: false };
  if (result.lines.length === 0) return { figure: `exit ${result.exit}, no figures`, met: false };
  const { figure, met } = row.read(result.lines);
  const { of, all } = row.parts ?? { of: () => undefined, all: [] };
  const ran = new Set(result.lines.map(of));
  const [done, missing] = [all.filter((part) => ran.has(part)), all.filter((part) => !ran.has(part))];
  const said = [
    figure,
    ...(done.length > 0 ? [`on ${done.join(', ')}`] : []),
    ...(missing.length > 0 ? [`not run on ${missing.join(', ')}`] : []),
    ...(result.exit === 0 ? [] : [`exit ${result.exit}`]),
  ];
  const holds = met && result.exit === 0;
  return { figure: said.join('; '), met: holds && missing.length === 0, lacksOnlyParts: holds && missing.length > 0 };
}
