// Things to look at on the pages of log, board and tasks: made once for a service.
import assert from 'node:assert/strict';
import type { TestService } from '../support/service.ts';
import { made } from '../support/tasks.ts';

export interface Explored {
  readonly attestationId: string;
  readonly seq: number;
  readonly key: string;
  readonly brief: string;
  readonly receiptId: string;
  readonly receiptKey: string;
}

const known = new WeakMap<TestService, Promise<Explored>>();

export function explored(service: TestService): Promise<Explored> {
  const making = known.get(service) ?? make(service);
  known.set(service, making);
  return making;
}

async function make(service: TestService): Promise<Explored> {
  const post = async (path: string, body: Record<string, unknown>) => {
    const answer = await service.call(path, { method: 'POST', body });
    assert.ok(answer.status < 300, answer.text);
    return answer.json;
  };
  await service.call('/v1/bounties');
  const key = 'https://github.com/acme/parser/issues/12';
  const card = { goal: 'The importer keeps the last row', acceptance: 'npm test passes', key, slots: 2 };
  const { brief } = await post('/v1/brief', card);
  await post('/v1/claim', { key, agent: 'builder-7', intent: 'fix the parser', ttl: 900 });
  await post('/v1/mark', { key, agent: 'tester-2', kind: 'failed', note: 'needs the large fixture' });
  await post('/v1/mark', { key, agent: 'tester-3', kind: 'note', evidence: 'https://e.example/run/4' });
  await post('/v1/claim', {
    key: 'nightly-report',
    agent: 'reporter-1',
    mode: 'exclusive',
    intent: 'write the report',
  });
  const task = await made(service, { need: 'open bounties' });
  const claim = { statement: 'Seven boxes left the harbour.', evidence_digests: ['ab'.repeat(32)] };
  const seal = await post('/api/attest/seal', { schema_id: 'record.integrity.v1', claim, disclosure: 'public' });
  return {
    attestationId: String(seal['attestation_id']),
    seq: Number(seal['seq']),
    key,
    brief: String(brief),
    receiptId: task.receipt_id,
    receiptKey: String(task.receipt_key),
  };
}
