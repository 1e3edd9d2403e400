import { DAY_MS } from '#kernel/clock.ts';
import { idempotencyConflict, idempotencyInFlight } from '#kernel/idempotency.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { Answer } from '#kernel/operation.ts';
import { type ProblemType, Refusal } from '#kernel/problem.ts';
import { plainText } from '#kernel/text-field.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Decision, Step, Unit } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import * as sql from './sql.ts';

const RETENTION_MS = 30 * DAY_MS;
/** Answers go when their time is over, and calls that never ended. */
export const answerExpiry = sql.ANSWER.expiring({ by: ['expires_at'] });
/** A call that has not ended by then never will: its process is gone. */
const RUN_MS = 600_000;
const RETRY_AFTER_S = 2;

interface Kept {
  readonly keyHash: string;
  readonly bodySha256: string;
  /** Null while the call runs. */
  readonly status: number | null;
  readonly answer: string | null;
  readonly expiresAtMs: number;
}

interface Asked {
  /** Who asks what: the agent or the tag of an address, and the operation. */
  readonly scope: string;
  readonly key: string;
  readonly bodySha256: string;
}

type Command =
  | ({ readonly type: 'check' | 'begin'; readonly keyHash: string } & Pick<Asked, 'bodySha256'>)
  | {
      readonly type: 'finish';
      readonly keyHash: string;
      readonly status: number;
      readonly answer: string;
      readonly keptMs: number;
    }
  | { readonly type: 'abandon'; readonly keyHash: string };

/** Of a call that came before and is not to be run. */
export type AnsweredBefore =
  | { readonly type: 'conflict' }
  | { readonly type: 'replay'; readonly status: number; readonly body: unknown }
  | { readonly type: 'in_flight'; readonly retryAfterS: number };

export type AnswerResult = AnsweredBefore | { readonly type: 'new' | 'kept' };

type State = VersionedMap<string, Kept>;

function reads(commands: readonly Command[]) {
  return { answers: listed(sql.ANSWERS_OF_KEYS, new Set(commands.map(({ keyHash }) => keyHash))) };
}

const answerUnit: Unit<[Command, AnswerResult], State, typeof reads> = {
  name: 'api_idempotency',
  reads,
  load: ({ answers: kept }) => VersionedMap.by(kept, ({ keyHash }) => keyHash),
  decide: (state, nowMs, _next, command) => decide(state, nowMs, command),
  writes: (before, after) => sql.ANSWER.diff(before, after),
};

function decide(state: State, nowMs: number, command: Command): Decision<State, AnswerResult> {
  const { keyHash } = command;
  const found = state.get(keyHash);
  const kept = found === undefined || found.expiresAtMs <= nowMs ? undefined : found;
  if (command.type === 'abandon') {
    const isRunning = kept?.status === null;
    return { state: isRunning ? state.without(keyHash) : state, result: { type: 'kept' } };
  }
  if (command.type === 'finish') {
    if (found === undefined) return { state, result: { type: 'kept' } };
    const { status, answer, keptMs } = command;
    const finished = { ...found, status, answer, expiresAtMs: nowMs + keptMs };
    return { state: state.with(keyHash, finished), result: { type: 'kept' } };
  }
  if (kept !== undefined) return { state, result: known(kept, command.bodySha256) };
  if (command.type === 'check') return { state, result: { type: 'new' } };
  const { bodySha256 } = command;
  const running = { keyHash, bodySha256, status: null, answer: null, expiresAtMs: nowMs + RUN_MS };
  return { state: state.with(keyHash, running), result: { type: 'new' } };
}

function known({ bodySha256: of, status, answer }: Kept, bodySha256: string): AnsweredBefore {
  if (of !== bodySha256) return { type: 'conflict' };
  if (status === null) return { type: 'in_flight', retryAfterS: RETRY_AFTER_S };
  return { type: 'replay', status, body: JSON.parse(answer as string) as unknown };
}

const step = (command: Command): Step<AnswerResult> => ({ unit: answerUnit, command });
const hashOf = ({ scope, key }: Pick<Asked, 'scope' | 'key'>) => sha256Hex(`${scope}\n${key}`);

/**
 * The memory of answers by Idempotency-Key, as steps of the transaction that has the effect.
 * Effect and answer in one: check, what can refuse, apply, begin, finish. Work between two transactions: check, hold,
 * apply, begin; then capture, finish, or release and abandon. A begin before a step that refuses would stay open.
 */
export const answers = {
  /** As begin, and leaves nothing behind. */
  check: ({ bodySha256, ...of }: Asked) => step({ type: 'check', keyHash: hashOf(of), bodySha256 }),
  /** Says whether the call is new; if so, it runs from now on. */
  begin: ({ bodySha256, ...of }: Asked) => step({ type: 'begin', keyHash: hashOf(of), bodySha256 }),
  /** Keeps the answer of a call that has begun, for 30 days unless said; the body holds no secret that is shown once. */
  finish: ({
    status,
    body,
    keptMs = RETENTION_MS,
    ...of
  }: Pick<Asked, 'scope' | 'key'> & { readonly status: number; readonly body: unknown; readonly keptMs?: number }) =>
    step({ type: 'finish', keyHash: hashOf(of), status, answer: JSON.stringify(body), keptMs }),
  /** The work failed and nothing was charged: the key is free again. */
  abandon: (of: Pick<Asked, 'scope' | 'key'>) => step({ type: 'abandon', keyHash: hashOf(of) }),
};

/** Whether the call came before and is not to be run. */
export function isAnswered(result: unknown): result is AnsweredBefore {
  const type = (result as Partial<AnswerResult> | null | undefined)?.type;
  return type === 'replay' || type === 'conflict' || type === 'in_flight';
}

/** What a call that came before is answered. */
export function answerAgain<O>(result: AnsweredBefore): Answer<O> | Refusal {
  switch (result.type) {
    case 'replay':
      return new Answer(result.status, result.body as O, undefined, true);
    case 'conflict':
      return new Refusal(idempotencyConflict, {
        detail: 'This Idempotency-Key was used for a different request. Use a new one.',
      });
    case 'in_flight':
      return new Refusal(idempotencyInFlight, {
        detail: 'The first call with this Idempotency-Key is still running. Repeat it after a moment.',
        retryAfterSeconds: result.retryAfterS,
      });
  }
}

export const idempotencyKeyField = plainText(1, 255)
  .optional()
  .meta({ description: 'For 30 days, a repeated call with the same key returns the first response again.' });
export const BY_IDEMPOTENCY_KEY = { 'idempotency-key': 'idempotency_key' };
export const IDEMPOTENCY_PROBLEMS: readonly ProblemType[] = [idempotencyConflict, idempotencyInFlight];
