import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newCommandId, newToken } from '#kernel/ids.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import { ANSWER_RETENTION_MS, type AttestationCommand, attestationUnit, type Repeatable } from './unit.ts';

const NOW = 1_700_000_000_000;
const RESERVED_MS = 60_000;
const NUMBERS = { rev: 1, seq: 7 };
const repeatable = (reservation: string, fingerprint = 'content'): Repeatable => ({
  keyHash: 'key',
  fingerprint,
  reservation,
});

function sealCommand(use: Repeatable | null): AttestationCommand {
  const schema = schemaById('record.integrity.v1');
  assert.ok(schema);
  const claim = { statement: 'x' };
  const seed = newToken();
  const prepared = prepareSeal({ schema, claim, observations: [], seed: Buffer.from(seed, 'base64url') });
  const draft = { prepared, claim, observations: [], seed, disclosure: 'holder' as const, nonce: newCommandId() };
  return { type: 'seal', draft, sandbox: true, owner: 'anonymous', rejectKey: null, repeatable: use, lookups: [] };
}

const empty = attestationUnit.load({ rejects: [], uses: [] }, []);
const reserve = (use: Repeatable) => ({ type: 'reserve', repeatable: use }) as const;

test('a reserved key belongs to its own call until its time is over', () => {
  const { state, result } = attestationUnit.decide(empty, NOW, NUMBERS, reserve(repeatable('a')));
  assert.equal(result.outcome, 'reserved');
  const other = (nowMs: number) => attestationUnit.decide(state, nowMs, NUMBERS, reserve(repeatable('b'))).result;
  assert.equal(other(NOW + RESERVED_MS - 1).outcome, 'in_flight');
  assert.equal(other(NOW + RESERVED_MS).outcome, 'reserved');
  const differing = attestationUnit.decide(state, NOW, NUMBERS, reserve(repeatable('b', 'else'))).result;
  assert.equal(differing.outcome, 'conflict');
});

test('a call whose place was taken seals nothing when it comes back', () => {
  const first = attestationUnit.decide(empty, NOW, NUMBERS, reserve(repeatable('a')));
  const later = NOW + RESERVED_MS;
  const second = attestationUnit.decide(first.state, later, NUMBERS, reserve(repeatable('b')));
  const late = attestationUnit.decide(second.state, later, NUMBERS, sealCommand(repeatable('a')));
  assert.deepEqual([late.result.outcome, late.entries], ['in_flight', undefined]);
  const own = attestationUnit.decide(second.state, later, NUMBERS, sealCommand(repeatable('b')));
  assert.deepEqual([own.result.outcome, own.entries?.length], ['sealed', 1]);
  const repeated = attestationUnit.decide(
    own.state,
    later + ANSWER_RETENTION_MS - 1,
    NUMBERS,
    sealCommand(repeatable('c')),
  );
  assert.deepEqual(repeated.result, { outcome: 'replayed', seq: NUMBERS.seq, isHolder: true });
});
