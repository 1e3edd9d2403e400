// After an erasure no table of the store holds the seed or the text of what was erased, whoever had it sealed.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { executeCapability } from '#areas/capabilities/operations.ts';
import { newCommandId } from '#kernel/ids.ts';
import { coveredSha256, readCovers } from '#protocol/payment/coverage.ts';
import * as ap2 from '../../support/ap2.ts';
import type { Answer } from '../../support/client.ts';
import { ENGINES, type EngineName, hasPostgres } from '../../support/databases.ts';
import {
  asked,
  erasedMandate,
  mandate,
  mandateBody,
  type PlatformOf,
  post,
  registered,
  signer,
} from '../../support/mandates.ts';
import { TestService } from '../../support/service.ts';
import { registeredAgent } from '../../support/wallet.ts';

const TABLES = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
  postgres: 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1',
};
const EXTERNAL = 'zephyr-4711';
/** Also in JSON, where it is spelt otherwise. */
const REFERENCES = {
  external_ref: `order "${EXTERNAL}" \\ é`,
  settlement_ref: 'settle-zephyr-9',
  evidence: 'slip-zephyr-3',
};
const PAGE = 'https://shop.example.com/terms';

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`what an erasure leaves on ${engine}`, { skip }, () => {
    let service: TestService;
    let shop: PlatformOf;
    before(async () => {
      service = await TestService.start({ engine });
      shop = await registered(service);
    });
    after(() => service[Symbol.asyncDispose]());

    test('of a handshake the references and the seeds go, and repeated calls are answered without them', async () => {
      const made = await mandate(service, mandateBody(service.now()));
      const request = asked(made.mandate_id, 100, 'order 1');
      const once = { 'idempotency-key': newCommandId() };
      const verified = await shop.verify(request, once);
      const again = await shop.verify(request, once);
      assert.equal(again.text, verified.text, 'with the seed, in the same bytes');
      const placed = await shop.seal(verified.json['verify_ref'], 'placed', REFERENCES);
      const sought = [EXTERNAL, 'settle-zephyr-9', 'slip-zephyr-3', ...seedsOf(verified, placed)];
      assert.deepEqual(await tablesWith(service, engine, sought.slice(0, 3)), ['amh_seal', 'records']);

      await erased(service, verified);
      await erased(service, placed);
      assert.deepEqual(await tablesWith(service, engine, sought), []);
      const verifiedAgain = await shop.verify(request, once);
      const placedAgain = await shop.seal(verified.json['verify_ref'], 'placed', REFERENCES);
      for (const [first, repeated] of [
        [verified, verifiedAgain],
        [placed, placedAgain],
      ] as const) {
        assert.deepEqual([repeated.status, repeated.headers['idempotent-replayed']], [200, 'true']);
        assert.deepEqual(repeated.json, { ...first.json, disclosure_seed: null });
        assertSigned(repeated);
      }
      const { json: status } = await service.call(`/api/amh/status/${String(verified.json['verify_ref'])}`, {
        headers: { 'x-amh-key': shop.key },
      });
      assert.deepEqual(
        [status['state'], status['external_ref'], status['settlement_ref'], status['evidence']],
        ['placed', null, null, null],
      );
      const next = await shop.seal(verified.json['verify_ref'], 'delivered', { external_ref: 'another' });
      assert.deepEqual([next.status, next.json['prev_attestation_id']], [200, placed.json['attestation_id']]);
      assert.equal((await service.call('/api/astralock/audit')).json['ok'], true);
    });

    test('the order of an AP2 receipt is such a reference', async () => {
      const nowMs = service.now();
      const root = ap2.openToken(nowMs, [ap2.RANGE, ap2.OFTEN]);
      const imported = await post(service, '/api/amh/mandate', {
        agent_id: 'agent:shopper-7',
        ap2: { open_payment_mandate: root, user_jwk: ap2.USER.jwk },
      });
      const chain = ap2.joined(root, ap2.closedToken(root, { nowMs }));
      const verified = await shop.verify(ap2.presented(String(imported.json['mandate_id']), chain));
      const seal = () => shop.seal(verified.json['verify_ref'], 'placed', REFERENCES);
      const placed = await seal();
      const claims = placed.json['receipt_claims'] as ap2.Json;
      assert.equal(claims['order_id'], REFERENCES.external_ref);
      await erased(service, placed);
      assert.deepEqual(await tablesWith(service, engine, [EXTERNAL, ...seedsOf(placed)]), []);
      const { json } = await seal();
      assert.deepEqual(json, {
        ...placed.json,
        disclosure_seed: null,
        receipt_claims: { ...claims, order_id: null },
      });
    });

    test('of a mandate nothing that names anybody stays', async () => {
      const once = () => ({ 'idempotency-key': newCommandId() });
      const nowMs = service.now();
      const own = mandateBody(nowMs, {
        agent_id: 'agent:zephyr-shopper',
        principal: { name: 'Zephyr Principal BV', ref: 'kvk:zephyr-1' },
        counterparties: ['kvk:zephyr-2'],
        nonce: 'zephyr-nonce-0123456789',
        agent_pubkey: signer(0x41).publicKey,
      });
      const payees = { type: 'payment.allowed_payees', allowed: [{ id: 'kvk:zephyr-4', name: 'Zephyr Payee BV' }] };
      const root = ap2.openToken(nowMs, [ap2.RANGE, ap2.OFTEN, payees]);
      const imported = { agent_id: 'agent:zephyr-2', ap2: { open_payment_mandate: root, user_jwk: ap2.USER.jwk } };
      const ids: string[] = [];
      const answers: Answer[] = [];
      for (const body of [own, imported]) {
        const made = await post(service, '/api/amh/mandate', body, once());
        ids.push(String(made.json['mandate_id']));
        const counterparty = body === own ? 'kvk:zephyr-2' : 'kvk:zephyr-4';
        answers.push(await shop.verify(asked(ids.at(-1) as string, 100, 'order 1', { counterparty }), once()));
      }
      const chain = ap2.joined(root, ap2.closedToken(root, { nowMs, payee: 'kvk:zephyr-4' }));
      const bought = await shop.verify(ap2.presented(String(ids[1]), chain, { payee: 'kvk:zephyr-4' }), once());
      const placed = await shop.seal(bought.json['verify_ref'], 'placed', REFERENCES);
      const [, shown = ''] = root.split('~');
      const sought = ['ephyr', signer(0x41).publicKey, shown, ...seedsOf(...answers, bought, placed)];
      const tables = ['amh_mandate', 'amh_seal', 'amh_verification', 'records'];
      assert.deepEqual(await tablesWith(service, engine, sought), tables, 'kept answers have none of it');
      for (const id of ids) await erasedMandate(service, id);
      assert.deepEqual(await tablesWith(service, engine, sought), []);
      const rows = await service.service.store.read(
        `SELECT body, principal_pubkey, agent_id, ap2 FROM amh_mandate WHERE id IN ('${ids.join("', '")}')`,
      );
      for (const { body, ...others } of rows) {
        assert.deepEqual({ ...others }, { principal_pubkey: null, agent_id: null, ap2: null });
        const { agent_id, principal, ...numbers } = JSON.parse(String(body)) as Record<string, unknown>;
        assert.deepEqual([agent_id, principal, 'max_commit_cents' in numbers], ['', '', true]);
        assert.ok(
          Object.keys(numbers).every((name) => /^(currency|period|valid_\w+|\w+_cents|max_actions)$/.test(name)),
        );
      }
      assert.equal((await service.call('/api/astralock/audit')).json['ok'], true);
    });

    test('of a capability the seed goes from the answer that a repeated call gets', async () => {
      const agent = await registeredAgent(service);
      await agent.fund(10_000_000);
      const once = { 'idempotency-key': newCommandId() };
      const body = { capability: 'web.fetch_seal', inputs: [{ url: PAGE }, { url: PAGE, seal: false }] };
      const execute = () => agent.post('/capabilities/execute', body, once);
      const first = await execute();
      const { outputs } = executeCapability.output.parse(first.json);
      const sealed = outputs?.[0] ?? assert.fail(first.text);
      assert.deepEqual((await execute()).json, first.json, 'with the seed');
      await erased(service, { ...first, json: sealed });
      const seeds = seedsOf({ ...first, json: sealed });
      assert.deepEqual(await tablesWith(service, engine, [...seeds, `GET ${PAGE} at `]), []);
      const again = await execute();
      assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true']);
      assert.deepEqual(again.json, { ...first.json, outputs: [{ ...sealed, disclosure_seed: null }, outputs?.[1]] });
    });

    test('of a seal nothing stays, found by its digest and sealed under a key or not', async () => {
      const body = { schema_id: 'record.integrity.v1', claim: { statement: 'left on the zephyr pier' }, index: true };
      const once = { 'idempotency-key': newCommandId() };
      const sealed = await post(service, '/api/attest/seal', body, once);
      const sought = ['zephyr pier', String(sealed.json['claim_sha256']), ...seedsOf(sealed)];
      assert.deepEqual(await tablesWith(service, engine, sought), ['records', 'seal_lookup']);
      await erased(service, sealed);
      assert.deepEqual(await tablesWith(service, engine, sought), []);
    });
  });
}

async function erased(service: TestService, { json }: Answer): Promise<void> {
  const { attestation_id, disclosure_seed } = json;
  const { status, text } = await post(service, '/api/attest/erase', { attestation_id, disclosure_seed });
  assert.equal(status, 200, text);
}

/** The seeds in both forms in which they are kept or shown. */
function seedsOf(...answers: readonly Answer[]): string[] {
  return answers.flatMap(({ json }) => {
    const seed = String(json['disclosure_seed']);
    return [seed, Buffer.from(seed, 'base64').toString('base64url')];
  });
}

/** The tables of which some row has one of the texts. */
async function tablesWith(service: TestService, engine: EngineName, texts: readonly string[]): Promise<string[]> {
  const { store } = service.service;
  const names = (await store.read(TABLES[engine])).map(({ name }) => String(name));
  assert.ok(names.includes('amh_answer') && names.includes('api_idempotency'));
  const found: string[] = [];
  for (const name of names) {
    const rows = await store.read(`SELECT * FROM "${name}"`);
    const cells = rows.flatMap((row) => Object.values(row).map(String));
    if (texts.some((text) => cells.some((cell) => cell.includes(text)))) found.push(name);
  }
  return found;
}

/** The receipt signs what it covers of the answer, which the seed is no part of. */
function assertSigned({ json }: Answer): void {
  const receipt = json['receipt'] as { covers: unknown; result_sha256: string };
  assert.equal(coveredSha256(json, readCovers(receipt.covers) ?? []), receipt.result_sha256);
}
