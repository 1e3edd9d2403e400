import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type AvouchClient, avouchClient, type ClientOptions } from '../../../client/client.ts';
import type { Outcome } from '../../../client/outcome.ts';
import { trustIn } from '../../../client/proof.ts';
import { VERSION } from '../../../client/table.ts';
import { coseKeysIn, coseKeyThumbprint, verifyInclusionReceipt } from '#protocol/cose-receipt.ts';
import { OPERATIONS, TABLE } from '../../../src/areas.ts';
import { exchangeOnce } from '../../support/raw-http.ts';
import { TestService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

let service: TestService;
before(async () => {
  service = await TestService.start({ opensSettlement: true });
});
after(() => service[Symbol.asyncDispose]());

const clientOf = (options: Partial<ClientOptions> = {}) => avouchClient({ baseUrl: service.url, ...options });
const NOWHERE = 'http://127.0.0.1:9';
const CLAIM = { schema_id: 'record.integrity.v1', claim: { statement: 'delivered' } };

type Loose = Record<string, (input: object) => Promise<Outcome<'look'>>>;

test('every operation of the table is a method whose answer has the form of its row, or is a problem that it promises', async () => {
  const client = clientOf({ retries: 0 });
  const call = async (row: (typeof OPERATIONS)[number]) => {
    const input = { ...row.examples[0]?.input, ...(row.operationId === 'watch' && { after: 0, wait: 0 }) };
    const outcome = await (client as unknown as Loose)[row.operationId]?.(input);
    assert.ok(outcome !== undefined, `${row.operationId} is no method`);
    if (outcome.ok) {
      const value: unknown = outcome.value;
      if (value instanceof ReadableStream) await value.cancel();
      else if (value instanceof Uint8Array) assert.equal(row.output.meta()?.['format'], 'binary', row.operationId);
      else row.output.parse(value);
      assert.equal(row.price, null, `${row.operationId} costs something`);
      return;
    }
    const { code = JSON.stringify(outcome.unreachable) } = outcome.problem ?? {};
    const promised: readonly string[] = TABLE.problemsOf(row).map((problem) => problem.code);
    assert.ok(promised.includes(code), `${row.operationId}: ${JSON.stringify(outcome.problem ?? code)}`);
    assert.notEqual(code, 'invalid_parameters', `${row.operationId}: ${JSON.stringify(outcome.problem)}`);
    if (row.price !== null) assert.equal(code, 'payment_required', row.operationId);
  };
  await Promise.all(OPERATIONS.map(call));
});

test('COSE receipts and their keys come through the client byte for byte, so that they verify', async () => {
  const served: Buffer[] = [];
  const client = clientOf({
    fetch: async (address, given) => {
      const response = await fetch(address, given);
      served.push(Buffer.from(await response.clone().arrayBuffer()));
      return response;
    },
  });
  const sealed = await client.attest_seal(CLAIM);
  assert.ok(sealed.ok, JSON.stringify(sealed));
  const { attestation_id, entry } = sealed.value;
  const head = await client.log_head();
  assert.ok(head.ok);
  served.length = 0;
  const receipt = bytesOf(await client.attest_receipt({ attestation_id }));
  const keySet = bytesOf(await client.scitt_keys());
  const keys = coseKeysIn(keySet);
  const kid = Buffer.from(coseKeyThumbprint(keys[0] ?? new Uint8Array())).toString('base64url');
  const key = bytesOf(await client.scitt_key({ kid }));
  const grown = bytesOf(await client.log_consistency({ first: 1, second: head.value.tree_size }));
  assert.deepEqual(served, [receipt, keySet, key, grown]);
  assert.equal(verifyInclusionReceipt(receipt, Buffer.from(entry, 'base64'), { keys }).valid, true);
});

function bytesOf(outcome: Outcome<'attest_receipt' | 'scitt_keys' | 'scitt_key' | 'log_consistency'>): Buffer {
  assert.ok(outcome.ok, JSON.stringify(outcome));
  assert.ok(outcome.value instanceof Uint8Array, 'an answer in bytes is read as something else');
  return Buffer.from(outcome.value);
}

test('a call names the client, and one warning tells that the service is older than it by a minor version', async () => {
  const warnings: string[] = [];
  const agents: unknown[] = [];
  const [major, minor] = VERSION.split('.').map(Number) as [number, number];
  const served = [`${major}.${minor}.99`, `${major}.${minor - 1}.9`, `${major}.${minor - 1}.9`];
  const client = clientOf({
    observe: (warning) => warnings.push(warning),
    fetch: async (_address, given) => {
      agents.push(new Headers(given?.headers).get('user-agent'));
      return Response.json({}, { headers: { 'avouch-version': served.shift() ?? '' } });
    },
  });
  await client.look({ key: 'k:1' });
  assert.deepEqual(warnings, []);
  await client.look({ key: 'k:1' });
  await client.look({ key: 'k:1' });
  assert.deepEqual(warnings, [`Avouch ${major}.${minor - 1}.9 is older than this client.`]);
  assert.deepEqual(new Set(agents), new Set([`avouch-client/${VERSION}`]));
});

test('every answer names the version of the service', async () => {
  for (const path of [
    '/',
    '/v1/look?key=a',
    '/v1/look',
    '/nowhere',
    '/api/v1/health',
    '/status',
    '/mcp/tools.json',
    '/metrics',
  ]) {
    assert.equal((await service.call(path)).headers['avouch-version'], VERSION, path);
  }
  const [broken] = await exchangeOnce(service.url, 'BROKEN\r\n\r\n');
  assert.equal(broken?.headers['avouch-version'], VERSION);
});

test('a refusal is a value with the code of its row, and a service that is not there is another', async () => {
  const client = clientOf();
  const taken = await client.claim({ key: 'acme/client#1', agent: 'a7', mode: 'exclusive' });
  assert.ok(taken.ok && 'lease' in taken.value);
  const refused = await client.claim({ key: 'acme/client#1', agent: 'a8', mode: 'exclusive' });
  assert.ok(!refused.ok && refused.problem?.code === 'held', JSON.stringify(refused));
  assert.equal(refused.problem.status, 409);
  const wrong = await client.claim({ key: '', agent: 'a' });
  assert.deepEqual(wrong.ok || wrong.problem?.errors?.map(({ pointer }) => pointer), ['#/key', '#/agent']);
  const { lease, token } = taken.value;
  const released = await client.release({ lease, token: String(token) });
  assert.ok(released.ok && released.value.released);

  const nowhere = await clientOf({ baseUrl: NOWHERE, retries: 0 }).health();
  assert.equal(nowhere.ok || nowhere.unreachable?.reason, 'network');
  for (const status of [200, 502]) {
    const fetch = async () => new Response('<h1>Sign in</h1>', { status });
    const other = await clientOf({ fetch, retries: 0 }).health();
    assert.equal(other.ok || other.unreachable?.reason, 'unreadable');
  }
  const upwards = await client.check_task({ ref: '..' });
  assert.equal(upwards.ok || upwards.problem?.code, 'invalid_parameters');
  const late = await clientOf({ timeoutMs: 20, retries: 0 }).watch({ key: 'acme/client#2', wait: 25 });
  assert.equal(late.ok || late.unreachable?.reason, 'timeout');
  const left = await client.watch({ key: 'acme/client#2', wait: 25 }, { signal: AbortSignal.abort() });
  assert.equal(left.ok || left.unreachable?.reason, 'aborted');
});

/** Answers as given, one after the other, and then as the service does; keeps what was sent. */
function faulty(...codes: readonly (string | Error)[]) {
  const answers = [...codes];
  const keys: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    const code = answers.shift();
    if (code === undefined) return globalThis.fetch(url, init);
    if (code instanceof Error) throw code;
    const status = code === 'slow_down' ? 429 : 503;
    return Response.json({ code, status, retry_after_s: code === 'slow_down' ? 60 : 0.01 }, { status });
  };
  return { fetch, keys };
}

test('a call that nothing came of is sent again with the same key, a bounded number of times, and only where that is safe', async () => {
  const lost = new TypeError('fetch failed');
  const sealed = faulty('busy', 'outcome_unknown', lost);
  assert.equal((await clientOf(sealed).attest_seal(CLAIM)).ok, true);
  assert.deepEqual([sealed.keys.length, new Set(sealed.keys).size], [4, 1]);
  assert.match(String(sealed.keys[0]), /^[\w-]{16,}$/);

  const cases: readonly [sent: number, codes: (string | Error)[], call: (client: AvouchClient) => Promise<Outcome>][] =
    [
      [1, ['outcome_unknown'], (client) => client.claim({ key: 'acme/client#3', agent: 'a7' })],
      [1, [lost], (client) => client.claim({ key: 'acme/client#3', agent: 'a7' })],
      [2, ['busy'], (client) => client.claim({ key: 'acme/client#3', agent: 'a7' })],
      [2, [lost], (client) => client.health()],
      [1, ['slow_down'], (client) => client.health()],
      [4, ['busy', 'busy', 'busy', 'busy', 'busy'], (client) => client.health()],
    ];
  for (const [sent, codes, call] of cases) {
    const { fetch, keys } = faulty(...codes);
    const { ok } = await call(clientOf({ fetch }));
    assert.deepEqual([keys.length, ok], [sent, sent > codes.length], String(codes));
  }
});

test('a payer pays a price up to its limit, once, and the receipt is checked against result and request', async () => {
  const signer = privateKeyToAccount(generatePrivateKey());
  const faucet = await clientOf().sandbox_faucet({ address: signer.address });
  assert.ok(faucet.ok, JSON.stringify(faucet));
  const input = { vat_number: 'NL000099998B57' };

  const unpaid = await clientOf().eu_vat_check(input);
  assert.equal(unpaid.ok || unpaid.problem?.code, 'payment_required');
  const balance = async () => {
    const answer = await clientOf().sandbox_balance({ address: signer.address });
    return answer.ok ? Number(answer.value.balance) : NaN;
  };
  const dear = await clientOf({ payer: { signer, maxPrice: '0.001' } }).eu_vat_check(input);
  assert.ok(!dear.ok && dear.problem !== undefined && dear.problem.code === 'payment_required');
  assert.match(dear.notPaid ?? '', /above maxPrice/);
  assert.equal(await balance(), 5_000_000);

  const client = clientOf({ payer: { signer, maxPrice: '0.01' } });
  const idempotencyKey = crypto.randomUUID();
  const paid = await client.eu_vat_check(input, { idempotencyKey });
  assert.ok(paid.ok, JSON.stringify(paid));
  assert.match(String(paid.payment?.transaction), /^0x[0-9a-f]{64}$/);
  const again = await client.eu_vat_check(input, { idempotencyKey });
  assert.ok(again.ok && again.replayed);
  assert.deepEqual(again.value, paid.value);
  assert.equal(await balance(), 4_998_000);

  const good = await client.verifyReceipt(paid.value, paid.request);
  assert.deepEqual([good.valid, good.checks.filter(({ ok }) => ok !== true)], [true, []]);
  const otherAnswer: object = { ...paid.value, result: {} };
  const otherResult = await client.verifyReceipt(otherAnswer, paid.request);
  const otherRequest = await client.verifyReceipt(paid.value, { ...paid.request, query: {} });
  assert.deepEqual([otherResult.valid, otherRequest.valid], [false, false]);
});

test('where the official client is not installed everything works but a signer, which is told what to install', async () => {
  const folder = await temporaryDirectory();
  const root = new URL('../../../', import.meta.url);
  for (const part of ['client', 'verify']) await cp(new URL(part, root), join(folder, part), { recursive: true });
  const program = `
    import { avouchClient } from './client/client.ts';
    const signer = { address: '0x${'11'.repeat(20)}', signTypedData: async () => '0x' };
    const options = { baseUrl: '${service.url}', payer: { signer, maxPrice: '1' } };
    const { ok, problem, notPaid } = await avouchClient(options).eu_vat_check({ vat_number: 'NL000099998B57' });
    const health = await avouchClient(options).health();
    console.log(JSON.stringify({ ok, code: problem.code, notPaid, health: health.ok }));`;
  await writeFile(join(folder, 'program.ts'), program);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, 'program.ts')]);
  await rm(folder, { recursive: true });
  const { notPaid, ...rest } = JSON.parse(stdout) as { notPaid: string };
  assert.deepEqual([rest, stderr], [{ ok: false, code: 'payment_required', health: true }, '']);
  assert.match(notPaid, /is not installed: npm install @x402\/fetch @x402\/evm viem$/);
});

test('a seal and its proof verify without the service when its keys are known, and nothing verifies without keys', async () => {
  const online = clientOf();
  const keys = await online.service_keys();
  const sealed = await online.attest_seal(CLAIM);
  assert.ok(sealed.ok && keys.ok);
  assert.equal((await online.verifySeal(sealed.value)).valid, true);
  const published = keys.value.keys.filter(({ alg }) => alg === 'ed25519');
  const ofScope = (wanted: string) => published.filter(({ scope }) => scope === wanted);
  const trust = trustIn(keys.value);
  assert.deepEqual(trust, {
    receiptKeys: ofScope('receipts').map((key) => key.public_key),
    logKeys: ofScope('log-checkpoint').map((key) => key.vkey),
    sandbox: true,
  });
  const offline = clientOf({ baseUrl: NOWHERE, trust });
  const { proof, attestation_id: attestationId } = sealed.value;
  assert.equal((await offline.verifySeal(sealed.value, { attestationId })).valid, true);
  assert.equal((await offline.verifyProof(proof, { attestationId })).valid, true);
  assert.equal((await offline.verifySeal({ ...sealed.value, claim: { statement: 'lost' } })).valid, false);
  assert.equal((await offline.verifyProof(proof.replace('\nindex ', '\nindex 1'))).valid, false);
  const ignorant = clientOf({ baseUrl: NOWHERE, retries: 0 });
  assert.equal((await ignorant.verifySeal(sealed.value)).valid, false);
  assert.equal((await ignorant.verifyReceipt({ receipt: {} })).valid, false);
});

test('keys of agents and platforms go into their headers', async () => {
  const registered = await clientOf().register_agent({ name: 'buyer-7', owner_email: 'ops@example.org' });
  const platform = await clientOf().amh_register({
    name: 'Shop',
    mcp_url: 'https://shop.example/mcp',
    contact: 'desk@shop.example',
  });
  assert.ok(registered.ok && platform.ok);
  const client = clientOf({ agentKey: String(registered.value.agent_key), platformKey: platform.value.api_key });
  const wallet = await client.get_wallet();
  assert.ok(wallet.ok && wallet.value.available_eur === '0.00', JSON.stringify(wallet));
  assert.equal((await client.amh_key_create()).ok, true);
});

/** Compiled, never run: what does not follow from the table is no program. */
export async function notCompiled(client: AvouchClient): Promise<void> {
  // @ts-expect-error no such operation
  await client.claims({});
  // @ts-expect-error a key is required
  await client.claim({ agent: 'a7' });
  // @ts-expect-error an input is required
  await client.claim();
  // @ts-expect-error no such field
  await client.claim({ key: 'k', agent: 'a7', colour: 'red' });
  // @ts-expect-error not one of the modes
  await client.claim({ key: 'k', agent: 'a7', mode: 'greedy' });
  // @ts-expect-error a filter of another data set
  await client.data_zones({ cpv: '45' });
  const looked = await client.look({ key: 'k' });
  // @ts-expect-error there is a value only after ok was seen
  void looked.value;
  // @ts-expect-error a look cannot be refused so
  if (!looked.ok && looked.problem?.code === 'held') return;
  // @ts-expect-error no member of this answer
  if (looked.ok) void looked.value.lease;
  const tile: Outcome<'log_tile'> = await client.log_tile({ tile: '0/000' });
  // @ts-expect-error bytes are no text
  if (tile.ok) tile.value satisfies string;
}
