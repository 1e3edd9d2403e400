// What clients of the log were answered, and clients that take note of it.
import type { Answer, CallOptions } from '../support/client.ts';
import { unlessHung } from '../support/until.ts';
import type { LedgerRow } from './log-kills.ts';

export type Call = (path: string, options?: CallOptions) => Promise<Answer | undefined>;

interface Expected {
  readonly type: 'seal' | 'release';
  /** Of a seal: exactly these bytes, in base64. */
  readonly entry?: string;
  readonly fence?: number;
}

/** Everything that was ever answered about the log, and what is wrong with it. */
export class LogJournal {
  readonly violations: string[] = [];
  /** The signed notes by their size. */
  readonly checkpoints = new Map<number, string>();
  readonly #expected = new Map<number, Expected>();
  readonly #count = { seals: 0, releases: 0, unanswered: 0, cut: 0 };
  readonly #waiting = new Set<() => void>();
  #found = { seals: 0, releases: 0 };

  /** Gives the size of the checkpoint; two roots of one size are a fork. */
  answered(checkpoint: string): number {
    const size = Number(checkpoint.split('\n')[1]);
    const known = this.checkpoints.get(size) ?? checkpoint;
    if (rootLine(known) !== rootLine(checkpoint)) this.violations.push(`two roots were signed for size ${size}`);
    this.checkpoints.set(size, known);
    return size;
  }

  /** How many entries were answered. */
  get entries(): number {
    return this.#expected.size;
  }

  expect(seq: number, expected: Expected): void {
    if (this.#expected.has(seq)) this.violations.push(`entry ${seq} was answered twice`);
    this.#expected.set(seq, expected);
    this.#count[expected.type === 'seal' ? 'seals' : 'releases'] += 1;
    for (const look of this.#waiting) look();
  }

  /** Resolves when so many more entries are answered, a release among all of them. */
  async moreEntries(count: number): Promise<void> {
    const enough = this.entries + count;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (this.entries >= enough && this.#count.releases > 0) resolve();
    };
    this.#waiting.add(look);
    await unlessHung(`${count} more entries`, promise);
    this.#waiting.delete(look);
  }

  unanswered(): void {
    this.#count.unanswered += 1;
  }

  /** A call of any kind got no answer. */
  cut(): void {
    this.#count.cut += 1;
  }

  /** Holds an entry of the ledger against what was answered about its number. */
  compareEntry({ seq, type, entry_b64: bytes, entry }: LedgerRow): void {
    if (type === 'release') this.#found.releases += 1;
    else if (entry.schema_id === 'record.integrity.v1') this.#found.seals += 1;
    const expected = this.#expected.get(seq);
    if (expected === undefined) return;
    const isSame = expected.type === type && (expected.entry ?? bytes) === bytes && expected.fence === entry.fence;
    if (!isSame) this.violations.push(`entry ${seq} is not the one that was answered`);
  }

  /** Every answered number lies in the log. */
  endsAt(size: number): void {
    for (const seq of this.#expected.keys()) if (seq >= size) this.violations.push(`the answered entry ${seq} is lost`);
  }

  /** An entry more than there were calls would be one that was sequenced twice. */
  compareCounts(): void {
    const { seals, releases, unanswered } = this.#count;
    const surplus = Math.max(0, this.#found.seals - seals) + Math.max(0, this.#found.releases - releases);
    if (surplus > unanswered) this.violations.push(`${surplus} entries that nobody asked for`);
  }

  beginAgain(): void {
    this.#found = { seals: 0, releases: 0 };
  }

  figures(): { seals: number; releases: number; unanswered: number; cut: number; checkpoints: number } {
    return { ...this.#count, checkpoints: this.checkpoints.size };
  }
}

function rootLine(checkpoint: string): string {
  return checkpoint.split('\n').slice(0, 3).join('\n');
}

/** Seals, releases and asks for the head, one call after the other. */
export class SealingClient {
  readonly #name: string;
  readonly #random: () => number;
  readonly #journal: LogJournal;
  #calls = 0;
  /** The largest log that it was shown. */
  #seenSize = 0;
  #lastSeq = -1;

  constructor(index: number, random: () => number, journal: LogJournal) {
    this.#name = `client-${index}`;
    this.#random = random;
    this.#journal = journal;
  }

  async step(call: Call): Promise<void> {
    const draw = this.#random();
    this.#calls += 1;
    if (draw < 0.1) return this.#askHead(call);
    return draw < 0.25 ? this.#release(call) : this.#seal(call);
  }

  async #seal(call: Call): Promise<void> {
    const claim = { statement: `${this.#name} ${this.#calls}` };
    const answer = await this.#post(call, '/api/attest/seal', { schema_id: 'record.integrity.v1', claim });
    if (answer === undefined) return;
    const { seq, entry, checkpoint } = answer.json as { seq: number; entry: string; checkpoint: string };
    this.#journal.expect(seq, { type: 'seal', entry });
    this.#sees(this.#journal.answered(checkpoint));
    this.#follows(seq);
  }

  async #release(call: Call): Promise<void> {
    const key = `${this.#name} ${this.#calls}`;
    // A claim makes no entry: without an answer nothing is lost but a lease.
    const claimed = await this.#tried(call('/v1/claim', { method: 'POST', body: { key, agent: this.#name } }));
    if (claimed?.status !== 200) return;
    const { lease, token, fence } = claimed.json;
    const answer = await this.#post(call, '/v1/release', { lease, token });
    if (answer === undefined) return;
    const seq = Number(answer.json['log']);
    this.#journal.expect(seq, { type: 'release', fence: Number(fence) });
    this.#follows(seq);
  }

  async #askHead(call: Call): Promise<void> {
    const answer = await this.#tried(call('/api/astralock/sth'));
    if (answer?.status !== 200) return;
    const size = this.#journal.answered(String(answer.json['checkpoint']));
    if (size < this.#seenSize) this.#journal.violations.push(`${this.#name} saw ${size} after ${this.#seenSize}`);
    this.#sees(size);
  }

  /** Undefined when nobody can say whether it happened; a refusal that says it did not is 503. */
  async #post(call: Call, path: string, body: Record<string, unknown>): Promise<Answer | undefined> {
    const answer = await this.#tried(call(path, { method: 'POST', body }));
    if (answer?.status === 200 || answer?.status === 201) return answer;
    this.#journal.unanswered();
    const isTrouble = answer === undefined || answer.status === 503;
    if (!isTrouble) this.#journal.violations.push(`${path} was answered ${answer.status} ${answer.text}`);
    return undefined;
  }

  async #tried(call: Promise<Answer | undefined>): Promise<Answer | undefined> {
    const answer = await call.catch(() => undefined);
    if (answer === undefined) this.#journal.cut();
    return answer;
  }

  #sees(size: number): void {
    this.#seenSize = Math.max(this.#seenSize, size);
  }

  #follows(seq: number): void {
    if (seq <= this.#lastSeq) this.#journal.violations.push(`${this.#name} got ${seq} after ${this.#lastSeq}`);
    this.#lastSeq = seq;
    this.#sees(seq + 1);
  }
}
