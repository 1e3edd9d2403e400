// Fills a log over HTTP with what outsiders can put there: verdicts of every schema, and releases of leases.
import { randomBytes } from 'node:crypto';
import { type Answer, Client } from '../support/client.ts';
import { inParallel } from './log-export.ts';
import { SEAL_CASES } from '../support/seal-cases.ts';

export interface SealAnswer {
  readonly attestation_id: string;
  readonly schema_id: string;
  readonly verdict: string;
  readonly code: string | null;
  readonly seq: number;
  readonly sealed_at: string;
  readonly entry: string;
  readonly proof: string;
  readonly checkpoint: string;
  readonly claim: Readonly<Record<string, unknown>>;
  readonly disclosure_seed?: string;
  readonly observations: readonly Readonly<Record<string, unknown>>[];
  readonly inclusion: { readonly tree_size: number; readonly index: number; readonly hashes: readonly string[] };
}

export interface Release {
  readonly fence: number;
  /** The number of its log entry. */
  readonly log: number;
}

/** A caller's view of the service: answers, or an error that says what came instead. */
export class LogCaller implements Disposable {
  readonly url: string;
  readonly #client = new Client();

  constructor(url: string) {
    this.url = url;
  }

  call(path: string, body?: Record<string, unknown>): Promise<Answer> {
    return this.#client.call(this.url, path, body === undefined ? {} : { method: 'POST', body });
  }

  async seal(schemaId: string, claim: Readonly<Record<string, unknown>>): Promise<SealAnswer> {
    const answer = await this.call('/api/attest/seal', { schema_id: schemaId, claim });
    // 200 is a reject that was sealed before.
    if (answer.status !== 201 && answer.status !== 200) throw new Error(`seal: ${answer.status} ${answer.text}`);
    return answer.json as unknown as SealAnswer;
  }

  async release(key: string): Promise<Release> {
    const claim = await this.call('/v1/claim', { key, agent: 'referee', mode: 'exclusive' });
    const { lease, token, fence } = claim.json;
    const answer = await this.call('/v1/release', { lease, token });
    if (answer.status !== 200) throw new Error(`release: ${answer.status} ${answer.text}`);
    return { fence: Number(fence), log: Number(answer.json['log']) };
  }

  async read<T>(path: string): Promise<T> {
    const answer = await this.call(path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json as T;
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

export interface Traffic {
  readonly seals: number;
  readonly releases: number;
  readonly connections: number;
  /** Told every answer; keeps of many only what is needed. */
  readonly onSeal: (answer: SealAnswer) => void;
}

/** Seals the cases in turn, each claim one of a kind where its verdict allows that. */
export async function fillLog(caller: LogCaller, { seals, releases, connections, onSeal }: Traffic): Promise<void> {
  const every = releases === 0 ? Infinity : Math.ceil(seals / releases);
  const numbers = Array.from({ length: seals }, (_, n) => n);
  const seal = async (n: number) => {
    const { schemaId, code, claim } = SEAL_CASES[n % SEAL_CASES.length] as (typeof SEAL_CASES)[number];
    const answer = await caller.seal(schemaId, claim(`${n} ${randomBytes(12).toString('hex')}`));
    if (answer.code !== code) throw new Error(`${schemaId}: ${answer.code} instead of ${code}`);
    onSeal(answer);
    if (n % every === 0) await caller.release(`traffic ${n}`);
  };
  await inParallel(numbers, seal, connections);
}
