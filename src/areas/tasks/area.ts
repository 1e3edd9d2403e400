import type { PaidFees } from '#areas/attestation/port.ts';
import { answering, on, type OpenArea } from '#kernel/area.ts';
import { DAY_MS, isoTime } from '#kernel/clock.ts';
import { idForm } from '#kernel/ids.ts';
import { type Job, sweepJob } from '#kernel/job.ts';
import { Refusal } from '#kernel/problem.ts';
import type { ReferenceForm } from '#kernel/reference-form.ts';
import { ANONYMOUS, type TaskRoutes } from '#kernel/task-route.ts';
import { toolOf } from '#kernel/tool-of.ts';
import { AddressTagger } from '#platform/keys/address-tagger.ts';
import { DayKeys, firstOfThirtyDays, THIRTY_DAYS, TRY_DAYS } from '#platform/keys/day-key.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import { PHASE_A_TERMS } from '#platform/phase.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { ASKING_RULES, PUBLISHED_RULES } from '#platform/usage-rules/hard-rules.ts';
import { parseLeaf } from '#protocol/attestation/leaf.ts';
import { type LessonDigest, newestDigest } from './lessons/digest.ts';
import { NewestLessons } from './lessons/newest-lessons.ts';
import { exit } from './lessons/operations.ts';
import { Lessons } from './lessons/service.ts';
import { acceptQuote, answerTask, cancelTask, checkTask, createTask, doTask, getEvidence } from './operations.ts';
import { openTaskPage, taskPage } from './page-operations.ts';
import type { LessonsPort } from './port.ts';
import { Tasks, type TasksOptions } from './service.ts';
import { FREE_TRIES } from './task.ts';
import * as tools from './tools.ts';

export interface TaskNeeds {
  readonly agents: Pick<TasksOptions, 'authenticate' | 'recognise' | 'suspensionOf'>;
  /** What every area does for tasks. */
  readonly routes: TaskRoutes;
  readonly paidFees: PaidFees;
}

type Request = Parameters<AddressTagger['tagOf']>[0];

export interface OpenTasks extends OpenArea, AsyncDisposable, LessonsPort {
  readonly tasks: Tasks;
  readonly lessons: Lessons;
  readonly stamp: () => tools.Stamp;
  readonly jobs: readonly Job[];
  /** Under which tag, and since when, the free tries of a caller are counted. */
  freeTriesOf(request: Request, nowMs: number): { readonly tag: string; readonly period: string };
  /** What a reference of a task leads to. */
  readonly find: ReferenceForm['find'];
  /** The newest digest of what agents learned. */
  lessonDigest(): LessonDigest | null;
  /** How many tasks are not over. */
  openTasks(): Promise<number>;
}

export const tasksArea = {
  name: 'tasks',
  services: 'all',
  open: openTasks,
  operations: [
    on(doTask, ({ tasks }, input, call) => tasks.create(input, call, 'do')),
    on(createTask, ({ tasks }, input, call) => tasks.create(input, call, 'create_task')),
    on(checkTask, ({ tasks }, input) => tasks.check(input)),
    on(getEvidence, ({ tasks }, { task_id }) => tasks.evidence(task_id)),
    on(answerTask, ({ tasks }, input, call) => tasks.answer(input, call)),
    on(acceptQuote, ({ tasks }, input, call) => tasks.accept(input, call)),
    on(cancelTask, ({ tasks }, input) => tasks.cancel(input)),
    on(taskPage, ({ tasks }, input) => tasks.page(input.receipt_id)),
    on(openTaskPage, ({ tasks }, input) => tasks.page(input.receipt_id, input.receipt_key)),
    on(exit, ({ lessons }, input, call) => lessons.exit(input, call)),
  ],
  tools: [
    toolOf(createTask, {
      name: 'create_task',
      description:
        'Turns a request in plain words into a task. Anonymous callers get free routes and payment addresses. With an X-Agent-Key header the task can spend from that wallet, up to max_eur. Missing details come back as questions. Keep receipt_key: it is shown once.',
      hints: { openWorldHint: true },
      defaults: { agent_id: ANONYMOUS },
      answer: tools.createdTask,
      after: 'record_counterparty_check',
    }),
    answering(tools.checkTaskTool, tools.checkedTask, {
      row: checkTask.operationId,
      argumentsOf: tools.checkedBy,
      after: 'create_task',
    }),
    toolOf(getEvidence, { name: 'get_evidence', answer: tools.stampedEvidence, after: 'check_task' }),
  ],
  published: {
    terms: () => ({
      ...PHASE_A_TERMS,
      free_tries: { path: '/do', per_address: FREE_TRIES, days: TRY_DAYS },
      anonymous: 'Only free routes run. A paid verdict ends in payment_required with its x402 address.',
    }),
  },
} satisfies PlatformArea<OpenTasks, TaskNeeds>;

/** Tasks, and what agents learned from theirs. */
function openTasks(platform: Platform, needs: TaskNeeds): OpenTasks {
  const { config, store, clock, sandbox, rules } = platform;
  const tasks = makeTasks(platform, needs);
  const lessons = new Lessons({
    store,
    sandbox,
    authenticate: needs.agents.authenticate,
    refuseText: (field, text) => rules.ofText(field, text, PUBLISHED_RULES),
    refuseName: (field, name) => rules.ofName(field, name),
  });
  const tryKeys = new DayKeys(store, clock, THIRTY_DAYS);
  const tagger = new AddressTagger({
    dayKey: (day) => tryKeys.current(firstOfThirtyDays(Date.parse(day))),
    ...config,
  });
  let digest: LessonDigest | null = null;
  const resume = resumer(platform, tasks);
  const find = finder(tasks);
  return {
    tasks,
    lessons,
    stamp: () => ({ as_of: isoTime(clock.now()), ...(sandbox && { sandbox: true as const }) }),
    freeTriesOf: (request, nowMs) => ({ tag: tagger.tagOf(request, nowMs), period: firstOfThirtyDays(nowMs) }),
    find,
    lessonDigest: () => digest,
    openTasks: () => tasks.countOpen(),
    newestLessons: (most) => new NewestLessons(store, most),
    references: [{ pattern: idForm('tsk_'), kind: 'task', find }],
    jobs: [
      sweepJob('task-sweep', () => tasks.sweep()),
      { name: 'task-resume', everyMs: 30_000, run: resume },
      {
        name: 'lessons-digest',
        everyMs: DAY_MS,
        async run() {
          await lessons.consolidate();
        },
      },
    ],
    async onHeartbeat() {
      await tryKeys.refresh();
      digest = await newestDigest(store, digest);
    },
    onListening: () => void resume(),
    [Symbol.asyncDispose]: async () => tasks.runs[Symbol.asyncDispose](),
  };
}

function makeTasks(platform: Platform, { agents, routes, paidFees }: TaskNeeds): Tasks {
  const { store, clock, sandbox, baseUrl, rules, ruleFlags, receipts, serverSecret, logger, patience } = platform;
  return new Tasks({
    store,
    clock,
    sandbox,
    baseUrl,
    ...agents,
    routes,
    paidFees,
    rules: ruleFlags,
    patience,
    runner: platform.processId,
    receipt: ({ chargedEur, ...of }) =>
      receipts.sign({ type: 'avouch.wallet-receipt.v1', kind: 'task', ...of, charge: { charged_eur: chargedEur } }),
    refuseByRules: (field, text) => rules.ofText(field, text, ASKING_RULES),
    sealedEvidence: (attestationId) => sealedEvidence(platform.log.log, attestationId),
    keyHash: serverSecret.hasher('task-idempotency'),
    receiptSecret: serverSecret.hasher('task-receipt'),
    logFault: (taskId, error) => logger.error('task run failed', { task_id: taskId }, error),
  });
}

/** Takes up what a crash left; never rejects. */
function resumer({ baseUrl, logger }: Platform, tasks: Tasks): () => Promise<void> {
  return async () => {
    // Receipts name the public address, which a sandbox knows only when it listens.
    if (baseUrl() === '') return;
    await tasks.runs
      .resume()
      .catch((error: unknown) => logger.warn('task resumption failed', { cause: String(error) }));
  };
}

/** A task by its id or its receipt. */
function finder(tasks: Tasks): ReferenceForm['find'] {
  return async (ref) => {
    const status = await tasks.check({ ref });
    if (status instanceof Refusal) return undefined;
    return { entry: status.attestation_id, url: ref.startsWith('rcp_') ? `/tasks/${ref}` : `/api/tasks/${ref}` };
  };
}

/** What the public log says was sealed about a task. */
async function sealedEvidence(log: PublicLog, attestationId: string): Promise<string | null> {
  const stored = await log.entryOf(attestationId);
  const entry = stored === undefined ? null : parseLeaf(Buffer.from(stored.leaf));
  const evidence = entry?.type === 'seal' ? entry.claim?.['evidence'] : undefined;
  return typeof evidence === 'string' ? evidence : null;
}
