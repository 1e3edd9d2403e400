import { Lessons } from '#areas/tasks/lessons/service.ts';
import type { RuleFlags } from '#platform/usage-rules/rule-flags.ts';
import type { RouteWorks } from '#areas/tasks/route-work.ts';
import { Tasks } from '#areas/tasks/service.ts';
import type { Config } from '#platform/config/config.ts';
import { DayKeys, firstOfThirtyDays, THIRTY_DAYS } from '#platform/keys/day-key.ts';
import type { Authenticate } from '#platform/ledger/caller.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import { parseLeaf } from '#protocol/attestation/leaf.ts';
import { ASKING_RULES, PUBLISHED_RULES } from '#platform/usage-rules/hard-rules.ts';
import type { RuleDesk } from '#platform/usage-rules/rule-desk.ts';
import { AddressTagger } from '#transport/http/address.ts';
import type { Foundation } from './foundation.ts';
import type { Logger } from '#platform/logger.ts';
import type { PaidCalls } from './paid-calls.ts';

export interface TaskPartsOptions {
  readonly config: Config;
  readonly foundation: Foundation;
  readonly logger: Logger;
  readonly log: PublicLog;
  readonly agents: { readonly authenticate: Authenticate; readonly recognise: Authenticate };
  readonly ruleFlags: RuleFlags;
  readonly paidCalls: Pick<PaidCalls, 'unpaidReceipt'>;
  readonly baseUrl: () => string;
  readonly works: RouteWorks;
  readonly rules: RuleDesk;
  /** How many times longer than usual others may take. */
  readonly patience?: number;
}

/** Tasks and lessons with what they stand on. */
export interface TaskParts {
  readonly tasks: Tasks;
  readonly lessons: Lessons;
  readonly tryKeys: DayKeys;
  readonly freeTriesOf: (
    request: Parameters<AddressTagger['tagOf']>[0],
    nowMs: number,
  ) => { readonly tag: string; readonly period: string };
  readonly sweep: () => Promise<number>;
  /** Takes up what a crash left; never rejects. */
  readonly resume: () => Promise<void>;
}

export function openTasks(options: TaskPartsOptions): TaskParts {
  const { config, foundation, logger, log, agents, paidCalls, baseUrl, works, rules, ruleFlags, patience } = options;
  const { store, clock, serverSecret, processId } = foundation;
  const sandbox = config.profile === 'sandbox';
  const authenticate: Authenticate = (key) => agents.authenticate(key);
  const tryKeys = new DayKeys(store, clock, THIRTY_DAYS);
  const tagger = new AddressTagger({
    dayKey: (day) => tryKeys.current(firstOfThirtyDays(Date.parse(day))),
    ...config,
  });
  const tasks = new Tasks({
    store,
    clock,
    sandbox,
    baseUrl,
    authenticate,
    works,
    rules: ruleFlags,
    patience,
    recognise: (key) => agents.recognise(key),
    runner: processId,
    receipt: ({ chargedEur, ...of }) =>
      paidCalls.unpaidReceipt({
        type: 'avouch.wallet-receipt.v1',
        kind: 'task',
        ...of,
        charge: { charged_eur: chargedEur },
      }),
    refuseByRules: (field, text) => rules.ofText(field, text, ASKING_RULES),
    sealedEvidence: (attestationId) => sealedEvidence(log, attestationId),
    keyHash: serverSecret.hasher('task-idempotency'),
    receiptSecret: serverSecret.hasher('task-receipt'),
    logFault: (what, error) => logger.error(what, {}, error),
  });
  const lessons = new Lessons({
    store,
    sandbox,
    authenticate,
    refuseText: (field, text) => rules.ofText(field, text, PUBLISHED_RULES),
    refuseName: (field, name) => rules.ofName(field, name),
  });
  const resume = async () => {
    // Receipts name the public address, which a sandbox knows only when it listens.
    if (baseUrl() === '') return;
    await tasks.runs
      .resume()
      .catch((error: unknown) => logger.warn('tasks were not resumed', { cause: String(error) }));
  };
  return {
    tasks,
    lessons,
    tryKeys,
    freeTriesOf: (request, nowMs) => ({ tag: tagger.tagOf(request, nowMs), period: firstOfThirtyDays(nowMs) }),
    sweep: () => tasks.sweep(firstOfThirtyDays(clock.now())),
    resume,
  };
}

/** What the public log says was sealed about a task. */
async function sealedEvidence(log: PublicLog, attestationId: string): Promise<string | null> {
  const stored = await log.entryOf(attestationId);
  const entry = stored === undefined ? null : parseLeaf(Buffer.from(stored.leaf));
  const evidence = entry?.type === 'seal' ? entry.claim?.['evidence'] : undefined;
  return typeof evidence === 'string' ? evidence : null;
}
