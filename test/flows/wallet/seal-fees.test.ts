// Whose fee a seal is: the agent's whose key was sent, nobody's, or paid from a wallet.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Seal } from '#areas/attestation/seal-answer.ts';
import { executeCapability } from '#areas/capabilities/operations.ts';
import { newApiKey, newCommandId } from '#kernel/ids.ts';
import { expectProblem } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';
import { shown } from '../../support/tasks.ts';
import { type RegisteredAgent, registeredAgent, suspend } from '../../support/wallet.ts';

const SEAL = '/api/attest/seal';
const BODY = { schema_id: 'record.integrity.v1', claim: { statement: 'delivered' } };
const PAGE = 'https://shop.example.com/terms';

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`fees of seals on ${engine}`, { skip }, () => {
    let service: TestService;
    let agent: RegisteredAgent;
    before(async () => {
      service = await TestService.start({ engine });
      agent = await registeredAgent(service);
      await agent.fund(10_000_000);
    });
    after(() => service[Symbol.asyncDispose]());

    /** Owner, fee and status of the invoice line of an entry. */
    const lineOf = async (attestationId: unknown) => {
      const sql = 'SELECT owner, fee_eurocents, fee_status FROM seal_fee WHERE attestation_id = $1';
      const rows = await service.service.store.read(sql, [String(attestationId)]);
      return rows.map((row) => [row['owner'], row['fee_eurocents'], row['fee_status']]);
    };
    const balance = async () => Number((await agent.call('/api/agents/wallet')).json['available_micro']);
    const sealAs = async (headers: Record<string, string>) => {
      const answer = await service.call(SEAL, { method: 'POST', body: BODY, headers });
      return { ...Seal.parse(answer.json), status: answer.status };
    };

    test('the agent whose key is sent is invoiced; without a key nobody is', async () => {
      const held = await balance();
      for (const headers of [{ 'x-agent-key': agent.key }, { authorization: `Bearer ${agent.key}` }]) {
        const sealed = await sealAs(headers);
        assert.deepEqual([sealed.fee.fee_status, sealed.fee.platform_fee_eurocents], ['invoiced_separately', '0.25']);
        assert.deepEqual(await lineOf(sealed.attestation_id), [[agent.id, 25, 'invoiced_separately']]);
      }
      const { attestation_id: id } = await sealAs({});
      assert.deepEqual(await lineOf(id), [['anonymous', 25, 'invoiced_separately']]);
      assert.equal(await balance(), held, 'an invoice is not a charge');
    });

    test('an Idempotency-Key is its caller\u2019s alone', async () => {
      const key = newCommandId();
      const own = { 'x-agent-key': agent.key, 'idempotency-key': key };
      const first = await sealAs(own);
      const again = await sealAs(own);
      assert.deepEqual([again.status, again.attestation_id], [200, first.attestation_id]);
      const other = await sealAs({ 'idempotency-key': key });
      assert.deepEqual([other.status, other.replayed], [201, false]);
      assert.notEqual(other.attestation_id, first.attestation_id);
    });

    test('a bad key seals nothing', async () => {
      const call = (key: string) => service.call(SEAL, { method: 'POST', body: BODY, headers: { 'x-agent-key': key } });
      expectProblem(await call('agk_x'), 401, 'key_malformed');
      expectProblem(await call(newApiKey('agk_')), 401, 'key_invalid');
      const other = await registeredAgent(service);
      await suspend(service, other.id);
      expectProblem(await call(other.key), 403, 'suspended');
    });

    test('what a capability seals is paid by the wallet that is charged for it', async () => {
      const charged = async (input: object) => {
        const { json, text } = await agent.post('/capabilities/execute', { capability: 'web.fetch_seal', input });
        assert.ok('price' in json, text);
        return executeCapability.output.parse(json);
      };
      const { output, price } = await charged({ url: PAGE });
      assert.equal(price.seal_fee_eur, '0.25');
      assert.deepEqual(await lineOf(output?.['attestation_id']), [[agent.id, 25, 'paid']]);
      const lines = () => service.service.store.read('SELECT attestation_id FROM seal_fee');
      const kept = await lines();
      await charged({ url: PAGE, seal: false });
      assert.deepEqual(await lines(), kept);
    });

    test('what a task seals is paid when the task is', async () => {
      const made = async (body: Record<string, unknown>) =>
        shown(await agent.post('/api/tasks', { agent_id: agent.id, max_eur: '1.00', ...body }));
      const inputs = { statement: 'seven boxes' };
      const quoted = await made({ need: 'seal this statement', inputs, mode: 'quote' });
      assert.equal(quoted.state, 'quoted');
      const held = await balance();
      const done = await made({ need: 'seal this statement', inputs });
      assert.equal(done.state, 'completed', JSON.stringify(done));
      const sealed = Seal.parse(done.result);
      const { fee_status, platform_fee_pct, platform_fee_eurocents } = sealed.fee;
      assert.deepEqual([fee_status, platform_fee_pct, platform_fee_eurocents], ['paid', 0, '0']);
      assert.equal(held - (await balance()), 250_000);
      assert.deepEqual(await lineOf(sealed.attestation_id), [[agent.id, 25, 'paid']]);
      const fetched = await made({ need: `fetch and hash ${PAGE}`, inputs: {} });
      assert.equal(fetched.state, 'completed', JSON.stringify(fetched));
      const result = fetched.result as Record<string, unknown>;
      assert.deepEqual(await lineOf(result['attestation_id']), [[agent.id, 25, 'paid']]);
    });

    test('a statement that is refused costs nothing', async () => {
      const held = await balance();
      const inputs = { statement: 'x'.repeat(4_001) };
      const body = { agent_id: agent.id, need: 'seal this statement', inputs, max_eur: '1.00' };
      const { state, result } = shown(await agent.post('/api/tasks', body));
      const sealed = Seal.parse(result);
      assert.deepEqual([state, sealed.verdict, sealed.fee.fee_status], ['completed', 'REJECT', 'not_applicable']);
      assert.deepEqual(await lineOf(sealed.attestation_id), []);
      assert.equal(await balance(), held);
    });
  });
}
