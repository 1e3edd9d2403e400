import { answering, type OpenArea } from '#kernel/area.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import type { ToolWork } from '#kernel/tool.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { type OperatorSeals, operatorSeals } from './operator-seals.ts';
import { openProposals } from './outside/repository-proposals.ts';
import { declareKey, issueStatement, listTasksInReview, repositoryWrite } from './tools.ts';

/** Tasks and top-ups that wait for a person, the oldest first. */
export interface OperatorNeeds {
  readonly tasks: {
    waiting(limit: number): Promise<readonly { id: string; updatedAtMs: number; need: string }[]>;
  };
  readonly topUps: {
    inReview(limit: number): Promise<readonly { id: string; createdAtMs: number; review: string | null }[]>;
  };
}

export interface OpenOperator extends OpenArea, AsyncDisposable {
  readonly clock: Clock;
  readonly sandbox: boolean;
  readonly seals: OperatorSeals;
  readonly needs: OperatorNeeds;
  readonly propose: ToolWork<typeof repositoryWrite> | undefined;
}

const INTERNAL = { scope: 'internal:tools' };

/** Tools of whoever runs the service: never listed, and without a key of the scope there is no such name. */
export const operatorArea = {
  name: 'operator',
  open: openOperator,
  operations: [],
  tools: [
    answering(listTasksInReview, (area: OpenOperator, { limit }) => inReview(area, limit), {
      ...INTERNAL,
      services: 'all',
    }),
    answering(issueStatement, ({ seals }: OpenOperator, input, call) => seals.issue_statement(input, call), INTERNAL),
    answering(declareKey, ({ seals }: OpenOperator, input, call) => seals.declare_key(input, call), INTERNAL),
    { tool: repositoryWrite, scope: 'github:write', workOf: ({ propose }: OpenOperator) => propose },
  ],
} satisfies PlatformArea<OpenOperator, OperatorNeeds>;

function openOperator(platform: Platform, needs: OperatorNeeds): OpenOperator {
  const { clock, sandbox, sealDraft, log } = platform;
  const stack = new DisposableStack();
  return {
    clock,
    sandbox,
    needs,
    seals: operatorSeals({ seal: sealDraft, log: log.log, clock, sandbox }),
    propose: openProposals(platform, stack),
    [Symbol.asyncDispose]: async () => stack.dispose(),
  };
}

/** What waits for a person; the oldest of both kinds first. */
async function inReview({ needs: { tasks, topUps }, clock, sandbox }: OpenOperator, limit: number) {
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
    as_of: isoTime(clock.now()),
    ...(sandbox && { sandbox: true as const }),
  };
}
