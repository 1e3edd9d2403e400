// What somebody without the key of the service makes of its signed answers, before all who check one. Some answers are
// signed here with the key of the vectors: as the service would, or as it never does, where verifiers must still agree.
import assert from 'node:assert/strict';
import { generateKeyPairSync, hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { receiptVerify } from '#platform/payments/operations.ts';
import { verifySentReceipt } from '#platform/payments/receipt-verification.ts';
import fc, { runs } from '#properties';
import { ed25519PrivateKeyFromSeed, ed25519PublicBytes } from '#protocol/ed25519.ts';
import { coveredSha256, readCovers } from '#protocol/payment/coverage.ts';
import { type Receipt, type ReceiptBody, type ReceiptKey, signReceipt } from '#protocol/payment/receipt.ts';
import { verifyReceipt } from '#protocol/payment/receipt-check.ts';
import { readJsonBody } from '../../../src/transport/http/json-body.ts';
import { verifiersBy } from '../../../client/proof.ts';
// @ts-expect-error -- a script of the pages has no types of its own
import { checkFile } from '../../../src/web/static/proof.js';
import * as verifier from '../../../verify/avouch-verify.mjs';
import { ROOT } from '../../support/child-service.ts';
import { runCommand } from '../../support/command.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

type Json = Record<string, unknown>;
type Signed = Json & { readonly receipt: Json };

const vectors = JSON.parse(readFileSync(join(ROOT, 'test/vectors/receipts.json'), 'utf8')) as {
  readonly seed_hex: string;
  readonly public_key: string;
  readonly cases: readonly { readonly answer?: Signed; readonly request?: Json }[];
};
const [{ answer: verdict }, , { answer: order }] = vectors.cases as unknown as [
  { answer: Signed & { readonly result: Json } },
  unknown,
  { answer: Signed },
];
const key: ReceiptKey = {
  privateKey: ed25519PrivateKeyFromSeed(Buffer.from(vectors.seed_hex, 'hex')),
  publicKey: vectors.public_key,
  kid: String(verdict.receipt['kid']),
};
const trust = {
  keys: [{ kid: key.kid, publicKey: key.publicKey, role: 'root', retiredAt: null }],
  sandbox: true,
};
const alone = { keys: [key.publicKey], sandbox: true };
const folder = await temporaryDirectory();
after(() => rm(folder, { recursive: true, force: true }));

const client = verifiersBy(async () => ({ receiptKeys: [key.publicKey], logKeys: [], sandbox: true }));

async function run(text: string, ...more: readonly string[]) {
  const file = join(folder, 'answer.json');
  writeFileSync(file, text);
  return runCommand(['verify-receipt', file, '--key', key.publicKey, ...more]);
}

/** What the service makes of a body; `refused` before anything is checked. */
function sent(body: string): string {
  const read = readJsonBody(Buffer.from(body));
  if (!read.ok || read.faults.length > 0) return 'refused';
  const input = receiptVerify.input.safeParse(read.value);
  return input.success ? String(verifySentReceipt(input.data, trust).valid) : 'refused';
}

const page = (text: string) => checkFile(verifier, text, { vkeys: [], receiptKeys: [key.publicKey], sandbox: true });

/** Who calls the text of an answer valid. */
async function believers(text: string): Promise<readonly string[]> {
  const answer = JSON.parse(text) as Signed;
  const said: Readonly<Record<string, boolean>> = {
    module: (await verifier.verifyReceipt(answer.receipt, { answer, ...alone })).valid,
    client: (await client.verifyReceipt(answer)).valid,
    command: (await run(text, '--sandbox')).code === 0,
    service: sent(`{"answer":${text}}`) === 'true',
    page: (await page(text)).valid,
  };
  return Object.keys(said).filter((name) => said[name]);
}

const ALL = ['module', 'client', 'command', 'service', 'page'];

async function isBelievedBy(names: readonly string[], answer: object | string, what: string): Promise<void> {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  assert.deepEqual(await believers(text), names, what);
}

/** The receipt of an answer, signed again over whatever it says. */
function signed(receipt: Json, by = key): Receipt {
  const { signature: _, kid: __, signer_pubkey: ___, ...body } = receipt;
  return signReceipt(body as unknown as ReceiptBody, by);
}

/** An answer whose receipt covers exactly this. */
function covering(members: Json, covers: string | readonly string[]): Signed {
  const { payment: _, ...rest } = verdict.receipt;
  const receipt = { ...rest, covers, result_sha256: coveredSha256(members, covers) ?? rest['result_sha256'] };
  return { ...members, receipt: signed(receipt) };
}

/** Lists in each other, so many of them. */
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

suite('a forged answer', () => {
  test('is not believed because of a true one in the same file', async () => {
    const forged = { ...verdict, result: { ...verdict.result, valid: false } };
    await isBelievedBy(ALL, verdict, 'as it was given');
    await isBelievedBy([], { ...forged, proof: JSON.stringify(verdict) }, 'a true answer as its proof');
    await isBelievedBy([], { ...forged, answer: verdict, was: [verdict] }, 'a true answer in it');
    const outcome = await page(JSON.stringify({ ...forged, entry: 'AAAA', inclusion: {}, range_proof: {} }));
    assert.deepEqual([outcome.kind, outcome.valid], ['receipt', false], 'parts of a proof do not hide the receipt');
  });

  test('is not believed with the receipt of another surface, or around a true answer', async () => {
    await isBelievedBy([], { ...verdict, receipt: order.receipt }, 'an order for a verdict');
    await isBelievedBy([], { ...order, receipt: verdict.receipt }, 'a verdict for an order');
    await isBelievedBy([], { decision: 'ALLOW', answer: verdict }, 'a receipt further inside');
    await isBelievedBy(
      [],
      { decision: 'ALLOW', answer: verdict, receipt: verdict.receipt },
      'its answer further inside',
    );
    await isBelievedBy([], [verdict], 'a list');
    for (const receipt of [null, [verdict.receipt], JSON.stringify(verdict.receipt), { receipt: verdict.receipt }]) {
      await isBelievedBy([], { ...verdict, receipt }, JSON.stringify(receipt));
    }
    await isBelievedBy([], { ...verdict.receipt, ...verdict, receipt: null }, 'receipt and answer in one');
  });

  test('that is checked with a true receipt is refused when another one stands in it', async () => {
    const cheaper = { ...verdict.receipt, payment: { ...(verdict.receipt['payment'] as Json), amount: '1' } };
    const answer = { ...verdict, receipt: cheaper };
    const { receipt } = verdict;
    assert.equal((await verifier.verifyReceipt(receipt, { answer, ...alone })).outcome, 'invalid');
    assert.equal(verifyReceipt({ receipt, answer, ...trust }).outcome, 'invalid');
    assert.equal(sent(JSON.stringify({ receipt, answer })), 'false');
    const { receipt: _, ...bare } = verdict;
    assert.equal((await verifier.verifyReceipt(receipt, { answer: bare, ...alone })).outcome, 'valid');
    assert.equal(sent(JSON.stringify({ receipt, answer: bare })), 'true');
  });

  test('is not taken beside a true one: the service refuses a result that it would not look at', () => {
    assert.equal(sent(JSON.stringify({ answer: verdict, result: { ...verdict.result, valid: false } })), 'refused');
    assert.equal(sent(JSON.stringify({ receipt: verdict.receipt, result: verdict.result })), 'true');
  });

  test('with a member written twice is refused by all who read its text', async () => {
    const text = JSON.stringify(verdict);
    const twice = [
      text.replace('"result":', '"result":{"valid":false},"result":'),
      text.replace('"valid":true', '"valid":false,"valid":true'),
      text.replace('"valid":true', '"v\\u0061lid":false,"valid":true'),
      text.replace('"flags":[]', '"flags":[{"a":"\\\\","a":":\\""}]'),
      text.replace('"issuer":', '"issuer":"https://bank.example","issuer":'),
      text.replace('"receipt":', '"receipt":{},"receipt":'),
    ];
    for (const one of twice) {
      assert.notEqual(one, text);
      assert.deepEqual(
        (await believers(one)).filter((name) => !['module', 'client'].includes(name)),
        [],
        one,
      );
    }
    await isBelievedBy(ALL, { ...verdict, ':"\\': [':', { ':': '"' }] }, 'colons and quotes in strings are no members');
  });

  test('with its own members under names of JavaScript is read as any other', async () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'length', '0', '-']) {
      await isBelievedBy([], covering({ result: {} }, `/${name}`), `${name} is not there`);
      await isBelievedBy([], covering({ result: {} }, `/result/${name}`), `result/${name} is not there`);
      await isBelievedBy([], covering({ lines: [7] }, `/lines/${name}`), `a list has no ${name} to sign`);
      const own = covering({ [name]: { valid: true } }, [`/${name}/valid`]);
      await isBelievedBy(ALL, own, name);
      await isBelievedBy([], { ...own, [name]: { valid: false } }, `another ${name}`);
    }
    const text = JSON.stringify(verdict);
    const proto = text.replace('"valid":true', '"__proto__":{"valid":false},"valid":true');
    await isBelievedBy([], proto, 'a prototype in what is covered');
    const beside = JSON.parse(text.replace('{', '{"__proto__":{"verdict":"ALLOW"},')) as Signed;
    const { uncovered } = await verifier.verifyReceipt(beside.receipt, { answer: beside, ...alone });
    assert.deepEqual(uncovered, ['/__proto__']);
  });

  test('with names that only look like covered ones lacks the covered ones', async () => {
    const pairs = [
      ['a/b', 'a~1b'],
      ['~1', '/'],
      ['~', '~0'],
      ['caf\u00e9', 'cafe\u0301'],
      ['valid', 'valid\u200b'],
      ['valid', 'v\u0430lid'],
    ] as const;
    for (const [name, other] of pairs) {
      const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const { receipt, ...members } = covering({ [name]: true }, pointer);
      await isBelievedBy(ALL, { ...members, receipt }, name);
      await isBelievedBy([], { [other]: true, receipt }, other);
      const { uncovered } = await verifier.verifyReceipt(receipt, {
        answer: { ...members, [other]: 1, receipt },
        ...alone,
      });
      assert.equal(uncovered?.length, 1, `${other} is not signed`);
    }
    const { receipt } = covering({ name: 'caf\u00e9' }, '/name');
    await isBelievedBy([], { name: 'cafe\u0301', receipt }, 'another spelling of a value');
  });

  test('with another number is refused, and with another spelling of the same one it is the same answer', async () => {
    const text = JSON.stringify(covering({ amount: 100, none: 0 }, ['/amount', '/none']));
    for (const same of ['100.0', '1e2', '100.00000000000000001']) {
      await isBelievedBy(ALL, text.replace('"amount":100', `"amount":${same}`), same);
    }
    await isBelievedBy(ALL, text.replace('"none":0', '"none":-0'), 'JSON knows one zero');
    for (const other of ['101', '1e3', '100.0000001', '"100"', '[100]', '1e400', 'null', 'true']) {
      await isBelievedBy([], text.replace('"amount":100', `"amount":${other}`), other);
    }
  });

  test('cannot turn one pointer into a list of one, nor one value into a list', async () => {
    const one = covering({ lines: ['a'] }, '/lines');
    const list = covering({ lines: 'a' }, ['/lines']);
    assert.equal(one.receipt['result_sha256'], list.receipt['result_sha256'], 'the digests are the same');
    await isBelievedBy([], { ...one, lines: 'a' }, 'the receipt of a value');
    await isBelievedBy([], { ...list, lines: ['a'] }, 'the receipt of a list');
    await isBelievedBy([], { ...one, receipt: { ...one.receipt, covers: ['/lines'] } }, 'covers is signed');
  });

  test('is not believed by anybody because of a key that is not trusted, whatever it calls itself', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const own = { privateKey, publicKey: Buffer.from(ed25519PublicBytes(publicKey)).toString('base64'), kid: key.kid };
    await isBelievedBy([], { ...verdict, receipt: signed(verdict.receipt, own) }, 'an own key under the known name');
    const named = signed(verdict.receipt, { ...own, publicKey: key.publicKey });
    await isBelievedBy([], { ...verdict, receipt: named }, 'an own signature under the known key');
    for (const fill of [0, 1, 0xff]) {
      const weak = Buffer.alloc(32, fill).toString('base64');
      await isBelievedBy([], { ...verdict, receipt: { ...verdict.receipt, signer_pubkey: weak } }, `a key of ${fill}`);
    }
    const signature = String(verdict.receipt['signature']);
    for (const spelled of [`${signature}\n`, signature.replace('=', '')]) {
      await isBelievedBy([], { ...verdict, receipt: { ...verdict.receipt, signature: spelled } }, 'another spelling');
    }
  });

  test('of the other world is refused by all, the service too', async () => {
    const real = { ...verdict, receipt: signed({ ...verdict.receipt, sandbox: false }) };
    await isBelievedBy([], real, 'a real answer before a sandbox');
    const answer = verdict;
    const service = verifySentReceipt({ answer }, { ...trust, sandbox: false });
    assert.deepEqual([service.valid, service.outcome, service.sandbox], [false, 'invalid', true]);
    assert.equal((await run(JSON.stringify(answer))).code, 1);
  });

  test('is not believed where the receipt says no digest, and lacks what it covers', async () => {
    const { result_sha256: _, ...silent } = verdict.receipt;
    const { result: __, ...answer } = { ...verdict, receipt: signed(silent) };
    await isBelievedBy([], answer, 'nothing is not the digest of nothing');
  });

  test('nested however deep is refused or told apart, and nobody throws', async () => {
    const text = JSON.stringify(verdict);
    await isBelievedBy([], text.replace('"valid":true', `"valid":${nested(50_000)}`), 'in a covered part');
    await isBelievedBy([], text.replace('"issuer":', `"deep":${nested(50_000)},"issuer":`), 'in the receipt');
    await isBelievedBy(ALL, text.replace('{', `{"deep":${nested(15_000)},`), 'beside what is covered');
    for (const levels of [62, 63, 64, 65, 66]) {
      const value = nested(levels);
      const receipt = signed({ ...verdict.receipt, covers: '/result', result_sha256: hash('sha256', value) });
      const answer = { result: JSON.parse(value) as unknown, receipt };
      await isBelievedBy(levels <= 64 ? ALL : [], answer, `${levels} levels`);
    }
  });

  test('of objects that are no JSON is refused by the module too', async () => {
    const { receipt, result } = verdict;
    class Verdict {
      constructor() {
        Object.assign(this, result);
      }
      get decision() {
        return 'ALLOW';
      }
    }
    const odd: readonly unknown[] = [
      { ...result, flags: new Array(1) },
      Object.assign(Object.create({ decision: 'ALLOW' }) as object, result),
      new Verdict(),
      { ...result, flags: new Map() },
      { ...result, valid: new Boolean(true) },
      { ...result, name: { toString: () => result['name'], toJSON: () => result['name'] } },
    ];
    for (const [index, one] of odd.entries()) {
      const answer = { ...verdict, result: one };
      assert.equal(
        (await verifier.verifyReceipt(receipt, { answer, ...alone })).outcome,
        'invalid',
        `module, ${index}`,
      );
      assert.equal(verifyReceipt({ receipt, answer, ...trust }).outcome, 'invalid', `service, ${index}`);
    }
    let reads = 0;
    const turning = { ...receipt };
    const covers = () => ((reads += 1) === 1 ? '/result' : '/forged');
    Object.defineProperty(turning, 'covers', { get: covers, enumerable: true });
    const forged = { ...verdict, result: 0, forged: result, receipt: turning };
    assert.equal((await verifier.verifyReceipt(turning, { answer: forged, ...alone })).outcome, 'invalid');
  });

  test('with too much or too odd covers is refused, and parts that overlap are each signed', async () => {
    const members = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`m${n}`, n]));
    const pointers = Object.keys(members).map((name) => `/${name}`);
    await isBelievedBy(ALL, covering({ ...members }, pointers.slice(1)), '64 parts');
    await isBelievedBy([], covering({ ...members }, pointers), '65 parts');
    await isBelievedBy([], covering({ result: 1 }, ['/result', '/result']), 'one part twice');
    const overlapping = covering({ fee: { pct: 5, state: 'none' } }, ['/fee', '/fee/pct']);
    await isBelievedBy(ALL, overlapping, 'overlapping');
    await isBelievedBy(
      [],
      { ...overlapping, fee: { pct: 5, state: 'paid' } },
      'overlapping, changed outside the inner',
    );
  });
});

suite('the command', () => {
  test('shows names and details of a file on one line, without what a terminal would obey', async () => {
    const name = 'x\u001b[1A\u001b[2K\r\nvalid: rcp_01FORGED\u0007\u202e\u2028';
    const added = await run(JSON.stringify({ ...verdict, [name]: 1 }));
    assert.equal(added.code, 1, 'of a sandbox');
    const lacking = await run(JSON.stringify(covering({ result: 1 }, `/${name}`)), '--sandbox');
    assert.equal(lacking.code, 1);
    for (const { stdout } of [added, lacking]) {
      assert.match(stdout, /rcp_01FORGED/);
      assert.doesNotMatch(stdout, /^(?:valid|Receipt verified)/m);
      assert.doesNotMatch(stdout, /[^\P{C}\n]|[\u2028\u2029]/u);
      assert.match(stdout, /\nVerification failed\n$/);
    }
  });
});

suite('the verifiers of the service and of others', () => {
  const names = [
    'result',
    'kind',
    'sandbox',
    'receipt',
    'fee',
    'pct',
    '',
    '~',
    '/',
    '~1',
    '__proto__',
    'toString',
    '0',
    '-',
  ];
  const name = fc.constantFrom(...names, 'caf\u00e9', 'cafe\u0301', '\ud800', 'a\nb');
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(null, true, 'eu_vat', '/result', ['/result'], 2 ** 53, -0, JSON.parse(nested(64)) as unknown),
  );
  const pointer = fc
    .array(name, { minLength: 0, maxLength: 5 })
    .map((steps) => steps.map((step) => `/${step}`).join(''));
  const covers = fc.oneof(pointer, fc.array(pointer, { maxLength: 3 }), value);
  const answers = vectors.cases.flatMap(({ answer }) => (answer === undefined ? [] : [answer]));

  function withMember(target: object, member: string, one: unknown): void {
    Object.defineProperty(target, member, { value: one, enumerable: true, writable: true, configurable: true });
  }

  test('agree about any answer, with or without the key', async () => {
    const change = fc.record({
      answer: fc.constantFrom(...answers),
      members: fc.array(fc.tuple(name, value), { maxLength: 2 }),
      inReceipt: fc.array(fc.tuple(fc.constantFrom('result_sha256', 'issuer', 'sandbox', 'x'), value), {
        maxLength: 1,
      }),
      dropped: fc.option(fc.constantFrom('result', 'fee', 'lines', 'kind', 'sandbox', 'receipt')),
      covers: fc.option(covers),
      signs: fc.constantFrom('not', 'as it is', 'with its digest'),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ answer: from, members, inReceipt, dropped, covers: said, signs }) => {
        const answer = structuredClone(from) as Json;
        let receipt = answer['receipt'] as Json;
        for (const [member, one] of members) withMember(answer, member, one);
        if (dropped !== null) delete answer[dropped];
        if (said !== null) receipt['covers'] = said;
        for (const [member, one] of inReceipt) withMember(receipt, member, one);
        try {
          const read = readCovers(receipt['covers']);
          const digest = read && coveredSha256(answer, read);
          if (signs === 'with its digest' && digest !== undefined) receipt['result_sha256'] = digest;
          if (signs !== 'not') receipt = signed(receipt);
        } catch {
          // what has no canonical form cannot be signed
        }
        if (Object.hasOwn(answer, 'receipt')) answer['receipt'] = receipt;
        const here = verifyReceipt({ receipt, answer, ...trust });
        const there = await verifier.verifyReceipt(receipt, { answer, ...alone });
        assert.equal(here.outcome, there.outcome);
        if (here.outcome === 'valid') assert.deepEqual(here.uncovered, there.uncovered);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
