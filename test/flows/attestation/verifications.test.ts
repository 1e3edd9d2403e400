// Proofs against witnessed checkpoints, as soon as something says which those are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Verifications } from '#areas/attestation/verifications.ts';
import type { WitnessedCheckpoint } from '#platform/log/publisher.ts';
import { VerificationAnswer } from '#areas/attestation/verify-operations.ts';
import { systemClock } from '#kernel/clock.ts';
import { PublicLog } from '#platform/log/public-log.ts';
import { anchorTrail } from '#platform/log/trail-anchor.ts';
import { openStore } from '../../support/engines.ts';
import { oneLogKey } from '../../support/log.ts';

async function grownLog(entries: number) {
  const opened = await openStore('sqlite');
  const { store } = opened;
  const log = await PublicLog.open({
    store,
    attach: (sequencer) => store.attachLog(sequencer),
    keys: oneLogKey(9),
    newOrigin: 'test.invalid/witnessed',
    sandbox: true,
  });
  for (let line = 1; line < entries; line += 1) {
    await anchorTrail(store, { trail: '0'.repeat(32), process: 'p1', line, hash: 'ab' }, true);
  }
  await log.follow();
  return { ...opened, log };
}

async function found(log: PublicLog, seq: number, witnessed: WitnessedCheckpoint | null) {
  const verifications = new Verifications({
    log,
    clock: systemClock(),
    witnessed: async () => witnessed,
  });
  const [entry] = await log.entries(seq, seq + 1);
  const answer = VerificationAnswer.parse(await verifications.verify(entry?.attestationId ?? ''));
  assert.ok(answer.valid || witnessed?.witnesses.length === 0, JSON.stringify(answer.checks));
  const { name: _, ...witnesses } = answer.checks.find(({ name }) => name === 'witnesses') ?? assert.fail();
  return { size: answer.inclusion.tree_size, checkpoint: answer.checkpoint, witnesses, valid: answer.valid };
}

test('an entry is proven against the newest witnessed checkpoint that covers it, else against the newest', async () => {
  await using grown = await grownLog(6);
  const { log } = grown;
  const checkpoint = (await log.checkpoints(0, 6)).get(3) as string;
  const witnesses = ['a', 'b'].map((name) => ({ name, timeSeconds: 1 }));
  const witnessed = { note: checkpoint, size: 3, witnesses, quorum: 1 };
  for (const seq of [0, 1, 2]) {
    const check = { ok: true, count: 2, quorum: 1 };
    assert.deepEqual(await found(log, seq, witnessed), { size: 3, checkpoint, witnesses: check, valid: true });
  }
  const unwitnessed = { ok: null, state: 'unwitnessed', count: 0 };
  const newest = { size: 6, checkpoint: log.head().checkpoint, witnesses: unwitnessed, valid: true };
  for (const seq of [3, 5]) assert.deepEqual(await found(log, seq, witnessed), newest);
  assert.deepEqual(await found(log, 0, null), newest);
});

test('too few witnesses are said to be too few', async () => {
  await using grown = await grownLog(2);
  const { checkpoint } = grown.log.head();
  const witnessed = { note: checkpoint, size: 2, witnesses: [], quorum: 1 };
  const { witnesses, valid } = await found(grown.log, 1, witnessed);
  assert.deepEqual([witnesses, valid], [{ ok: false, count: 0, quorum: 1 }, false]);
});
