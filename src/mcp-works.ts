import type { Verifications } from '#areas/attestation/verifications.ts';
import type { DataTool } from '#areas/data/tools.ts';
import type { MandateReadings } from '#areas/mandates/readings.ts';
import type { Orders } from '#areas/orders/orders.ts';
import type { Tasks } from '#areas/tasks/service.ts';
import type { TopUps } from '#areas/wallet/topup-service.ts';
import { FreeChecks, type FreeChecksOptions } from '#areas/verdicts/free-checks.ts';
import type { Config } from '#platform/config/config.ts';
import { isoTime } from '#kernel/clock.ts';
import { Refusal } from '#kernel/problem.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import type { InternalWorks, PublicWorks } from '#transport/mcp/tools.ts';
import type { Foundation } from './foundation.ts';
import { operatorSeals } from './operator-seals.ts';
import type { PaidCalls } from './paid-calls.ts';
import { type ReferenceParts, referenceFinder, referenceVerifier } from './references.ts';
import { taskTools } from './task-tools.ts';
import { openProposals } from './repository-proposals.ts';

export interface WorkParts {
  readonly config: Config;
  readonly foundation: Foundation;
  readonly log: PublicLog;
  readonly asked: FreeChecksOptions['registers'];
  readonly verifications: Verifications;
  readonly mandateReadings: MandateReadings;
  readonly paidCalls: PaidCalls;
  readonly dataTools: readonly DataTool[];
  readonly tasks: Tasks;
  readonly topUps: Pick<TopUps, 'inReview'>;
  readonly orders: Pick<Orders, 'newestEntry'>;
  readonly baseUrl: () => string;
  readonly stack: AsyncDisposableStack;
}

export interface McpWorks {
  readonly works: PublicWorks;
  readonly internalWorks: InternalWorks;
  /** What a reference that the service issued leads to. */
  readonly find: ReturnType<typeof referenceFinder>;
  /** Forgets checks that were kept long enough. */
  readonly sweep: () => Promise<number>;
}

/** What answers the tools of this installation. */
export function openWorks(parts: WorkParts): McpWorks {
  const { config, foundation, log, verifications, paidCalls, baseUrl, stack } = parts;
  const { store, clock } = foundation;
  const sandbox = config.profile === 'sandbox';
  const shared = { store, clock, sandbox, baseUrl };
  const freeChecks = new FreeChecks({ ...shared, registers: parts.asked });
  const references: ReferenceParts = {
    ...shared,
    log,
    verifications,
    mandates: parts.mandateReadings,
    freeChecks,
    receiptOf: paidCalls.byReceiptId,
    tasks: async (ref) => {
      const status = await parts.tasks.check({ ref });
      return status instanceof Refusal ? undefined : { attestationId: status.attestation_id };
    },
    orders: (id) => parts.orders.newestEntry(id),
  };
  return {
    works: {
      // Their rows are held together by the tests that call them through the official clients.
      ...(Object.fromEntries(parts.dataTools.map(({ name, handler }) => [name, handler])) as PublicWorks),
      ...taskTools({ tasks: parts.tasks, clock, sandbox }),
      check_counterparty_nl: (input, { addressTag }) => freeChecks.check(input, addressTag),
      record_counterparty_check: ({ check_id: id }) => freeChecks.record(id),
      verify_astranl: referenceVerifier(references),
    },
    internalWorks: {
      list_tasks_in_review: (input) => inReview(parts, input.limit),
      ...operatorSeals({ store, log, clock, sandbox }),
      ...openProposals(config, clock, stack),
    },
    find: referenceFinder(references),
    sweep: () => freeChecks.sweep(),
  };
}

/** What waits for a person; the oldest of both kinds first. */
async function inReview({ tasks, topUps, foundation, config }: WorkParts, limit: number) {
  const [waiting, held] = [await tasks.waiting(limit), await topUps.inReview(limit)];
  const items = [
    ...waiting.map(({ id, updatedAtMs, need }) => ({
      id,
      kind: 'task' as const,
      sinceMs: updatedAtMs,
      reason: 'input_required',
      untrusted_text: need,
    })),
    ...held.map(({ id, createdAtMs, review }) => ({
      id,
      kind: 'top_up' as const,
      sinceMs: createdAtMs,
      reason: review ?? 'review',
      untrusted_text: null,
    })),
  ];
  return {
    items: items
      .toSorted((a, b) => a.sinceMs - b.sinceMs)
      .slice(0, limit)
      .map(({ sinceMs, ...item }) => ({ ...item, since: isoTime(sinceMs) })),
    as_of: isoTime(foundation.clock.now()),
    ...(config.profile === 'sandbox' && { sandbox: true as const }),
  };
}
