// The clients of the mixed load: each keeps what it was told, to hold it against the books afterwards.
import { verifySealAnswer } from '../../verify/avouch-verify.mjs';
import type { Answer, CallOptions } from '../support/client.ts';
import { Buyer, challengeOf } from '../support/buyer.ts';
import type { Job, Load } from './load.ts';
import { LogJournal } from './log-journal.ts';
import type { LedgerRow } from './log-kills.ts';
import { asked, type Body, payloadHash } from '../support/mandates.ts';

/** An authorization must outlive the time after which another process takes over. */
const LIFE_SECONDS = 3_600;
const HOLD_SECONDS = 86_400;

/** What is expected of the log; others than the sealing clients write entries of other kinds. */
export class MixedJournal extends LogJournal {
  readonly sealed = new Set<number>();
  #end = 0;

  override compareEntry(row: LedgerRow): void {
    super.compareEntry(row);
    if (row.entry.schema_id === 'record.integrity.v1') this.sealed.add(row.seq);
  }

  override compareCounts(): void {
    // Counted at the end, when every key has its answer.
  }

  /** While clients go on sealing, one may be answered after the log was read. */
  override endsAt(size: number): void {
    this.#end = size;
  }

  compareEnd(): void {
    super.endsAt(this.#end);
  }
}

export interface Told {
  readonly journal: MixedJournal;
  readonly buyer: Buyer;
  /** Request and body of each payment that was answered. */
  readonly paid: { readonly path: string; readonly options: CallOptions; readonly text: string }[];
  /** Cents of each verification that was allowed, and which of them were placed. */
  readonly verified: Map<string, number>;
  readonly placed: Set<string>;
  denied: number;
  /** Body of each execution by its key. */
  readonly executed: Map<string, string>;
  readonly tasks: Map<string, string>;
  readonly violations: string[];
}

export function nothingTold(): Told {
  return {
    journal: new MixedJournal(),
    buyer: new Buyer(),
    paid: [],
    verified: new Map(),
    placed: new Set(),
    denied: 0,
    executed: new Map(),
    tasks: new Map(),
    violations: [],
  };
}

export interface Parties {
  readonly agentId: string;
  readonly agentKey: string;
  readonly platformKey: string;
  readonly mandates: readonly string[];
  readonly vkeys: readonly string[];
}

/** Takes an answer of the status it should have, and notes any other. */
function expecting(load: Load, kind: string, statuses: readonly number[], take: (answer: Answer) => Job | undefined) {
  return (answer: Answer): Job | undefined => {
    if (!statuses.includes(answer.status)) return load.wrong(kind, answer);
    load.acknowledge(kind);
    return take(answer);
  };
}

const posted = (body: Body, headers: Record<string, string> = {}): CallOptions => ({ method: 'POST', body, headers });

/**
 * Gives each kind of client as an endless source of requests; the same seed asks for the same.
 * @param group tells the names of several sets of clients apart
 */
export function clients(
  load: Load,
  told: Told,
  parties: Parties,
  random: () => number,
  group = '',
): Record<'seal' | 'pay' | 'verify' | 'execute' | 'tool', () => Job> {
  let number = 0;
  const name = (what: string) => `${what}-${group}${(number += 1)}`;

  const seal = (): Job => {
    const key = name('key-of-a-seal-of-chaos');
    const body = { schema_id: 'record.integrity.v1', claim: { statement: key } };
    const take = async (answer: Answer): Promise<undefined> => {
      if (answer.status !== 200 && answer.status !== 201) return load.wrong('seal', answer);
      load.acknowledge('seal');
      const { seq, entry, checkpoint } = answer.json as { seq: number; entry: string; checkpoint: string };
      told.journal.expect(seq, { type: 'seal', entry });
      told.journal.answered(checkpoint);
      const { valid, checks } = await verifySealAnswer(answer.json, parties.vkeys);
      if (!valid) told.violations.push(`seal ${seq} does not verify offline: ${JSON.stringify(checks)}`);
      return undefined;
    };
    return { kind: 'seal', path: '/api/attest/seal', options: posted(body, { 'idempotency-key': key }), take };
  };

  const pay = (): Job => {
    const path = `/v1/spend-fuse?amount_usd=1&agent=scout-1&intent_id=${name('intent')}`;
    const paid = (options: CallOptions): Job => ({
      kind: 'pay',
      path,
      options,
      take: expecting(load, 'pay', [200], ({ json, text }) => {
        const { stops } = json['result'] as { stops: string[] };
        if (stops.length > 0) told.violations.push(`${path} met its own intent: ${stops.join(', ')}`);
        told.paid.push({ path, options, text });
        return undefined;
      }),
    });
    const take = async (answer: Answer): Promise<Job | undefined> => {
      if (answer.status !== 402) return load.wrong('challenge', answer);
      const terms = { nowSeconds: Math.floor(Date.now() / 1_000), lifeSeconds: LIFE_SECONDS };
      const { header } = await told.buyer.sign(challengeOf(answer), terms);
      return paid({ headers: { 'payment-signature': header } });
    };
    return { kind: 'challenge', path, take };
  };

  const verify = (): Job => {
    const amount = 1 + Math.floor(500 * random());
    const order = name('order');
    const mandate = parties.mandates[Math.floor(random() * parties.mandates.length)] as string;
    const headers = { 'x-amh-key': parties.platformKey };
    const more = { request_id: order, hold_seconds: HOLD_SECONDS };
    const isPlaced = random() < 0.7;
    const place = (ref: string): Job => ({
      kind: 'mandate seal',
      path: '/api/amh/seal',
      options: posted({ verify_ref: ref, outcome: 'placed', payload_hash: payloadHash(order) }, headers),
      take: expecting(load, 'mandate seal', [200], ({ json }) => {
        if (json['committed_cents'] !== amount) told.violations.push(`${ref} was placed for another amount`);
        told.placed.add(ref);
        return undefined;
      }),
    });
    return {
      kind: 'mandate verify',
      path: '/api/amh/verify',
      options: posted(asked(mandate, amount, order, more), headers),
      take: expecting(load, 'mandate verify', [200], ({ json }) => {
        const ref = String(json['verify_ref']);
        if (json['ok'] !== true) return void (told.denied += 1);
        if (told.verified.has(ref)) told.violations.push(`${ref} was given to two requests`);
        told.verified.set(ref, amount);
        return isPlaced ? place(ref) : undefined;
      }),
    };
  };

  const execute = (): Job => {
    const key = name('execution');
    const body = { capability: 'text.draft', input: { template: 'Dear {{name}}', fields: { name: key } } };
    const headers = { 'x-agent-key': parties.agentKey, 'idempotency-key': key };
    return {
      kind: 'execute',
      path: '/capabilities/execute',
      options: posted(body, headers),
      take: expecting(load, 'execute', [200], ({ json, text }) => {
        const { text: drafted } = json['output'] as { text: string };
        if (drafted !== `Dear ${key}`) told.violations.push(`${key} was answered with ${drafted}`);
        told.executed.set(key, text);
        return undefined;
      }),
    };
  };

  const tool = (): Job => {
    const key = name('task');
    const isWrite = random() < 0.5;
    const write = { agent_id: parties.agentId, need: 'open bounties', idempotency_key: key };
    const call = isWrite ? { name: 'create_task', arguments: write } : { name: 'construction_summary', arguments: {} };
    const kind = `mcp ${call.name}`;
    return {
      kind,
      path: '/mcp/streamable',
      options: posted(
        { jsonrpc: '2.0', id: 7, method: 'tools/call', params: call },
        { 'x-agent-key': parties.agentKey },
      ),
      take: (answer) => {
        const result = answer.json?.['result'] as { isError?: boolean; structuredContent?: Body } | undefined;
        if (result?.structuredContent === undefined) return load.wrong(kind, answer);
        load.acknowledge(kind);
        if (isWrite) told.tasks.set(key, String(result.structuredContent['task_id']));
        return undefined;
      },
    };
  };
  return { seal, pay, verify, execute, tool };
}
