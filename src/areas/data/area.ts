import { setTimeout as delay } from 'node:timers/promises';
import type { LessonsPort } from '#areas/tasks/port.ts';
import { answering, boundRows, type OpenArea, on, type ProtocolDocument, type Served } from '#kernel/area.ts';
import { rowAsker } from '#kernel/bound-operation.ts';
import { cleanText } from '#kernel/foreign-text.ts';
import type { Job } from '#kernel/job.ts';
import { toolOf } from '#kernel/tool-of.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { Answers } from './retrieval/answers.ts';
import { Components, type ComponentsOptions } from './components.ts';
import { DataSets } from './sources/datasets.ts';
import { Grounding } from './retrieval/grounding.ts';
import { IngestJob } from './sources/ingest-job.ts';
import { type DataInput, type DataOperation, QUERIES, sources, summary } from './operations.ts';
import { openIngestion } from './outside/open-ingestion.ts';
import { CONNECTOR_RESULTS, ground } from './retrieval/tools.ts';
import { ask, component, document, search } from './retrieval/retrieval-operations.ts';
import { passagesSha256 } from './retrieval/chunks.ts';
import { LessonPassages } from './retrieval/lesson-passages.ts';
import { operationFacts, publicDocuments } from './retrieval/public-documents.ts';
import { Retrieval } from './retrieval/retrieval.ts';
import { RowPassages } from './retrieval/row-passages.ts';
import { DataSeals } from './sources/seals.ts';
import { SOURCES } from './sources/source-table.ts';
import { taskRoutes } from './task-routes.ts';

export interface DataNeeds {
  /** What is known of an electronic component. */
  readonly component: ComponentsOptions['look'];
  readonly lessons: LessonsPort;
  /** Methods by which the service judges, which are searched as well. */
  readonly protocols: readonly ProtocolDocument[];
}

export interface OpenData extends OpenArea, AsyncDisposable {
  readonly dataSets: DataSets;
  readonly answers: Answers;
  readonly components: Components;
  readonly grounding: Grounding;
  readonly retrieval: Retrieval;
  readonly jobs: readonly Job[];
}

const JOB = 'open-data';
const JOB_EVERY_MS = 30_000;
const FIRST_READ_MS = 5_000;
/** Texts are indexed when somebody asks, or when the start is long over. */
const INDEX_EVERY_MS = 20_000;
/** As the anchors of the audit trail: a service that only just started seals nothing of its own. */
const SEALS_AFTER_MS = 600_000;

export const dataArea = {
  name: 'data',
  services: 'all',
  open: openData,
  operations: [
    on(summary, ({ dataSets }) => dataSets.summary()),
    queried('permits'),
    queried('leadtimes'),
    queried('tenders'),
    queried('laws'),
    queried('economy'),
    queried('zones'),
    queried('natura'),
    queried('events'),
    on(sources, ({ dataSets }) => dataSets.sources()),
    on(component, ({ components }, { mpn }) => components.ground(mpn)),
    on(search, ({ answers }, { query }) => answers.search(query)),
    on(document, ({ answers }, { id }) => answers.fetch(id)),
    on(ask, ({ answers }, { question }) => answers.ask(question)),
  ],
  tools: [
    toolOf(ask, { name: 'ask_astranl' }),
    answering(ground, ({ grounding }, { query }) => grounding.ground(query)),
    toolOf(component, { name: 'ground_component', hints: { openWorldHint: true } }),
    toolOf(summary, { name: 'construction_summary' }),
    // The same filters eight times: described, they would be a quarter of the list.
    ...Object.entries(QUERIES).map(([dataset, row]) => toolOf(row, { name: `construction_${dataset}`, brief: true })),
    toolOf(search, { name: 'search', answer: CONNECTOR_RESULTS }),
    toolOf(document, { name: 'fetch' }),
  ],
} satisfies PlatformArea<OpenData, DataNeeds>;

/** The data sets with the job that reads them, and search; in the sandbox from simulators, at the latest when asked. */
function openData(platform: Platform, needs: DataNeeds): OpenData {
  const { config, store, clock, sandbox, simulators, logger, rules, table, baseUrl, patience } = platform;
  const stack = new DisposableStack();
  const ingestion = stack.use(openIngestion({ config, store, clock, simulatorUrl: simulators?.url, patience }));
  const chosen = SOURCES.filter(({ dataset }) => config.openData.ingest.includes(dataset));
  const warn = (source: string, code: string, detail: string) =>
    logger.warn('open data import failed', { source, code, cause: detail });
  const reading = new IngestJob({ ingestion, clock, sources: chosen, warn });
  const firstRead = () =>
    Promise.race([platform.jobs.runNow(JOB), delay(patience * FIRST_READ_MS, undefined, { ref: false })]);
  const readsAtOnce = sandbox && chosen.length === SOURCES.length;
  const startedMs = clock.now();
  const documents = () => publicDocuments(table, needs.protocols, config.rates, config.services);
  const retrieval = stack.use(
    new Retrieval({ newIndex: platform.newTextIndex, documents, baseUrl, docsAtMs: () => startedMs }),
  );
  const rows = new RowPassages(store, retrieval);
  const lessons = new LessonPassages((most) => needs.lessons.newestLessons(most), retrieval);
  let digest: Promise<string> | undefined;
  const docsSha256 = () => (digest ??= documents().then(passagesSha256));
  const seals = new DataSeals({ store, clock, sandbox, docsSha256 });
  const dataSets = new DataSets({ store, clock, sandbox, ...(readsAtOnce && { firstRead }) });
  const indexing = setInterval(() => {
    // A store that is out of reach is told elsewhere; the texts that were found before stay.
    void Promise.all([dataSets.lookUp(), retrieval.ready(), rows.refresh()]).catch(() => undefined);
  }, INDEX_EVERY_MS).unref();
  stack.defer(() => clearInterval(indexing));
  const sealsFromMs = clock.monotonicMs() + SEALS_AFTER_MS;
  const run = async () => {
    await reading.run();
    if (clock.monotonicMs() >= sealsFromMs) await seals.run();
  };
  const components = new Components({ clock, sandbox, look: needs.component });
  const facts = operationFacts(table, config.rates);
  const area: OpenData = {
    dataSets,
    components,
    retrieval,
    answers: new Answers(
      retrieval,
      (text) => rules.ofText('question', cleanText(text), ['secret_request']),
      () => lessons.refresh(),
    ),
    grounding: new Grounding({ store, retrieval, docsSha256, factsOf: (id) => facts.get(id) ?? [] }),
    probe: { id: 'search', ask: () => retrieval.search('seal') },
    jobs: [{ name: JOB, everyMs: JOB_EVERY_MS, ownTimer: true, run, stop: () => reading.stop() }],
    [Symbol.asyncDispose]: async () => stack.dispose(),
  };
  return { ...area, taskRoutes: taskRoutes(rowAsker(boundRows(dataArea, area))) };
}

/** A row that answers from a data set. */
function queried<N extends keyof typeof QUERIES>(dataset: N): Served<OpenData, (typeof QUERIES)[N]> {
  const row = on(QUERIES[dataset] as unknown as DataOperation, ({ dataSets }: OpenData, input) =>
    dataSets.query(dataset, input as DataInput),
  );
  return row as unknown as Served<OpenData, (typeof QUERIES)[N]>;
}
