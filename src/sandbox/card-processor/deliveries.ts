import { hmacSha256Hex } from '#kernel/ids.ts';
import { type ProcessorEvent, wireEvent } from './card-state.ts';

/** What becomes of webhooks: sent, lost, kept back, sent twice, altered after signing, or signed too long ago. */
export type WebhookMode = 'send' | 'lose' | 'hold' | 'repeat' | 'tamper' | 'stale';

const STALE_S = 301;
const TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = [1_000, 5_000, 30_000, 120_000];

export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
  /** How many times longer than usual its answer may take. */
  readonly patience?: number;
}

/** Really sends signed webhooks; what is refused is sent again a few times. */
export class Deliveries implements Disposable {
  mode: WebhookMode = 'send';
  delayMs = 0;
  /** What was kept back, in the order in which it happened. */
  readonly held: ProcessorEvent[] = [];
  target: WebhookTarget | undefined;
  readonly #nowMs: () => number;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Resolves when each has been answered or lost once. */
  async send(events: readonly ProcessorEvent[], mode: WebhookMode = this.mode): Promise<void> {
    if (mode === 'lose') return;
    if (mode === 'hold') return void this.held.push(...events);
    if (this.delayMs > 0) await new Promise((resolve) => this.#later(() => resolve(undefined), this.delayMs));
    for (const event of events) {
      const status = await this.deliver(event, mode);
      if (mode === 'repeat') await this.deliver(event);
      if (mode === 'send' && !isTaken(status)) this.#retry(event, 0);
    }
  }

  /** Sends what was kept back; `reversed` is the worst order that a network gives. */
  async release(order: 'as_it_happened' | 'reversed' = 'as_it_happened'): Promise<number[]> {
    const events = this.held.splice(0);
    const statuses: number[] = [];
    for (const event of order === 'reversed' ? events.toReversed() : events) statuses.push(await this.deliver(event));
    return statuses;
  }

  /** The status of the answer; 0 where none came. */
  async deliver(event: ProcessorEvent, mode: WebhookMode = 'send'): Promise<number> {
    if (this.target === undefined) return 0;
    const { url, secret, patience = 1 } = this.target;
    const signedAtS = Math.floor(this.#nowMs() / 1_000) - (mode === 'stale' ? STALE_S : 0);
    const signed = JSON.stringify(wireEvent(event));
    const v1 = hmacSha256Hex(Buffer.from(secret), `${signedAtS}.${signed}`);
    const body = mode === 'tamper' ? signed.replace('"livemode":false', '"livemode":true') : signed;
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': `t=${signedAtS},v1=${v1}`,
    };
    try {
      const signal = AbortSignal.timeout(patience * TIMEOUT_MS);
      const answer = await fetch(url, { method: 'POST', body, headers, signal });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #retry(event: ProcessorEvent, attempt: number): void {
    const afterMs = RETRY_AFTER_MS[attempt];
    if (afterMs === undefined) return;
    this.#later(async () => {
      if (!isTaken(await this.deliver(event))) this.#retry(event, attempt + 1);
    }, afterMs);
  }

  #later(work: () => unknown, afterMs: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void work();
    }, afterMs).unref();
    this.#timers.add(timer);
  }
}

function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}
