import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Evidence } from '#areas/tasks/fields.ts';
import type { TaskId } from '#areas/tasks/task.ts';
import { taskUnit } from '#areas/tasks/unit.ts';
import { ManualClock, MINUTE_MS } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { type TestService } from '../../support/service.ts';
import { made, post, shown, taskService } from '../../support/tasks.ts';
import { type RegisteredAgent, registeredAgent, suspend } from '../../support/wallet.ts';

const CENT = 10_000;
const from = (address: string) => ({ 'x-forwarded-for': address });
const byReceipt = ({ receipt_key }: { receipt_key?: string | null | undefined }) => ({
  'x-receipt-key': String(receipt_key),
});

/** Needs for what is sold, and where. */
const SOLD: readonly (readonly [need: string, path: string])[] = [
  ['Check VAT number NL999900018B01', '/v1/eu-vat-check?vat_number=NL999900018B01'],
  ['Is kvk 90000001 insolvent?', '/v1/counterparty-check?kvk_number=90000001'],
  ['Screen ACME Trading against EU sanctions', '/v1/sanctions-screen?name=ACME+Trading'],
  ['kenteken XX-999-X apk?', '/v1/nl-vehicle-check?kenteken=XX-999-X'],
  ['should I pay this 40 dollar invoice?', '/v1/spend-fuse?amount_usd=40'],
];

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`tasks on ${engine}`, { skip }, () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 1));
    let service: TestService;
    let agent: RegisteredAgent;
    const available = async () => Number((await agent.call('/api/agents/wallet')).json['available_micro']);
    const asAgent = (body: Record<string, unknown>) =>
      made(service, { ...body, agent_id: agent.id }, { 'x-agent-key': agent.key });

    before(async () => {
      service = await taskService({ engine, clock, env: { AVOUCH_TRUSTED_PROXIES: '127.0.0.1' } });
      agent = await registeredAgent(service);
    });
    after(() => service[Symbol.asyncDispose]());

    test('a hundred calls of /do from one address run three tasks, in parallel or in a row', async () => {
      const need = { agent_id: 'anonymous', need: 'open bounties' };
      const ask = () => post(service, '/do', need, from('198.51.100.1'));
      const answers = await Promise.all(Array.from({ length: 100 }, ask));
      for (let turn = 0; turn < 6; turn += 1) answers.push(await ask());
      const statuses = new Set(answers.map(({ status }) => status));
      assert.deepEqual(statuses.difference(new Set([201, 401, 429])), new Set());
      const ran = answers.filter(({ status }) => status === 201);
      assert.deepEqual([ran.length, shown(ran[0] as (typeof ran)[number]).state], [3, 'completed']);
      assert.equal(answers.at(-1)?.json['code'], 'free_tries_used');
      const rows = await service.service.store.read('SELECT used FROM task_try');
      assert.deepEqual(
        rows.map(({ used }) => used),
        [3],
      );
    });

    test('a net of IPv6 is one caller', async () => {
      const left = async (address: string) =>
        (await made(service, { need: 'bounties' }, from(address), '/do')).free_tries_left;
      assert.deepEqual(
        [await left('2001:db8::1'), await left('2001:db8::2'), await left('2001:db8:0:1::1')],
        [2, 1, 2],
      );
    });

    test('an anonymous caller is told where a verdict is sold and never gets one, on either door', async () => {
      for (const [index, [need, path]] of SOLD.entries()) {
        for (const door of ['/do', '/api/tasks']) {
          const task = await made(service, { need }, from(`198.51.101.${index}`), door);
          assert.deepEqual(
            [task.state, task.result, task.payment?.x402_url],
            ['payment_required', null, service.url + path],
          );
          assert.deepEqual(
            [task.free_tries_left, task.payment?.wallet],
            [door === '/do' ? 3 : null, '/api/agents/register'],
          );
          const again = await post(
            service,
            `/api/tasks/${task.task_id}/accept`,
            {},
            { 'x-receipt-key': task.receipt_key as string },
          );
          assert.equal(shown(again).state, 'payment_required');
        }
      }
      const sealed = await made(service, { need: 'seal this', inputs: { statement: 'x' } }, from('198.51.101.9'));
      assert.deepEqual(
        [sealed.state, sealed.payment?.x402_url, sealed.quote?.price_eur],
        ['payment_required', null, '0.25'],
      );
    });

    test('what is no id of a seal is asked for again', async () => {
      const body = { need: 'verify this seal', inputs: { attestation_id: 'ATT-\0' } };
      const asking = await made(service, body, from('198.51.105.1'));
      assert.deepEqual([asking.state, asking.questions.map(({ id }) => id)], ['input_required', ['attestation_id']]);
    });

    test('a wallet pays for a verdict once there is money, and the evidence is sealed and checkable', async () => {
      const poor = await asAgent({ need: 'Check VAT number NL999900018B01' });
      assert.deepEqual(
        [poor.state, poor.error?.code, poor.payment?.wallet],
        ['payment_required', 'insufficient_funds', '/api/agents/wallet/topup'],
      );
      await agent.fund(100 * CENT);
      const paid = shown(await agent.post(`/api/tasks/${poor.task_id}/accept`, {}));
      assert.deepEqual(
        [paid.state, paid.error, (paid.result as { result: { valid: boolean } }).result.valid],
        ['completed', null, true],
      );
      assert.equal(await available(), 99 * CENT);
      assert.equal((paid.receipt as { charge: { charged_eur: string } }).charge.charged_eur, '0.01');
      const { json: verified } = await post(service, '/v1/receipts/verify', { answer: paid });
      assert.equal(verified['valid'], true, JSON.stringify(verified));
      const evidence = Evidence.parse((await service.call(`/api/tasks/${paid.task_id}/evidence`)).json);
      assert.deepEqual(
        [evidence.chain_ok, evidence.root, evidence.attestation_id],
        [true, paid.evidence_root, paid.attestation_id],
      );
      const { json: seal } = await service.call(`/api/attest/verify/${paid.attestation_id}`);
      const claim = seal['claim'] as Record<string, string>;
      assert.deepEqual(
        [seal['valid'], claim['evidence'], claim['from_state'], claim['to_state']],
        [true, evidence.root, 'working', 'completed'],
      );
      assert.equal(claim['case_id'], evidence.steps[0]?.prev);
    });

    test('a quote waits for its acceptance and expires; above max_eur the task asks first', async () => {
      const fundsBefore = await available();
      const quoted = await asAgent({ need: 'Check VAT number NL999900018B01', mode: 'quote' });
      assert.deepEqual([quoted.state, quoted.quote?.price_eur], ['quoted', '0.01']);
      assert.equal(shown(await agent.post(`/api/tasks/${quoted.task_id}/accept`, {})).state, 'completed');
      const dear = await asAgent({ need: 'Is kvk 90000001 insolvent?', max_eur: '0.01' });
      assert.deepEqual([dear.state, dear.quote?.price_eur], ['quoted', '0.02775']);
      clock.advance(15 * MINUTE_MS);
      const late = await agent.post(`/api/tasks/${dear.task_id}/accept`, {});
      assert.deepEqual([late.json['code'], late.json['from']], ['transition_invalid', 'expired']);
      assert.equal(await available(), fundsBefore - CENT);
    });

    test('a seal is paid from the wallet, what is missing is asked for, and a repeat makes one task', async () => {
      const fundsBefore = await available();
      const body = { need: 'notarise this', idempotency_key: 'seal-1' };
      const asking = await asAgent(body);
      assert.deepEqual([asking.state, asking.questions.map(({ id }) => id)], ['input_required', ['statement']]);
      const again = await asAgent(body);
      assert.deepEqual([again.task_id, again.receipt_key], [asking.task_id, asking.receipt_key]);
      const answer = await agent.post(`/api/tasks/${asking.task_id}/input`, { inputs: { statement: 'so it was' } });
      const done = shown(answer);
      assert.deepEqual([done.state, done.result?.['verdict']], ['completed', 'ACCEPT'], answer.text);
      const seen = async (headers: Record<string, string>) =>
        (await service.call(`/api/tasks/${done.task_id}`, { headers })).json['charged_eur'];
      assert.deepEqual(
        [asking.charged_eur, done.charged_eur, await seen({ 'x-agent-key': agent.key }), await seen({})],
        [null, '0.25', '0.25', null],
      );
      assert.equal(await available(), fundsBefore - 25 * CENT);
    });

    test('a bill of materials costs what it was quoted at, and nothing where no part of it could be priced', async () => {
      const fundsBefore = await available();
      const priced = async (more: object) => {
        const bom = { root: 'P', parts: [{ id: 'P', mpn: 'NOBODY-HAS-IT', ...more }] };
        const done = await asAgent({ need: 'cost my PCB bill of materials', inputs: { bom, quantity: 1 } });
        const { coverage } = done.result as { coverage: { priced: number } };
        return [done.state, done.quote?.price_eur, done.charged_eur, coverage.priced];
      };
      assert.deepEqual(await priced({}), ['completed', '0.02', '0.00', 0]);
      assert.equal(await available(), fundsBefore);
      const offers = [{ supplier: 'EXAMPLE-SUPPLY', breaks: [[1, '2.00']] }];
      assert.deepEqual(await priced({ offers }), ['completed', '0.02', '0.02', 1]);
      assert.equal(await available(), fundsBefore - 2 * CENT);
    });

    test('an input that the route does not know is passed over, whatever its name', async () => {
      for (const name of ['colour', 'constructor', 'toString']) {
        const { state } = await asAgent({ need: 'open bounties', inputs: { [name]: 'red' } });
        assert.equal(state, 'completed', name);
      }
    });

    test('a part number that no database keeps is asked for again', async () => {
      for (const mpn of ['A\u0000B', 7]) {
        const task = await asAgent({ need: 'stock for mpn STM32F407VGT6', inputs: { mpn } });
        assert.deepEqual([task.state, task.questions.map(({ id }) => id)], ['input_required', ['mpn']]);
      }
    });

    test('an embedded capability runs free, one that needs a model is paid for, and what is missing is asked for', async () => {
      const home = from('198.51.104.1');
      const inputs = { text: 'Mail jan.jansen@example.org about the invoice.' };
      const free = await made(service, { need: 'redact names from this text (GDPR)', inputs }, home);
      assert.equal(free.state, 'completed', JSON.stringify(free));
      assert.doesNotMatch(JSON.stringify(free.result), /jan\.jansen@/);
      const asking = await made(service, { need: 'summarise it' }, home);
      assert.deepEqual([asking.state, asking.questions[0]?.id], ['input_required', 'text']);
      const translate = { need: 'vertaal deze tekst', inputs: { text: 'Goedemorgen', to: 'en' } };
      assert.equal((await made(service, translate, home)).state, 'payment_required');
      const fundsBefore = await available();
      const paid = await asAgent(translate);
      assert.equal(paid.state, 'completed', JSON.stringify(paid));
      assert.equal(await available(), fundsBefore - CENT);
      const { json } = await agent.call('/api/agents/wallet/ledger?limit=1');
      assert.deepEqual(
        (json['items'] as { kind: string; ref: string }[]).map(({ kind, ref }) => [kind, ref]),
        [['task', paid.task_id]],
      );
    });

    test('a receipt key lets nobody spend for an agent that the operator suspended, only let go', async () => {
      const owner = await registeredAgent(service);
      await owner.fund(100 * CENT);
      const need = { need: 'seal this', inputs: { statement: 'x' }, mode: 'quote', agent_id: owner.id };
      const quoted = await made(service, need, { 'x-agent-key': owner.key });
      await suspend(service, owner.id);
      const send = (what: string) => post(service, `/api/tasks/${quoted.task_id}/${what}`, {}, byReceipt(quoted));
      expectProblem(await send('accept'), 403, 'suspended');
      expectProblem(await send('input'), 403, 'suspended');
      assert.equal(shown(await send('cancel')).state, 'canceled');
    });

    test('a task that another process works on is not accepted a second time', async () => {
      const quoted = await asAgent({ need: 'seal this', inputs: { statement: 'x' }, mode: 'quote' });
      const id = quoted.task_id as TaskId;
      const patch = { runBy: 'another process' };
      const begun = { type: 'advance', id, by: null, to: ['working'], steps: [], patch, seal: null } as const;
      assert.equal((await service.service.store.run(taskUnit, begun)).type, 'done');
      const body = expectProblem(await agent.post(`/api/tasks/${id}/accept`, {}), 409, 'transition_invalid');
      assert.deepEqual([body['from'], body['to']], ['working', 'working']);
    });

    test('the inputs of a task are bounded together, and so are its answers', async () => {
      const asking = await made(service, { need: 'something that no route knows' }, from('198.51.105.1'));
      const answer = (inputs: object) =>
        post(service, `/api/tasks/${asking.task_id}/input`, { inputs }, byReceipt(asking));
      const long = 'x'.repeat(140_000);
      assert.equal(shown(await answer({ first: long })).state, 'input_required');
      const { errors } = expectProblem(await answer({ second: long }), 400, 'invalid_parameters');
      assert.deepEqual(errors, [
        {
          pointer: '#/inputs',
          code: 'too_long',
          detail: 'All inputs of a task together may have 262144 bytes as JSON. Send shorter ones.',
        },
      ]);
      for (let n = 1; n < 100; n += 1) assert.equal((await answer({ first: '' })).status, 200);
      const refused = expectProblem(await answer({ first: '' }), 409, 'transition_invalid');
      assert.deepEqual(refused['allowed'], ['canceled']);
    });

    if (engine === 'sqlite') {
      test('an altered output is found by whoever asks for the evidence', async () => {
        const task = await made(service, { need: 'open bounties' }, from('198.51.102.1'));
        const database = new DatabaseSync(join(service.dataDir, 'avouch.db'));
        database.exec(
          `UPDATE task_step SET output = replace(output, 'github', 'gitlab') WHERE task_id = '${task.task_id}'`,
        );
        database.close();
        const { json } = await service.call(`/api/tasks/${task.task_id}/evidence`);
        assert.equal(json['chain_ok'], false);
      });
    }

    test('no receipt key and no agent key is stored', async () => {
      const task = await made(service, { need: 'open bounties' }, from('198.51.103.1'));
      const rows = await service.service.store.read('SELECT body FROM task');
      const text = JSON.stringify(rows);
      assert.ok(!text.includes(task.receipt_key as string) && !text.includes(agent.key));
    });
  });
}
