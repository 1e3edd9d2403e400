import { setTimeout as delay } from 'node:timers/promises';
import { Answers } from '#areas/data/answers.ts';
import type { BoundData } from '#areas/data/bind.ts';
import { Components, type ComponentsOptions } from '#areas/data/components.ts';
import { DataSets } from '#areas/data/datasets.ts';
import { Grounding } from '#areas/data/grounding.ts';
import { IngestJob } from '#areas/data/ingest-job.ts';
import { Ingestion } from '#areas/data/ingestion.ts';
import { FeedClient, type Pace, USUAL_PACE } from '#areas/data/outside/feed-client.ts';
import { passagesSha256 } from '#areas/data/retrieval/chunks.ts';
import { Retrieval } from '#areas/data/retrieval/retrieval.ts';
import { RowPassages } from '#areas/data/row-passages.ts';
import { DataSeals } from '#areas/data/seals.ts';
import { HOSTS, type HostName } from '#areas/data/source.ts';
import { SOURCES } from '#areas/data/source-table.ts';
import type { Config } from '#platform/config/config.ts';
import { type DataTool, dataTools } from '#areas/data/tools.ts';
import type { Clock } from '#kernel/clock.ts';
import { cleanText } from '#kernel/foreign-text.ts';
import { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { RuleDesk } from '#platform/usage-rules/rule-desk.ts';
import type { Store } from '#platform/storage/store.ts';
import { TextIndex } from '#platform/storage/text-index.ts';
import type { Job } from '#kernel/job.ts';
import { LessonPassages } from './lesson-passages.ts';
import type { Logger } from '#platform/logger.ts';
import { operationFacts, publicDocuments } from './public-documents.ts';
import { VERSION } from '#platform/version.ts';

export interface DataParts {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  /** Of the sandbox; undefined in production. */
  readonly standInUrl: string | undefined;
  /** How many times longer than usual others may take. */
  readonly patience?: number;
}

const JOB = 'open-data';
const JOB_EVERY_MS = 30_000;
const FIRST_READ_MS = 5_000;
/** Texts are indexed when somebody asks, or when the start is long over. */
const INDEX_EVERY_MS = 20_000;
/** As the anchors of the audit trail: a service that only just started seals nothing of its own. */
const SEALS_AFTER_MS = 600_000;
/** A stand-in answers at once or not at all. */
const STAND_IN_PACE: Pace = {
  ...USUAL_PACE,
  attempts: 2,
  backoffMs: { base: 2, cap: 10 },
  everyMs: 0,
  pageMs: 5_000,
  fileMs: 5_000,
};

/** What reads sources, in the service and on the command line alike. */
export function openIngestion({ config, store, clock, standInUrl, patience = 1 }: DataParts): Ingestion & Disposable {
  const stack = new DisposableStack();
  const { contact } = config.operator;
  const host = (name: HostName) => {
    const baseUrl = standInUrl === undefined ? config.openData.baseUrls[name] : `${standInUrl}/${name}`;
    return stack.use(new ConfiguredHost({ baseUrl, userAgent: `avouch/${VERSION} (${contact})` }));
  };
  const hosts = Object.fromEntries(HOSTS.map((name) => [name, host(name)])) as Record<HostName, ConfiguredHost>;
  const { pageMs, fileMs, ...pace } = standInUrl === undefined ? USUAL_PACE : STAND_IN_PACE;
  const client = new FeedClient({ hosts, pace: { ...pace, pageMs: patience * pageMs, fileMs: patience * fileMs } });
  const link = (name: HostName, url: string) =>
    standInUrl === undefined ? url : `${standInUrl}/${name}${new URL(url).pathname}`;
  const ingestion = new Ingestion({ store, clock, client, link });
  return Object.assign(ingestion, { [Symbol.dispose]: () => stack.dispose() });
}

export interface OpenData extends BoundData, Disposable {
  readonly retrieval: Retrieval;
  /** For a transport of tools. */
  readonly tools: readonly DataTool[];
  readonly job: Job;
}

export interface OpenDataParts extends DataParts {
  readonly logger: Logger;
  readonly kick: (job: string) => Promise<void>;
  readonly baseUrl: () => string;
  readonly component: ComponentsOptions['look'];
  readonly rules: RuleDesk;
}

/** The data sets with the job that reads them, and search; in the sandbox from stand-ins, at the latest when asked. */
export function openData(parts: OpenDataParts): OpenData {
  const { config, store, clock, standInUrl, logger, kick, baseUrl, patience = 1 } = parts;
  const stack = new DisposableStack();
  const sandbox = standInUrl !== undefined;
  const ingestion = stack.use(openIngestion(parts));
  const sources = SOURCES.filter(({ dataset }) => config.openData.ingest.includes(dataset));
  const warn = (source: string, code: string, detail: string) =>
    logger.warn('open data were not taken', { source, code, detail });
  const reading = new IngestJob({ ingestion, clock, sources, warn });
  const firstRead = () => Promise.race([kick(JOB), delay(patience * FIRST_READ_MS, undefined, { ref: false })]);
  const readsAtOnce = sandbox && sources.length === SOURCES.length;
  const startedMs = clock.now();
  const retrieval = stack.use(
    new Retrieval({
      newIndex: () => new TextIndex(),
      documents: publicDocuments,
      baseUrl,
      docsAtMs: () => startedMs,
    }),
  );
  const rows = new RowPassages(store, retrieval);
  const lessons = new LessonPassages(store, retrieval);
  let digest: Promise<string> | undefined;
  const docsSha256 = () => (digest ??= publicDocuments().then(passagesSha256));
  const seals = new DataSeals({ store, clock, sandbox, docsSha256 });
  const indexing = setInterval(() => {
    // A store that is out of reach is told elsewhere; the texts that were found before stay.
    void Promise.all([bound.dataSets.lookUp(), retrieval.ready(), rows.refresh()]).catch(() => undefined);
  }, INDEX_EVERY_MS).unref();
  stack.defer(() => clearInterval(indexing));
  const sealsFromMs = clock.monotonicMs() + SEALS_AFTER_MS;
  const run = async () => {
    await reading.run();
    if (clock.monotonicMs() >= sealsFromMs) await seals.run();
  };
  const bound = {
    dataSets: new DataSets({ store, clock, sandbox, ...(readsAtOnce && { firstRead }) }),
    answers: new Answers(
      retrieval,
      (text) => parts.rules.ofText('question', cleanText(text), ['secret_request']),
      () => lessons.refresh(),
    ),
    components: new Components({ clock, sandbox, look: parts.component }),
  };
  const facts = operationFacts(config.rates);
  const grounding = new Grounding({ store, retrieval, docsSha256, factsOf: (id) => facts.get(id) ?? [] });
  return {
    ...bound,
    retrieval,
    tools: dataTools({ ...bound, grounding }),
    job: { name: JOB, everyMs: JOB_EVERY_MS, ownTimer: true, run, stop: () => reading.stop() },
    [Symbol.dispose]: () => stack.dispose(),
  };
}
