import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sha256Hex } from '#kernel/ids.ts';
import { ledger as steps } from '#platform/ledger/steps.ts';
import { ChildService } from '../support/child-service.ts';
import { Client, expectProblem } from '../support/client.ts';
import { runCommand } from '../support/command.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv, TestService } from '../support/service.ts';
import { OWNER, registeredAgent } from '../support/wallet.ts';

test('the operator designates the founder, grants scopes, suspends, unfreezes and audits', async () => {
  await using service = await TestService.start();
  const [first, second] = [await registeredAgent(service), await registeredAgent(service)];
  const run = (...words: string[]) => runCommand(words, serviceEnv(service.dataDir, undefined));
  const done = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(...words);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const refused = async (code: number, why: RegExp, ...words: string[]) => {
    const ran = await run(...words);
    assert.deepEqual([ran.code, why.test(ran.stderr)], [code, true], ran.stderr);
  };
  const view = async (agent: typeof first) => (await agent.call('/api/agents/me')).json;
  const scopesOf = async (agent: typeof first) =>
    ((await view(agent))['keys'] as { scopes: string[] }[]).map(({ scopes }) => scopes.slice(2));

  await refused(1, /Only the founder's keys may have github:write/, 'keys', 'grant', first.keyId, 'github:write');
  await done('keys', 'grant', first.keyId, 'internal:tools');
  await done('agents', 'founder', first.id);
  await done('keys', 'grant', first.keyId, 'github:write');
  assert.deepEqual(
    [await scopesOf(first), (await view(first))['founder']],
    [[['internal:tools', 'github:write']], true],
  );
  await done('agents', 'founder', second.id);
  assert.deepEqual([await scopesOf(first), (await view(first))['founder']], [[['internal:tools']], false]);
  const { text } = await service.call('/api/attest/ledger?limit=10');
  for (const { id } of [first, second]) assert.ok(text.includes(`founder.designated sha256:${sha256Hex(id)}`));
  await refused(1, /No active key/, 'keys', 'grant', 'key_none', 'internal:tools');
  await refused(1, /No agent has the id/, 'agents', 'founder', 'agt_none');
  await refused(2, /--help/, 'agents', 'toString', first.id);
  await refused(2, /--help/, 'keys', 'grant', first.keyId, 'everything');

  await done('agents', 'suspend', first.id);
  expectProblem(await first.post('/api/agents/keys', {}), 403, 'suspended');
  await done('agents', 'resume', first.id);
  assert.equal((await first.post('/api/agents/keys', {})).status, 201);
  await service.service.store.runAll([steps.freeze({ agentId: first.id, frozen: true })]);
  const frozen = async () => (await first.call('/api/agents/wallet')).json['frozen'];
  assert.equal(await frozen(), true);
  await done('agents', 'unfreeze', first.id);
  assert.equal(await frozen(), false);

  await first.fund(1_000);
  assert.match(await done('ledger', 'audit'), /^Ledger ok\. Audited \d+ transactions in [\d.]+ s\.$/m);
  await refused(2, /--help/, 'ledger', 'eat');
  {
    using database = new DatabaseSync(join(service.dataDir, 'avouch.db'));
    assert.throws(() => database.exec('UPDATE ledger_entry SET amount = 2'), /append-only/);
    database.exec("UPDATE ledger_account SET posted = 2000 WHERE id = 'psp:stripe'");
  }
  const broken = await run('ledger', 'audit', '--json');
  const { ok, findings } = JSON.parse(broken.stdout) as { ok: boolean; findings: string[] };
  assert.deepEqual([broken.code, ok, findings.some((one) => one.startsWith('account psp:stripe'))], [1, false, true]);
  await assert.rejects(first.fund(1), /ledger_halted/);
  assert.equal((await first.call('/api/agents/wallet')).json['posted_micro'], 1_000, 'balances can be read');
});

test('agents list shows the newest agents in a table, or as JSON, and says where there are more', async () => {
  await using service = await TestService.start();
  const env = serviceEnv(service.dataDir, undefined);
  const list = (...more: string[]) => runCommand(['agents', 'list', ...more], env);
  assert.deepEqual(await list(), { code: 0, stdout: '', stderr: 'No agents are registered.\n' });
  const [first, second] = [await registeredAgent(service), await registeredAgent(service)];
  assert.equal((await runCommand(['agents', 'founder', first.id], env)).code, 0);
  assert.equal((await runCommand(['agents', 'suspend', second.id], env)).code, 0);
  const { code, stdout, stderr } = await list();
  assert.deepEqual([code, stderr], [0, '']);
  const [header, ...rows] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  assert.deepEqual(header, ['AGENT', 'NAME', 'STATUS', 'OWNER', 'REGISTERED', 'NOTE']);
  const shown = new Map(rows.map(([id, , status, , , note]) => [id, [status, note]]));
  assert.deepEqual(shown.get(first.id), ['active', 'founder']);
  assert.deepEqual(shown.get(second.id), ['suspended', undefined]);
  const one = await list('--limit', '1', '--json');
  const { agents, more } = JSON.parse(one.stdout) as { agents: object[]; more: boolean };
  assert.deepEqual([agents.length, more], [1, true]);
  assert.match(one.stderr, /^\{"note":"Only the newest 1 agents are listed\./);
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
