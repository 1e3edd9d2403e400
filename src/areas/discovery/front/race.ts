import { z } from 'zod';
import type { AskRow } from '#kernel/bound-operation.ts';
import type { Clock } from '#kernel/clock.ts';
import { slowDown } from '#kernel/general-problems.ts';
import { newCommandId } from '#kernel/ids.ts';
import { NewestMap } from '#kernel/newest-map.ts';
import type { Call, Operation } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { decode } from '#kernel/query-decoder.ts';

const PAUSE_MS = 5_000;
const MAX_ADDRESSES = 10_000;
const LEASE_SECONDS = 30;
const KEY_CHARACTERS = 10;
const AGENTS = ['scout-1', 'scout-2'] as const;

const Claim = z.strictObject({
  agent: z.string(),
  status: z.int(),
  code: z.string().nullable().meta({ description: 'The problem code of a refused claim.' }),
  lease: z.string().nullable(),
  fence: z.int().nullable(),
  wait_s: z.number().nullable().meta({ description: 'How long the refused agent waits at most.' }),
});

export const Race = z.strictObject({
  key: z.string(),
  mode: z.literal('exclusive'),
  ttl_s: z.int(),
  claims: z.array(Claim).meta({ description: 'Both claims, in the order in which they were decided.' }),
});

export type RaceResult = z.output<typeof Race>;
type Claimed = RaceResult['claims'][number];

export interface RaceOptions {
  /** The row that takes a lease. */
  readonly claim: Operation;
  readonly ask: AskRow;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** Two agents that claim the same new work key at the same moment, by the operation that every agent calls. */
export class RaceDemo {
  readonly #options: RaceOptions;
  readonly #startedMs = new NewestMap<string, number>(MAX_ADDRESSES);

  constructor(options: RaceOptions) {
    this.#options = options;
  }

  async run(call: Pick<Call, 'requestId' | 'addressTag'>): Promise<RaceResult | Refusal> {
    const nowMs = this.#options.clock.monotonicMs();
    const leftMs = (this.#startedMs.get(call.addressTag) ?? -PAUSE_MS) + PAUSE_MS - nowMs;
    if (leftMs > 0) {
      return new Refusal(slowDown, {
        detail: 'The demo runs once every 5 seconds. Wait, then run it again.',
        retryAfterSeconds: Math.ceil(leftMs / 1_000),
      });
    }
    this.#startedMs.set(call.addressTag, nowMs);
    const name = newCommandId().slice(0, KEY_CHARACTERS);
    const key = `demo/${name}`;
    // Whoever is asked first has the better start: the name decides, which is random.
    const agents = name.charCodeAt(0) % 2 === 0 ? AGENTS : AGENTS.toReversed();
    const answers = await Promise.all(
      agents.map(async (agent) => ({ agent, answer: await this.#claim(key, agent, call) })),
    );
    const [first, ...others] = answers.toSorted(
      (a, b) => Number(a.answer instanceof Refusal) - Number(b.answer instanceof Refusal),
    );
    if (first === undefined || first.answer instanceof Refusal) return first?.answer as Refusal;
    return { key, mode: 'exclusive', ttl_s: LEASE_SECONDS, claims: [first, ...others].map(claimed) };
  }

  async #claim(key: string, agent: string, call: Pick<Call, 'requestId' | 'addressTag'>): Promise<object | Refusal> {
    const { claim, ask } = this.#options;
    const decoded = decode(claim.input, { key, agent, mode: 'exclusive', ttl: LEASE_SECONDS });
    if (!decoded.ok) throw new Error('the claim of the demo is not one');
    return ask(claim, decoded.input, call);
  }
}

function claimed({ agent, answer }: { readonly agent: string; readonly answer: object }): Claimed {
  if (answer instanceof Refusal) {
    const { fence = null, wait_s: wait = null } = (answer.details.members ?? {}) as { fence?: number; wait_s?: number };
    return { agent, status: answer.type.status, code: answer.type.code, lease: null, fence, wait_s: wait };
  }
  const { lease, fence } = answer as { lease: string; fence: number };
  return { agent, status: 200, code: null, lease, fence, wait_s: null };
}
