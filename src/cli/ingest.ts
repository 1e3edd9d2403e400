import { createReadStream, existsSync } from 'node:fs';
import type { RunOutcome } from '#areas/data/sources/ingestion.ts';
import { DATASETS, type DataSource } from '#areas/data/sources/source.ts';
import { SOURCES, sourcesNamed } from '#areas/data/sources/source-table.ts';
import { readConfig } from '#platform/config/config.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import { openIngestion } from '#areas/data/outside/open-ingestion.ts';
import { didYouMean } from './line/nearest.ts';
import { count } from './line/progress.ts';
import { InputError, type Run, UsageError } from './line/spec.ts';
import { openStore } from './operator-store.ts';

export const ingest: Run = async ({ operands: [name], values: { file } }, output) => {
  const sources = sourcesOf(name, file);
  const config = readConfig(output.env);
  const { patience } = output;
  await using stack = new AsyncDisposableStack();
  const { foundation, isSandbox } = stack.use(await openStore(output));
  const { store, clock } = foundation;
  const simulatorUrl = isSandbox ? stack.use(await RegisterSimulators.start(() => clock.now())).url : undefined;
  const ingestion = stack.use(openIngestion({ config, store, clock, simulatorUrl, patience }));
  const before = await ingestion.states();
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  stack.defer(() => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal));
  const outcomes: { source: string; outcome: RunOutcome }[] = [];
  using progress = output.progress('Importing');
  for (const source of sources) {
    // How far a read is shows only by the rows that the last one had.
    const total = before.get(source.id)?.rows ?? 0;
    const outcome = await ingestion.run(source, {
      signal: stop.signal,
      onProgress: ({ bytes, rows }) => {
        const unit = `rows, ${(bytes / 2 ** 20).toFixed(1)} MB`;
        progress.update({ done: rows, unit, ...(total > 0 && { total }) }, `Importing ${source.id}`);
      },
      ...(file !== undefined && { file: createReadStream(file) }),
    });
    progress.end();
    output.line(`${source.id.padEnd(18)} ${wordsOf(outcome)}`);
    outcomes.push({ source: source.id, outcome });
    if (stop.signal.aborted) break;
  }
  const refused = outcomes.filter(({ outcome }) => outcome.kind === 'refused').length;
  const value = { sources: outcomes.map(({ source, outcome }) => ({ source, ...shown(outcome) })) };
  const imported = outcomes.reduce((sum, { outcome }) => sum + (outcome.kind === 'taken' ? outcome.rows : 0), 0);
  const told = `${outcomes.length} ${outcomes.length === 1 ? 'source' : 'sources'} read, ${count(imported)} rows imported`;
  output.result(value, `${told}, ${refused} refused, in ${progress.took}.\n`);
  return refused === 0 ? 0 : 1;
};

function sourcesOf(name: string | undefined, file: string | undefined): readonly DataSource[] {
  const sources = name === undefined ? SOURCES : sourcesNamed(name);
  const known = [...DATASETS, ...SOURCES.map(({ id }) => id)];
  if (name !== undefined && sources.length === 0) {
    const hint = didYouMean(name, known) || ` Use one of ${DATASETS.join(', ')}.`;
    throw new UsageError(`Unknown source or data set ${JSON.stringify(name)}.${hint}`);
  }
  if (file !== undefined && (name === undefined || sources.length !== 1)) {
    throw new UsageError(`--file needs one source: ${sources.map(({ id }) => id).join(', ')}.`);
  }
  if (file !== undefined && !existsSync(file)) throw new InputError(`Cannot read ${file}.`);
  return sources;
}

/** Members as programs read them. */
function shown(outcome: RunOutcome) {
  if (outcome.kind === 'taken') return { outcome: 'imported', rows: outcome.rows, snapshot: outcome.snapshot };
  if (outcome.kind === 'unchanged') return { outcome: 'unchanged' };
  return { outcome: 'refused', code: outcome.code, detail: outcome.detail };
}

function wordsOf(outcome: RunOutcome): string {
  if (outcome.kind === 'taken') return `${outcome.rows} rows, snapshot ${outcome.snapshot}`;
  if (outcome.kind === 'unchanged') return 'unchanged, the current snapshot is confirmed';
  return `refused, the current snapshot stays: ${outcome.code}: ${outcome.detail}`;
}
