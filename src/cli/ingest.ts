import { createReadStream } from 'node:fs';
import type { IngestProgress, RunOutcome } from '#areas/data/sources/ingestion.ts';
import { DATASETS, type DataSource } from '#areas/data/sources/source.ts';
import { SOURCES, sourcesNamed } from '#areas/data/sources/source-table.ts';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import { openIngestion } from '#areas/data/outside/open-ingestion.ts';
import { openFoundation } from '#platform/foundation.ts';
import { givenArguments } from './arguments.ts';
import { type Command, type Terminal, UsageError } from './command.ts';

const USAGE_ERROR = `ingest takes the name of a source or data set (${DATASETS.join(', ')}), and --file with one source`;
const BAR = 24;
const REDRAW_MS = 100;

export const ingestCommand: Command = {
  name: 'ingest',
  summary: 'read open data now, from their sources or from a downloaded file',
  usage: 'ingest [<source or data set>] [--file <path>]',
  examples: ['./avouch ingest', './avouch ingest permits', './avouch ingest pdok-natura2000 --file natura.json'],
  async run(args, terminal) {
    const { positionals, values } = givenArguments(args, { values: ['file'] }, USAGE_ERROR);
    const [name, ...more] = positionals;
    const sources = name === undefined ? SOURCES : sourcesNamed(name);
    const { file } = values;
    if (more.length > 0 || sources.length === 0) throw new UsageError(USAGE_ERROR);
    if (file !== undefined && (name === undefined || sources.length !== 1)) {
      throw new UsageError(`--file needs one source: ${sources.map(({ id }) => id).join(', ')}`);
    }
    const config = readConfig(terminal.env);
    const { patience = 1 } = terminal;
    await using stack = new AsyncDisposableStack();
    const { store, clock } = stack.use(await openFoundation({ config, secrets: readSecrets(config), patience }, false));
    const isSandbox = config.profile === 'sandbox';
    const simulatorUrl = isSandbox ? stack.use(await RegisterSimulators.start(() => clock.now())).url : undefined;
    const ingestion = stack.use(openIngestion({ config, store, clock, simulatorUrl, patience }));
    const before = await ingestion.states();
    const stop = new AbortController();
    const onSignal = () => stop.abort();
    process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
    stack.defer(() => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal));
    let refused = 0;
    for (const source of sources) {
      const shown = new ProgressLine(source, before.get(source.id)?.rows ?? 0, terminal, () => clock.monotonicMs());
      const outcome = await ingestion.run(source, {
        signal: stop.signal,
        onProgress: (progress: IngestProgress) => shown.draw(progress),
        ...(file !== undefined && { file: createReadStream(file) }),
      });
      shown.end();
      terminal.out(`${source.id.padEnd(18)} ${wordsOf(outcome)}\n`);
      if (outcome.kind === 'refused') refused += 1;
      if (stop.signal.aborted) break;
    }
    return refused === 0 ? 0 : 1;
  },
};

function wordsOf(outcome: RunOutcome): string {
  if (outcome.kind === 'taken') return `${outcome.rows} rows, snapshot ${outcome.snapshot}`;
  if (outcome.kind === 'unchanged') return 'unchanged, the snapshot in use is confirmed';
  return `refused, the snapshot in use stays: ${outcome.code}: ${outcome.detail}`;
}

/** A bar on a terminal; nothing elsewhere, where only the line at the end is of use. */
class ProgressLine {
  readonly #source: DataSource;
  readonly #expected: number;
  readonly #terminal: Terminal;
  readonly #nowMs: () => number;
  readonly #isShown = process.stderr.isTTY;
  #drawnMs = Number.NEGATIVE_INFINITY;

  constructor(source: DataSource, expected: number, terminal: Terminal, nowMs: () => number) {
    this.#source = source;
    this.#expected = expected;
    this.#terminal = terminal;
    this.#nowMs = nowMs;
  }

  draw({ bytes, rows }: IngestProgress): void {
    const nowMs = this.#nowMs();
    if (!this.#isShown || nowMs - this.#drawnMs < REDRAW_MS) return;
    this.#drawnMs = nowMs;
    this.#terminal.err(`\r\u001b[2K${progressText(this.#source.id, { bytes, rows, expected: this.#expected })}`);
  }

  end(): void {
    if (this.#isShown) this.#terminal.err('\r\u001b[2K');
  }
}

/** How far a read is, by the rows that the last one had; without one there is no telling. */
export function progressText(
  id: string,
  { bytes, rows, expected }: IngestProgress & { readonly expected: number },
): string {
  const share = expected === 0 ? 0 : Math.min(1, rows / expected);
  const filled = Math.round(share * BAR);
  const bar = expected === 0 ? '.'.repeat(BAR) : '#'.repeat(filled) + '.'.repeat(BAR - filled);
  return `${id.padEnd(18)} [${bar}] ${rows} rows, ${(bytes / 2 ** 20).toFixed(1)} MB`;
}
