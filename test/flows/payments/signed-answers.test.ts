// Every answer of the service that carries a receipt, before all who check one.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { readCovers } from '#protocol/payment/coverage.ts';
import { RECEIPT_KINDS, receiptBytes } from '#protocol/payment/receipt.ts';
import { ed25519Sign } from '#protocol/ed25519.ts';
import { readKeyFiles } from '#platform/keys/key-file.ts';
import { avouchClient } from '../../../client/client.ts';
// @ts-expect-error -- a script of the pages has no types of its own
import { checkFile } from '../../../src/web/static/proof.js';
import * as verifier from '../../../verify/avouch-verify.mjs';
import { buyer } from '../../support/capabilities.ts';
import { runCommand } from '../../support/command.ts';
import { asked, mandate, mandateBody, registered } from '../../support/mandates.ts';
import { bill, fundedAgent, ordered } from '../../support/orders.ts';
import { AUDIT, PaidService } from '../../support/paid-service.ts';
import type { TestService } from '../../support/service.ts';
import { made, sharedTaskService } from '../../support/tasks.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

type Json = Record<string, unknown>;
type Signed = Json & { readonly receipt: Json };
type Verify = (answer: Signed) => Promise<string>;

/** What a verifier says: `valid`, `refused`, or that the receipt is signed and says nothing of the answer. */
const BY_STATUS: Readonly<Record<number, string>> = { 0: 'valid', 1: 'refused', 3: 'not covered' };

function said(outcome: unknown): string {
  return outcome === 'valid' ? 'valid' : outcome === 'invalid' ? 'refused' : 'not covered';
}

async function verifiersOf(service: TestService): Promise<Readonly<Record<string, Verify>>> {
  const client = avouchClient({ baseUrl: service.url });
  const folder = await temporaryDirectory();
  return {
    'the standalone verifier': async (answer) =>
      said((await verifier.verifyReceipt(answer.receipt, { answer, keys: [publicKey], sandbox: true })).outcome),
    'the client': async (answer) => said((await client.verifyReceipt(answer)).outcome),
    'the command': async (answer) => {
      const file = join(folder, 'answer.json');
      writeFileSync(file, JSON.stringify(answer));
      const { code } = await runCommand(['verify-receipt', file, '--key', publicKey, '--sandbox']);
      return BY_STATUS[code ?? -1] ?? `exit ${code}`;
    },
    'the service': async (answer) => {
      const { json } = await service.call('/v1/receipts/verify', { method: 'POST', body: { answer } });
      assert.equal(json['valid'], json['outcome'] === 'valid');
      return said(json['outcome']);
    },
    'the page': async (answer) => {
      const trust = { vkeys: [], receiptKeys: [publicKey], sandbox: true };
      const { valid, says } = await checkFile(verifier, JSON.stringify(answer), trust);
      return valid ? 'valid' : says === undefined ? 'refused' : 'not covered';
    },
  };
}

async function signedAnswers(): Promise<readonly Signed[]> {
  const service = await sharedTaskService();
  const paid = await PaidService.on('sqlite');
  const platform = await registered(service);
  const { mandate_id } = await mandate(service, mandateBody(service.now()));
  const verification = await platform.verify(asked(mandate_id, 2_500, 'one order'));
  const sealed = await platform.seal(verification.json['verify_ref'], 'placed');
  const agent = await fundedAgent(service, 100_000_000);
  const redaction = { input: { text: 'write to jan@example.org' } };
  const executed = await (await buyer(service)).execute('text.redact', redaction);
  const calculated = await agent.post('/api/v1/calculate', bill(10));
  const order = await ordered(agent, { mode: 'quote' });
  const task = await made(service, { agent_id: agent.id, need: 'open bounties' }, { 'x-agent-key': agent.key });
  const body = { key: 'signed answers', agent: 'a7', mode: 'exclusive', receipt: 'yes' };
  const lease = await service.call('/v1/claim', { method: 'POST', body });
  const others = [verification, sealed, executed, calculated, lease].map(({ json }) => json);
  return [(await paid.buy(AUDIT)).json, ...others, order, task as unknown as Json] as Signed[];
}

/** The same value with its first inner value changed. */
function touched(value: unknown): unknown {
  if (typeof value === 'string') return value.endsWith('0') ? `${value.slice(0, -1)}1` : `${value.slice(0, -1)}0`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === null) return 0;
  if (Array.isArray(value)) return value.length === 0 ? [0] : [touched(value[0]), ...value.slice(1)];
  const [first] = Object.entries(value as object);
  return first === undefined ? { more: 0 } : { ...value, [first[0]]: touched(first[1]) };
}

function changed(answer: Signed, pointer: string, change: (owner: Json, name: string) => void): Signed {
  const copy = structuredClone(answer) as Json;
  const names = pointer.slice(1).split('/');
  const owner = names.slice(0, -1).reduce((at, name) => at[name] as Json, copy);
  change(owner, names.at(-1) as string);
  return copy as Signed;
}

function pointersOf({ receipt }: Signed): readonly string[] {
  const covers = readCovers(receipt['covers']);
  assert.ok(covers !== undefined, JSON.stringify(receipt));
  return typeof covers === 'string' ? [covers] : covers;
}

let publicKey: string;
let answers: readonly Signed[];
let verifiers: Readonly<Record<string, Verify>>;
let service: TestService;

/** Asserts what every verifier says of an answer. */
async function allSay(word: string, answer: Signed, what: string): Promise<void> {
  for (const [name, verify] of Object.entries(verifiers)) {
    assert.equal(await verify(answer), word, `${name}, ${String(answer.receipt['kind'])}: ${what}`);
  }
}

/** Signed by the service as it would have, or as it did before receipts said what they cover. */
function resigned(receipt: Json): Json {
  const file = [...readKeyFiles(join(service.dataDir, 'keys'), undefined).values()].find(
    ({ publicKey: own }) => own === publicKey,
  );
  assert.ok(file !== undefined);
  const signature = Buffer.from(ed25519Sign(file.privateKey, receiptBytes(receipt))).toString('base64');
  return { ...receipt, signature };
}

suite('an answer with a receipt', () => {
  before(async () => {
    service = await sharedTaskService();
    answers = await signedAnswers();
    publicKey = String(answers[0]?.receipt['signer_pubkey']);
    verifiers = await verifiersOf(service);
  });

  test('comes from every kind of surface that signs, and holds before all five', async () => {
    const types = Object.keys(RECEIPT_KINDS);
    assert.deepEqual(new Set(answers.map(({ receipt }) => receipt['type'])), new Set(types));
    for (const type of types.slice(1)) {
      const kinds = answers.filter(({ receipt }) => receipt['type'] === type).map(({ receipt }) => receipt['kind']);
      assert.deepEqual(new Set(kinds), new Set(RECEIPT_KINDS[type as keyof typeof RECEIPT_KINDS]));
    }
    for (const answer of answers) await allSay('valid', answer, 'as it was given');
  });

  test('is refused by all five with one change in any member that it covers', async () => {
    for (const answer of answers) {
      for (const pointer of pointersOf(answer)) {
        const forged = changed(answer, pointer, (owner, name) => (owner[name] = touched(owner[name])));
        await allSay('refused', forged, `changed ${pointer}`);
      }
    }
  });

  test('is refused by all five when a covered member is taken away', async () => {
    for (const answer of answers) {
      for (const pointer of pointersOf(answer)) {
        await allSay(
          'refused',
          changed(answer, pointer, (owner, name) => delete owner[name]),
          `without ${pointer}`,
        );
      }
    }
  });

  test('is refused by all five with a receipt that is changed, shortened or of another answer', async () => {
    for (const [index, answer] of answers.entries()) {
      for (const name of Object.keys(answer.receipt)) {
        const forged = changed(answer, `/receipt/${name}`, (owner) => (owner[name] = touched(owner[name])));
        await allSay('refused', forged, `receipt with another ${name}`);
      }
      const { covers: _, ...silent } = answer.receipt;
      await allSay('refused', { ...answer, receipt: silent }, 'receipt without covers');
      const other = answers[(index + 1) % answers.length]?.receipt as Json;
      await allSay('refused', { ...answer, receipt: other }, 'receipt of another answer');
    }
  });

  test('of a time before receipts said what they cover is signed, and its answer is never called valid', async () => {
    for (const answer of answers) {
      const { covers: _, signature: __, ...old } = answer.receipt;
      await allSay('not covered', { ...answer, receipt: resigned(old) }, 'an old receipt');
      const forged = { ...answer, result: { forged: true }, decision: 'ALLOW', receipt: resigned(old) };
      await allSay('not covered', forged, 'an old receipt beside a forged answer');
    }
  });

  test('signs everything but what goes on or is secret', async () => {
    const unsigned = await Promise.all(
      answers.map(async (answer) => {
        const options = { answer, keys: [publicKey], sandbox: true };
        const { uncovered } = await verifier.verifyReceipt(answer.receipt, options);
        return [answer.receipt['kind'], uncovered?.join(' ')];
      }),
    );
    const lease =
      '/token /ttl_s /expires_in_s /refresh_by_s /intent /hops /position /others /repeated /refreshed /rev /at';
    const task = ['/state /agent_id /need /region /max_eur /route /questions /quote /payment /receipt_id /receipt_key'];
    task.push(
      '/poll /steps /free_tries_left /charged_eur /evidence_root /attestation_id /error /created_at /updated_at /expires_at',
    );
    assert.deepEqual(Object.fromEntries(unsigned), {
      coord_audit: '',
      amh_verify: '/disclosure_seed',
      amh_seal: '/disclosure_seed',
      capability: '/balance_eur',
      calculation: '',
      order: '/state /fee/state /mandate /payment /history /expires_at',
      task: task.join(' '),
      lease,
    });
  });
});
