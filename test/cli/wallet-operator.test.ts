import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sha256Hex } from '#kernel/ids.ts';
import { ledger as steps } from '#platform/ledger/steps.ts';
import { agentsCommand } from '../../src/cli/agents.ts';
import { type Command, UsageError } from '../../src/cli/command.ts';
import { keysCommand } from '../../src/cli/keys.ts';
import { ledgerCommand } from '../../src/cli/ledger.ts';
import { ChildService } from '../support/child-service.ts';
import { Client, expectProblem } from '../support/client.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv, TestService } from '../support/service.ts';
import { OWNER, registeredAgent } from '../support/wallet.ts';

test('the operator designates the founder, grants scopes, suspends, unfreezes and audits', async () => {
  await using service = await TestService.start();
  const [first, second] = [await registeredAgent(service), await registeredAgent(service)];
  let printed = '';
  const write = (text: string) => (printed += text);
  const run = (command: Command, ...args: string[]) => {
    printed = '';
    return command.run(args, { env: serviceEnv(service.dataDir, undefined), out: write, err: write });
  };
  const view = async (agent: typeof first) => (await agent.call('/api/agents/me')).json;
  const scopesOf = async (agent: typeof first) =>
    ((await view(agent))['keys'] as { scopes: string[] }[]).map(({ scopes }) => scopes.slice(2));

  await assert.rejects(run(keysCommand, 'grant', first.keyId, 'github:write'), /only for a key of the founder/);
  assert.equal(await run(keysCommand, 'grant', first.keyId, 'internal:tools'), 0);
  assert.equal(await run(agentsCommand, 'founder', first.id), 0);
  assert.equal(await run(keysCommand, 'grant', first.keyId, 'github:write'), 0);
  assert.deepEqual(
    [await scopesOf(first), (await view(first))['founder']],
    [[['internal:tools', 'github:write']], true],
  );
  assert.equal(await run(agentsCommand, 'founder', second.id), 0);
  assert.deepEqual([await scopesOf(first), (await view(first))['founder']], [[['internal:tools']], false]);
  const { text } = await service.call('/api/attest/ledger?limit=10');
  for (const { id } of [first, second]) assert.ok(text.includes(`founder.designated sha256:${sha256Hex(id)}`));
  await assert.rejects(run(keysCommand, 'grant', 'key_none', 'internal:tools'), /no live key/);
  await assert.rejects(run(agentsCommand, 'founder', 'agt_none'), /no agent/);
  await assert.rejects(run(agentsCommand, 'toString', first.id), UsageError);
  await assert.rejects(run(keysCommand, 'grant', first.keyId, 'everything'), UsageError);

  await run(agentsCommand, 'suspend', first.id);
  expectProblem(await first.post('/api/agents/keys', {}), 403, 'suspended');
  await run(agentsCommand, 'resume', first.id);
  assert.equal((await first.post('/api/agents/keys', {})).status, 201);
  await service.service.store.runAll([steps.freeze({ agentId: first.id, frozen: true })]);
  const frozen = async () => (await first.call('/api/agents/wallet')).json['frozen'];
  assert.equal(await frozen(), true);
  await run(agentsCommand, 'unfreeze', first.id);
  assert.equal(await frozen(), false);

  await first.fund(1_000);
  assert.deepEqual([await run(ledgerCommand, 'audit'), /ledger ok/.test(printed)], [0, true]);
  await assert.rejects(run(ledgerCommand, 'eat'), UsageError);
  {
    using database = new DatabaseSync(join(service.dataDir, 'avouch.db'));
    assert.throws(() => database.exec('UPDATE ledger_entry SET amount = 2'), /append-only/);
    database.exec("UPDATE ledger_account SET posted = 2000 WHERE id = 'psp:stripe'");
  }
  assert.deepEqual([await run(ledgerCommand, 'audit'), /account psp:stripe holds 2000/.test(printed)], [1, true]);
  await assert.rejects(first.fund(1), /ledger_halted/);
  assert.equal((await first.call('/api/agents/wallet')).json['posted_micro'], 1_000, 'balances can be read');
});

test('no file and no log line holds an agent key or an Idempotency-Key', async () => {
  const dataDir = await temporaryDirectory();
  const child = await ChildService.start(serviceEnv(dataDir, undefined, { AVOUCH_LOG_LEVEL: 'debug' }));
  const client = new Client();
  try {
    const idempotencyKey = 'quillon-secret-77-zephyr';
    const post = (path: string, body: Record<string, unknown>, headers: Record<string, string>) =>
      client.call(child.url, path, { method: 'POST', body, headers });
    const { json } = await post('/api/agents/register', OWNER, { 'idempotency-key': idempotencyKey });
    const key = String(json['agent_key']);
    const second = await post('/api/agents/keys', {}, { 'x-agent-key': key });
    await client.call(child.url, '/api/agents/wallet', { headers: { 'x-agent-key': key } });
    await client.call(child.url, `/api/agents/wallet?agent_key=${key}`);
    await post('/api/agents/register', { ...OWNER, [key]: key }, {});
    assert.equal(await child.end('SIGTERM'), 0);
    const texts = [child.output.stdout, child.output.stderr].map((text) => Buffer.from(text));
    const kept = [...texts, ...filesBelow(dataDir).map((file) => readFileSync(file))];
    assert.ok(
      kept.some((bytes) => bytes.includes(OWNER.owner_email)),
      'the search finds what is kept',
    );
    for (const secret of [key.slice(4), String(second.json['agent_key']).slice(4), idempotencyKey]) {
      assert.ok(secret.length > 20 && kept.every((bytes) => !bytes.includes(secret.slice(0, 40))), 'a secret was kept');
    }
  } finally {
    client.close();
    await child.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
});

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
}
