// What callers of claims were told: everything that must be found again, and what was plainly wrong at once.
import type { LeftMark, Refused, SeenTicket, SentBatch } from '../chaos/crossing-checks.ts';
import type { Acknowledged, Denied } from '../chaos/history.ts';
import type { Answer } from './client.ts';
import { unlessHung } from './until.ts';

/** How a call without an answer is counted. */
export const NO_ANSWER = 'none';

interface RefusalBody {
  readonly code: string;
  readonly wait_s: number;
  readonly rev: number;
  readonly queue?: { readonly position: number; readonly keep_alive_s: number };
}

export interface Held {
  readonly key: string;
  readonly agent: string;
  readonly mode: string;
  readonly token: string;
  readonly lease: string;
  readonly fence: number;
  readonly expiresAt: number;
}

/** What clients were told: everything that must be found again in the events, and what was plainly wrong at once. */
export class Journal {
  readonly acknowledged: Acknowledged[] = [];
  readonly denied: Denied[] = [];
  readonly refused: Refused[] = [];
  readonly marks: LeftMark[] = [];
  readonly tickets: SeenTicket[] = [];
  readonly batches: SentBatch[] = [];
  /** Sentences about answers that show a lost write. */
  readonly lost: string[] = [];
  /** Sentences about answers that are wrong in any other way. */
  readonly wrong: string[] = [];
  /** Answers by status and code, and how many calls got none. */
  readonly counts = new Map<string, number>();
  readonly #live = new Map<string, Held>();
  readonly #waiting: { readonly answers: number; readonly resolve: () => void }[] = [];
  /** How many calls were answered. */
  answers = 0;

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
    if (what === NO_ANSWER) return;
    this.answers += 1;
    for (const { resolve } of this.#waiting.filter(({ answers }) => answers === this.answers)) resolve();
  }

  /** Resolves when so many more calls are answered. */
  moreAnswers(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ answers: this.answers + count, resolve });
    return unlessHung(`${count} more answers`, promise);
  }

  /** Takes note of the 200 of a claim or refresh and gives the lease as it now is. */
  granted(
    call: 'claim' | 'refresh',
    wish: Pick<Held, 'agent' | 'token'> & { readonly slots?: number },
    { json }: Pick<Answer, 'json'>,
  ): Held {
    const { key, mode, lease, fence } = json as unknown as Held;
    const expiresAt = Date.parse(json['expires_at'] as string);
    const held = { ...wish, key, mode, lease, fence, expiresAt };
    const at = Date.parse(json['at'] as string);
    this.acknowledged.push({ ...held, call, repeats: json['repeated'] === true, rev: json['rev'] as number, at });
    this.#live.set(lease, held);
    return held;
  }

  /** From now on nobody can say whether the lease is live. */
  releasing(held: Held): void {
    this.#live.delete(held.lease);
  }

  /** Takes note of the 200 of a release; one of a lease that had expired made no event of its own. */
  released(held: Held, { json }: Answer): void {
    if (json['released'] !== true) return;
    const at = Date.parse(json['released_at'] as string);
    const rev = json['rev'] as number;
    const {
      log,
      mark_log: markLog,
      outcome,
    } = json as { log: number; mark_log: number | null; outcome: string | null };
    const logged = { log, markLog, outcome };
    this.acknowledged.push({ ...held, call: 'release', repeats: json['again'] === true, rev, at, logged });
  }

  /** Takes note of a 409 that is a matter of time, and of the place in the line that it gave. */
  refusedClaim(wish: Pick<Refused, 'key' | 'agent' | 'mode' | 'slots'>, { json }: Answer): void {
    const { code, wait_s: waitSeconds, rev, queue } = json as unknown as RefusalBody;
    const at = Date.parse(json['at'] as string);
    this.refused.push({ ...wish, code, waitSeconds, rev, at });
    if (queue === undefined) return;
    const keepUntil = at + 1_000 * queue.keep_alive_s;
    this.tickets.push({ key: wish.key, agent: wish.agent, position: queue.position, rev, at, keepUntil });
  }

  /** The leases that must be held: acknowledged, not expired, and no release was ever sent. */
  live(nowMs: number): Held[] {
    for (const [lease, held] of this.#live) if (held.expiresAt <= nowMs) this.#live.delete(lease);
    return [...this.#live.values()];
  }
}
