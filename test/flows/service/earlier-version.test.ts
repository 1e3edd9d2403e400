// Data that version 0.1.0 left: its own tour, a funded agent, a lease and a brief. What it answered then lies beside them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ManualClock } from '#kernel/clock.ts';
import { verifyReceipt } from '#protocol/payment/receipt-check.ts';
import { verifySealAnswer } from '../../../verify/avouch-verify.mjs';
import { assertContinues, sealRecord, treeHead } from '../../support/log.ts';
import { TestService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const FILE = fileURLToPath(new URL('data/version-0.1.0.tar.gz', import.meta.url));
/** Before the lease of then has ended. */
const SOON_AFTER = Date.parse('2026-11-18T12:32:00Z');

const dataDir = await temporaryDirectory();
execFileSync('tar', ['-xzf', FILE, '-C', dataDir]);
const then = JSON.parse(readFileSync(join(dataDir, 'answers.json'), 'utf8')) as Record<string, Record<string, unknown>>;
const said = (answer: string, member: string): string => String(then[answer]?.[member]);

suite('the data of version 0.1.0', async () => {
  const service = await TestService.start({ dataDir, clock: new ManualClock(SOON_AFTER) });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true });
  });

  test('keep their log, which goes on from the same head, and their seals', async () => {
    await assertContinues(service, said('head', 'checkpoint'));
    const { vkeys } = await treeHead(service);
    assert.ok((await verifySealAnswer(then['seal'], [...vkeys])).valid);
    const verified = await service.call(`/api/attest/verify/${said('seal', 'attestation_id')}`);
    assert.equal(verified.json['valid'], true, verified.text);
    assert.deepEqual((await service.call('/api/astralock/audit')).json['problems'], []);
    assert.equal((await sealRecord(service, 'today')).status, 201);
  });

  test('keep the money of an agent and its key', async () => {
    const wallet = await service.call('/api/agents/wallet', { headers: { 'x-agent-key': said('agent', 'agent_key') } });
    assert.equal(wallet.json['available_eur'], '9.99', wallet.text);
    assert.equal(wallet.json['available_micro'], then['wallet']?.['available_micro']);
  });

  test('keep a lease, which its token renews, with its fence', async () => {
    const body = {
      key: said('lease', 'key'),
      agent: 'a7',
      lease: said('lease', 'lease'),
      token: said('lease', 'token'),
    };
    const { status, json, text } = await service.call('/v1/claim', { method: 'POST', body });
    assert.equal(status, 200, text);
    assert.deepEqual([json['lease'], json['fence'], json['refreshed']], [said('lease', 'lease'), 4, true]);
  });

  test('keep a mandate with what is left of it, and the outcome of its handshake', async () => {
    const headers = { 'x-amh-key': said('platform', 'api_key') };
    const reference = said('verified', 'verify_ref');
    const handshake = await service.call(`/api/amh/status/${reference}`, { headers });
    assert.equal(handshake.json['state'], 'placed', handshake.text);
    const mandate = await service.call(`/api/amh/mandate/${said('mandate', 'mandate_id')}`, { headers });
    assert.deepEqual(mandate.json['remaining'], then['verified']?.['remaining'], mandate.text);
  });

  test('keep the evidence of a task', async () => {
    const { json, text } = await service.call(`/api/tasks/${said('task', 'task_id')}/evidence`);
    assert.equal(json['chain_ok'], true, text);
    assert.equal(json['root'], then['evidence']?.['root']);
  });

  test('keep the key of a receipt, whose signature is valid and which did not say yet what it covers', async () => {
    const receipt = then['verdict']?.['receipt'] as { readonly kid: string; readonly signer_pubkey: string };
    const { keys } = (await service.call('/.well-known/avouch-keys.json')).json;
    const published = (keys as readonly Record<string, unknown>[]).find(
      ({ public_key: key }) => key === receipt.signer_pubkey,
    );
    assert.equal(published?.['scope'], 'receipts');
    // The service has another address today, after which its keys are named.
    const known = { kid: receipt.kid, publicKey: receipt.signer_pubkey, role: 'root', retiredAt: null };
    const { outcome } = verifyReceipt({ receipt, answer: then['verdict'], keys: [known], sandbox: true });
    assert.equal(outcome, 'answer_not_covered');
  });
});
