import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { FEE_HOLDS } from '#areas/orders/sql.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { DAY_MS, ManualClock, MINUTE_MS } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { auditLedger } from '#platform/ledger/audit.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { type EngineName, ENGINES, hasPostgres } from '../../support/databases.ts';
import { runCommand } from '../../support/command.ts';
import { serviceEnv, TestService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { tamper } from '../../support/log.ts';
import { mandate, mandateBody } from '../../support/mandates.ts';
import { calculated, fundedAgent, money, ordered, SHIP_TO, followed, heard, states } from '../../support/orders.ts';

interface Change {
  readonly state: string;
  readonly at: string;
  readonly attestation_id: string;
  readonly document_sha256?: string;
}

/** By engine: what makes every change of an order fail, and what ends it. */
const CHANGES_FAIL: Readonly<Record<EngineName, readonly [breaking: string, mending: string]>> = {
  sqlite: [
    "CREATE TRIGGER broken BEFORE UPDATE ON supplier_order BEGIN SELECT RAISE(ABORT, 'broken'); END",
    'DROP TRIGGER broken',
  ],
  postgres: [
    `CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
    CREATE TRIGGER broken BEFORE UPDATE ON supplier_order FOR EACH ROW EXECUTE FUNCTION broken()`,
    'DROP FUNCTION broken CASCADE',
  ],
};

for (const engine of ENGINES) {
  suite(`orders on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    const clock = new ManualClock(Date.now());
    let service: TestService;
    before(async () => {
      service = await TestService.start({ engine, clock });
    });
    after(() => service[Symbol.asyncDispose]());

    // First: a command goes by the clock of the machine, which the tests below leave behind.
    test('what a supplier says by email is recorded by the operator: confirmed with its document, fee and seals follow', async () => {
      const env = serviceEnv(service.dataDir, service.databaseUrl);
      const run = (...words: string[]) => runCommand(['orders', ...words], env);
      const record = async (id: string, ...words: string[]) => {
        const { code, stderr } = await run('record', id, ...words);
        assert.equal(code, 0, stderr);
      };
      const refused = async (code: number, why: RegExp, ...words: string[]) => {
        const ran = await run('record', ...words);
        assert.deepEqual([ran.code, why.test(ran.stderr)], [code, true], ran.stderr);
      };
      const agent = await fundedAgent(service);
      const { mandate_id } = await mandate(service, mandateBody(clock.now()));
      const manual = async (more = {}) => {
        clock.advance(1);
        const placed = await ordered(agent, { supplier: 'OTHER', ...more }, 10, { supplier: 'OTHER' });
        assert.deepEqual([placed['channel'], placed['state']], ['manual', 'placed']);
        return String(placed['order_id']);
      };
      const [plain, bound, sent] = [await manual(), await manual({ mandate_id }), await manual()];
      const programmed = String((await ordered(agent, {}, 10, { sku: 'ES-1-SLOW' }))['order_id']);
      const open = JSON.parse((await run('list', '--json')).stdout) as { orders: Record<string, unknown>[] };
      const waiting = open.orders.map(({ order_id, state, fee_eur }) => [order_id, state, fee_eur]);
      assert.deepEqual(
        waiting,
        [plain, bound, sent].map((id) => [id, 'placed', '0.20']),
      );

      const audited = async () =>
        (await auditLedger(service.service.store, { scope: 'full', from: null, checks: FEE_HOLDS })).findings;
      assert.deepEqual(await audited(), []);
      const folder = await temporaryDirectory();
      await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
      const [document, empty] = [join(folder, 'confirmation.txt'), join(folder, 'empty.txt')];
      await writeFile(document, 'Order accepted. OTHER');
      await writeFile(empty, '');
      await refused(2, /Missing --document <file>/, plain, 'confirmed');
      await refused(1, /is empty/, plain, 'confirmed', '--document', empty);
      await refused(1, /Cannot read/, plain, 'confirmed', '--document', `${empty}.none`);
      await refused(
        1,
        /is placed and cannot become shipped\. Possible now: confirmed, refused, cancelled\./,
        plain,
        'shipped',
      );
      await refused(1, /sent through the API of EXAMPLE-SUPPLY/, programmed, 'refused');
      await refused(1, /No order has the id/, 'ord_0123456789abcdefghjkmnpqrs', 'refused');
      await refused(2, /--help/, plain, 'placed');
      assert.deepEqual(await money(agent), ['9.92', '0.80'], 'what was refused moved nothing');

      await record(sent, 'refused');
      for (const id of [plain, bound]) await record(id, 'confirmed', '--document', document);
      assert.deepEqual(await money(agent), ['9.52', '0.20']);
      const digest = sha256Hex('Order accepted. OTHER');
      const { history: ofPlain } = (await agent.call(`/api/v1/orders/${plain}`)).json as { history: Change[] };
      assert.deepEqual(
        ofPlain.map(({ state, document_sha256 }) => [state, document_sha256]),
        [
          ['quoted', undefined],
          ['placed', undefined],
          ['confirmed', digest],
        ],
      );
      const { at, attestation_id: seal } = ofPlain[2] as Change;
      const lines = (await agent.call(`/api/v1/orders/${plain}`)).json['lines'];
      const facts = {
        order_id: plain,
        from: 'placed',
        to: 'confirmed',
        at,
        lines_sha256: sha256Hex(canonicalJson(lines)),
        document_sha256: digest,
      };
      const { text } = await service.call(`/api/attest/verify/${seal}`);
      assert.ok(text.includes(sha256Hex(canonicalJson(facts))), 'the seal covers the document');

      await record(bound, 'shipped');
      clock.advance(MINUTE_MS);
      await followed({ service, agent }, bound, 'shipped', true);
      await record(bound, 'delivered');
      const delivered = await followed({ service, agent }, bound, 'delivered', true);
      const { verify_ref: ref } = delivered['mandate'] as { verify_ref: string };
      assert.equal((await service.call(`/api/amh/status/${ref}`)).json['state'], 'delivered');
      await record(plain, 'cancelled');
      assert.deepEqual(await audited(), [], 'a fee is on hold exactly while its order is placed');
      assert.deepEqual(await money(agent), ['9.72', '0.20'], 'a fee that was charged is given back');
      const { stdout, stderr } = await run('list');
      assert.deepEqual([stdout, stderr], ['', 'No order waits for word of its supplier.\n']);
      await agent.post(`/api/v1/orders/${programmed}/cancel`, {});
      const addresses = async () =>
        (
          await service.service.store.read(
            "SELECT id FROM supplier_order WHERE channel = 'manual' AND ship_to IS NOT NULL",
          )
        ).length;
      assert.equal(await addresses(), 3);
      clock.advance(90 * DAY_MS + MINUTE_MS);
      await service.heartbeat();
      assert.equal(await addresses(), 0);
    });

    test('an order goes its way: fee held, taken at the confirmation, every state sealed', async () => {
      const agent = await fundedAgent(service);
      const placed = await ordered(agent);
      assert.deepEqual([placed['state'], placed['goods_total_eur'], placed['channel']], ['placed', '20.00', 'adapter']);
      assert.deepEqual(placed['fee'], { pct: 1, fee_eur: '0.20', state: 'held' });
      assert.deepEqual(await money(agent), ['9.98', '0.20']);
      clock.advance(3_000);
      const confirmed = await followed({ service, agent }, placed['order_id'], 'confirmed');
      assert.deepEqual((confirmed['fee'] as { state: string }).state, 'captured');
      assert.deepEqual(await money(agent), ['9.78', '0.00']);
      clock.advance(6_000);
      const delivered = await followed({ service, agent }, placed['order_id'], 'delivered');
      assert.deepEqual(states(delivered), ['quoted', 'placed', 'confirmed', 'shipped', 'delivered']);
      const history = delivered['history'] as { state: string; at: string; attestation_id: string }[];
      for (const [index, { state, at, attestation_id }] of history.entries()) {
        const { json } = await service.call(`/api/attest/verify/${attestation_id}`);
        const facts = {
          order_id: placed['order_id'],
          from: history[index - 1]?.state ?? null,
          to: state,
          at,
          lines_sha256: sha256Hex(canonicalJson(placed['lines'])),
        };
        const text = JSON.stringify(json);
        assert.ok(text.includes(sha256Hex(canonicalJson(facts))), `the seal of ${state} covers what happened`);
        assert.ok(text.includes(sha256Hex(String(placed['order_id']))) && text.includes('"sandbox":true'));
      }
    });

    test('a placed order whose follow-up fails is answered as placed, and followed up later', async () => {
      const agent = await fundedAgent(service);
      const calculation_id = await calculated(agent, 10);
      const body = { calculation_id, supplier: 'EXAMPLE-SUPPLY', ship_to: SHIP_TO };
      const [breaking, mending] = CHANGES_FAIL[engine];
      await tamper(service, breaking);
      const { status, json } = await agent.post('/api/v1/orders', body);
      await tamper(service, mending);
      assert.deepEqual([status, json['state'], states(json)], [201, 'placed', ['quoted', 'placed']]);
      assert.deepEqual(await money(agent), ['9.98', '0.20']);
      await heard(service, clock);
      await followed({ service, agent }, json['order_id'], 'delivered');
    });

    test('a refused order costs nothing, and a cancelled one gives the fee back', async () => {
      const agent = await fundedAgent(service);
      const refused = await ordered(agent, {}, 10, { sku: 'ES-1-REFUSE' });
      const slow = await ordered(agent, {}, 10, { sku: 'ES-1-SLOW' });
      const good = await ordered(agent, {}, 10);
      assert.deepEqual(await money(agent), ['9.94', '0.60']);
      clock.advance(3_000);
      assert.equal((await followed({ service, agent }, refused['order_id'], 'refused'))['state'], 'refused');
      await followed({ service, agent }, good['order_id'], 'confirmed');
      const cancel = async (id: unknown) => agent.post(`/api/v1/orders/${String(id)}/cancel`, {});
      assert.equal((await cancel(slow['order_id'])).json['state'], 'cancelled');
      assert.deepEqual(await money(agent), ['9.74', '0.00']);
      const cancelled = await cancel(good['order_id']);
      assert.deepEqual(
        [cancelled.json['state'], cancelled.json['fee']],
        ['cancelled', { pct: 1, fee_eur: '0.20', state: 'voided' }],
      );
      assert.deepEqual(await money(agent), ['9.94', '0.00']);
      const again = expectProblem(await cancel(good['order_id']), 409, 'transition_invalid');
      assert.deepEqual([again['from'], again['to'], again['allowed']], ['cancelled', 'cancelled', []]);
    });

    test('a mandate is asked before the order, and its outcomes are sealed as a handshake', async () => {
      const agent = await fundedAgent(service);
      const { mandate_id } = await mandate(service, mandateBody(clock.now(), { max_commit_cents: 2_500 }));
      const placed = await ordered(agent, { mandate_id });
      const { verify_ref: ref, ok } = placed['mandate'] as { verify_ref: string; ok: boolean };
      assert.equal(ok, true);
      const status = await service.call(`/api/amh/status/${ref}`);
      assert.deepEqual(
        [status.json['state'], status.json['amount_cents'], status.json['action']],
        ['placed', 2_000, 'order.place'],
      );
      assert.equal(status.json['payload_hash'], `sha256:${sha256Hex(canonicalJson(placed['lines']))}`);
      const calculation_id = await calculated(agent, 4);
      const second = { calculation_id, supplier: 'EXAMPLE-SUPPLY', ship_to: SHIP_TO, mandate_id };
      const denied = expectProblem(await agent.post('/api/v1/orders', second), 403, 'mandate_denied');
      assert.equal(denied['reason'], 'cumulative_cap_exceeded');
      assert.deepEqual(await money(agent), ['9.96', '0.20'], 'what is denied holds nothing');
      clock.advance(9_000);
      const delivered = await followed({ service, agent }, placed['order_id'], 'delivered', true);
      const ended = await service.call(`/api/amh/status/${ref}`);
      assert.equal(ended.json['state'], 'delivered');
      const seals = (ended.json['seals'] as { outcome: string; attestation_id: string }[]).map(
        ({ outcome, attestation_id }) => [outcome, attestation_id],
      );
      const history = delivered['history'] as { state: string; attestation_id: string }[];
      const outcomes = history.filter(({ state }) => !['quoted', 'shipped'].includes(state));
      assert.deepEqual(
        seals,
        outcomes.map(({ state, attestation_id }) => [state, attestation_id]),
      );
    });

    test('a quote ends after a day, addresses are forgotten 90 days after the end', async () => {
      const agent = await fundedAgent(service);
      const quote = await ordered(agent, { mode: 'quote', note: 'ring twice' });
      assert.deepEqual([quote['state'], await money(agent)], ['quoted', ['9.98', '0.00']]);
      const manual = await ordered(agent, { supplier: 'OTHER' }, 3, { supplier: 'OTHER' });
      assert.deepEqual([manual['channel'], manual['state']], ['manual', 'placed']);
      const { store } = service.service;
      const sent = await store.read('SELECT to_email, body FROM mail_outbox');
      const mail = sent.find(({ body }) => String(body).includes(String(manual['order_id'])));
      assert.equal(mail?.['to_email'], 'rfq@sandbox.invalid');
      assert.match(String(mail?.['body']), /3 x ES-1 \(P-1\) at €2\.00 = €6\.00[\s\S]+Secret Lane 1/);
      clock.advance(DAY_MS);
      const late = await agent.post(`/api/v1/orders/${String(quote['order_id'])}/place`, {});
      assert.equal(expectProblem(late, 409, 'transition_invalid')['from'], 'expired');
      const { json } = await agent.call(`/api/v1/orders/${String(manual['order_id'])}`);
      assert.equal(json['state'], 'placed', 'nobody but the supplier confirms');
      await agent.post(`/api/v1/orders/${String(manual['order_id'])}/cancel`, {});
      const letters = await store.read("SELECT to_email, body FROM mail_outbox WHERE subject LIKE '%is cancelled'");
      assert.deepEqual([letters.length, letters[0]?.['to_email']], [1, 'rfq@sandbox.invalid']);
      assert.match(String(letters[0]?.['body']), /has cancelled this order[\s\S]+3 x ES-1 \(P-1\)/);
      assert.doesNotMatch(String(letters[0]?.['body']), /Secret Lane/);
      const addresses = async () =>
        (await store.read('SELECT ship_to FROM supplier_order WHERE ship_to IS NOT NULL')).length;
      assert.ok((await addresses()) >= 2);
      const log = JSON.stringify(await store.read('SELECT * FROM records'));
      assert.ok(!log.includes('Secret Lane') && !JSON.stringify([quote, manual]).includes('Secret Lane'));
      clock.advance(90 * DAY_MS + MINUTE_MS);
      const mails = () => store.read('SELECT id FROM mail_outbox');
      await service.heartbeat();
      assert.deepEqual([await addresses(), await mails()], [0, []]);
    });

    test('of many calls with one key under a mandate one orders, and none is told that the mandate denies it', async () => {
      const agent = await fundedAgent(service);
      const { mandate_id } = await mandate(service, mandateBody(clock.now()));
      const body = {
        calculation_id: await calculated(agent, 5),
        supplier: 'EXAMPLE-SUPPLY',
        ship_to: SHIP_TO,
        mandate_id,
      };
      const create = () => agent.post('/api/v1/orders', body, { 'idempotency-key': 'bound' });
      const answers = await Promise.all(Array.from({ length: 6 }, create));
      const ids = answers.flatMap(({ status, json }) => (status === 201 ? [json['order_id']] : []));
      assert.equal(new Set(ids).size, 1);
      const others = answers.filter(({ status }) => status !== 201);
      for (const answer of others) expectProblem(answer, 409, 'idempotency_in_flight');
      assert.deepEqual((await create()).json['order_id'], ids[0]);
      assert.deepEqual(await money(agent), ['9.98', '0.10']);
      const small = await mandate(service, mandateBody(clock.now(), { max_commit_cents: 1 }));
      const denied = () =>
        agent.post('/api/v1/orders', { ...body, mandate_id: small.mandate_id }, { 'idempotency-key': 'denied' });
      for (let turn = 0; turn < 2; turn += 1) expectProblem(await denied(), 403, 'mandate_denied');
    });

    test('of many who place one quote one does, of many calls with one key one orders', async () => {
      const agent = await fundedAgent(service);
      const quote = await ordered(agent, { mode: 'quote' });
      const many = async (call: () => Promise<Answer>) => {
        const answers = await Promise.all(Array.from({ length: 8 }, call));
        return answers.map(({ status }) => status).toSorted((a, b) => a - b);
      };
      const placing = await many(() => agent.post(`/api/v1/orders/${String(quote['order_id'])}/place`, {}));
      assert.deepEqual(placing, [200, ...new Array<number>(7).fill(409)]);
      const body = { calculation_id: await calculated(agent, 5), supplier: 'EXAMPLE-SUPPLY', ship_to: SHIP_TO };
      const creating = await many(() => agent.post('/api/v1/orders', body, { 'idempotency-key': 'one' }));
      assert.deepEqual(creating, new Array<number>(8).fill(201));
      const { store } = service.service;
      const [{ fees } = {}] = await store.read(
        "SELECT CAST(SUM(fee) AS BIGINT) AS fees FROM supplier_order WHERE state = 'placed' AND agent_id = $1",
        [agent.id],
      );
      assert.deepEqual(
        [Number(fees), await money(agent)],
        [300_000, ['9.96', '0.30']],
        'what is held is what is placed',
      );
    });
  });
}
