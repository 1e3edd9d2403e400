import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { verifyReceipt } from '../../verify/avouch-verify.mjs';
import { ROOT } from '../support/child-service.ts';
import { TestService } from '../support/service.ts';

test('a program that knows only the base address pays for a verdict, claims and releases, seals and verifies', async () => {
  await using service = await TestService.start({ opensSettlement: true });
  const run = promisify(execFile)(process.execPath, [`${ROOT}examples/from-entry.ts`, service.url]);
  const lines = (await run).stdout.trim().split('\n');
  const did = lines.map((line) => JSON.parse(line) as { goal: string; answer: Record<string, unknown> });
  assert.deepEqual([...new Set(did.map(({ goal }) => goal))], ['verify_counterparty', 'coordinate', 'attest']);
  const verdict = did[0]?.answer as { kind: string; result: object; receipt: object };
  assert.equal(verdict.kind, 'counterparty');
  const keys = [(verdict.receipt as { signer_pubkey: string }).signer_pubkey];
  const checked = await verifyReceipt(verdict.receipt, { answer: verdict, keys, sandbox: true });
  assert.equal(checked.valid, true, JSON.stringify(checked));
  const coordinated = did.filter(({ goal }) => goal === 'coordinate').map(({ answer }) => answer);
  assert.match(String(coordinated[1]?.['lease']), /^L/);
  assert.ok(coordinated.at(-1)?.['released'] !== undefined);
  const attested = did.filter(({ goal }) => goal === 'attest').map(({ answer }) => answer);
  assert.deepEqual([attested[1]?.['verdict'], attested[2]?.['valid']], ['ACCEPT', true]);
});
