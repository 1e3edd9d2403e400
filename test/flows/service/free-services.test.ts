// An installation of free services offers less, and says so everywhere.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pagePathOf, type Services } from '#kernel/operation.ts';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { OFFERS, OPERATIONS, PUBLIC_TOOLS } from '../../../src/areas.ts';
import { startService } from '../../../src/service.ts';
import { type Answer, type CallOptions, Client, expectProblem } from '../../support/client.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { sharedService } from '../../support/shared-service.ts';

const { leftOut, table, publicTools } = OFFERS.free;
const OFF = new Set(leftOut);

/** Production with the settings that an operator of free services must give, and no other. */
async function startFree() {
  const dir = await temporaryDirectory();
  const file = (name: string) => {
    const path = join(dir, name);
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
    return path;
  };
  const config = readConfig({
    AVOUCH_PROFILE: 'production',
    AVOUCH_SERVICES: 'free',
    BASE_URL: 'https://free.example',
    AVOUCH_OPERATOR_NAME: 'Example BV',
    AVOUCH_OPERATOR_CONTACT: 'mailto:ops@free.example',
    AVOUCH_KEY_PASSPHRASE_FILE: file('passphrase'),
    AVOUCH_SERVER_SECRET_FILE: file('server-secret'),
    PORT: '0',
    DATA_DIR: join(dir, 'data'),
    AVOUCH_LOG_LEVEL: 'silent',
    AVOUCH_GITHUB_BASE_URL: 'off',
    AVOUCH_GITLAB_BASE_URL: 'off',
  });
  const service = await startService({ config, secrets: readSecrets(config), opensSettlement: true, sealsRules: true });
  const client = new Client();
  return {
    call: (path: string, options?: CallOptions) => client.call(service.listening, path, options),
    async [Symbol.asyncDispose]() {
      client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

let started: ReturnType<typeof startFree> | undefined;
const free = async () => (started ??= startFree());
after(async () => (await started)?.[Symbol.asyncDispose]());

/** The address of a row with something in place of its fields. */
function addressOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, 'x');
}

const FORMS: Readonly<Record<Services, () => Promise<{ call(path: string, options?: CallOptions): Promise<Answer> }>>> =
  {
    all: sharedService,
    free,
  };

for (const services of ['all', 'free'] as const) {
  test(`services ${services}: every operation answers, or says that it is not offered`, async () => {
    const service = await FORMS[services]();
    for (const row of OPERATIONS.filter(({ streams }) => streams === undefined)) {
      const { operationId, path, method, sandboxOnly } = row;
      for (const address of new Set([path, pagePathOf(row)])) {
        const answer = await service.call(addressOf(address), {
          method: method.toUpperCase(),
          ...(method === 'post' && { body: {} }),
        });
        const isOff = services === 'free' && OFF.has(row);
        if (isOff && sandboxOnly) expectProblem(answer, 404, 'not_found');
        else if (isOff) expectProblem(answer, 404, 'not_offered');
        else
          assert.ok(
            answer.status !== 404 || !['not_offered', 'not_found'].includes(String(answer.json['code'])),
            operationId,
          );
      }
    }
  });
}

test('services free: leaves out what costs money, and keeps coordination, proof, checks of one spend and mandates', () => {
  const kept = new Set(table.operations.map(({ operationId }) => operationId));
  for (const id of ['look', 'claim', 'release', 'mark', 'fence', 'watch', 'board', 'brief', 'check', 'budget_preview'])
    assert.ok(kept.has(id), id);
  for (const id of ['attest_seal', 'attest_verify', 'log_head', 'amh_verify', 'receipt_verify'])
    assert.ok(kept.has(id), id);
  const tags = new Set(table.operations.map(({ tag }) => tag));
  for (const tag of [
    'verdicts',
    'wallet',
    'tasks',
    'capabilities',
    'orders',
    'cabinet',
    'data',
    'bounties',
    'sandbox',
  ]) {
    assert.ok(!tags.has(tag), tag);
  }
  assert.ok(table.operations.every(({ price, walletPrice }) => price === null && walletPrice === undefined));
});

test('services free: no document names a call that is off', async () => {
  const service = await free();
  const { json } = await service.call('/openapi.json');
  const paths = Object.keys(json['paths'] as object);
  const onPaths = new Set(table.operations.map(({ path }) => path));
  assert.deepEqual(
    paths.filter((path) => !onPaths.has(path)),
    [],
  );
  const values = JSON.stringify(json);
  const named = leftOut.map(({ operationId }) => operationId).filter((id) => values.includes(`"${id}"`));
  // A member of what an agent says of its own budget.
  assert.deepEqual(named, ['counterparty_check']);
  const documents = [
    '/entry',
    '/entry/full',
    '/agent-discovery/onboarding',
    '/coordination/manifest',
    '/economy/manifest',
  ];
  for (const path of [
    ...documents,
    '/llms.txt',
    '/.well-known/ai-plugin.json',
    '/mcp/tools.json',
    '/api/v1/health',
    '/protocols',
  ]) {
    const { status, text } = await service.call(path);
    assert.equal(status, 200, path);
    for (const { path: off } of leftOut) {
      assert.ok(
        !text.includes(`"${off}"`) && !text.includes(`example${off}"`) && !text.includes(`example${off})`),
        `${path} names ${off}`,
      );
    }
    assert.doesNotMatch(text, /pay_to|\/mcp\/paid/, path);
  }
});

test('services free: no text promises what is off, and previews name no paid call', async () => {
  const service = await free();
  const texts = ['/entry', '/entry/full', '/api/strategy/pillars', '/product/coordination', '/?format=json'];
  for (const path of [...texts, '/docs/coordination.md', '/docs/checks.md']) {
    const { status, text } = await service.call(path);
    assert.equal(status, 200, path);
    assert.doesNotMatch(text, /bount(?:y|ies)\b|paid per call|paid verdicts|test money/i, path);
    for (const { path: off } of leftOut) {
      const isNamed = new RegExp(`${RegExp.escape(off)}(?![\\w/{-])`).test(text);
      assert.ok(off === '/' || !isNamed, `${path} names ${off}`);
    }
  }
  for (const path of ['/v1/budget/preview?budget_period_usd=5', '/v1/coordination/preview'])
    assert.equal((await service.call(path)).json['full'], null, path);
});

test('services free: an issue tracker that is switched off is not read, which a look says', async () => {
  const service = await free();
  const { reasons } = (await service.call('/v1/look?key=acme/repo%231')).json as { reasons: { text: string }[] };
  assert.match(reasons[0]?.text ?? '', /does not check this work at its issue tracker/);
});

test('services free: MCP lists only tools of what is offered, and has no paid tools', async () => {
  const service = await free();
  const host = { host: 'free.example' };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const headers = { ...host, accept: 'application/json, text/event-stream' };
  const { json } = await service.call('/mcp/streamable', { method: 'POST', headers, body: list });
  const tools = (json['result'] as { tools: { name: string }[] }).tools.map(({ name }) => name);
  assert.deepEqual(
    tools,
    publicTools.map(({ name }) => name),
  );
  assert.deepEqual(tools, ['verify_astranl']);
  assert.equal(PUBLIC_TOOLS.length, 20);
  expectProblem(await service.call('/mcp/paid', { method: 'POST', headers, body: list }), 404, 'not_offered');
});

test('services free: health and status count only what is on', async () => {
  const service = await free();
  assert.equal((await service.call('/api/v1/health')).json['status'], 'ok');
  const { json } = await service.call('/system/status');
  const ids = (json['components'] as { id: string }[]).map(({ id }) => id);
  assert.deepEqual(ids, ['http', 'storage', 'signer', 'log', 'audit_trail', 'witnesses', 'mcp', 'search']);
  assert.deepEqual([json['registers'], json['datasets']], [[], []]);
});

test('services free: no page links to what is off', async () => {
  const service = await free();
  const html = { accept: 'text/html' };
  const seen = new Set<string>();
  const waiting = ['/'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const page = await service.call(path, { headers: html });
    assert.ok(
      page.status < 500 && !(page.status === 404 && /not_(?:offered|found)/.test(page.text)),
      `${path}: ${page.status}`,
    );
    for (const [, to = ''] of page.text.matchAll(/(?:href|action)="(\/[^"#?]*)/g)) {
      if (seen.has(to) || /^\/(?:assets|problems|docs\/api|log|board|mcp|v1|protocols)\/|\/stream$|\.md$|[{]/.test(to))
        continue;
      seen.add(to);
      waiting.push(to);
    }
  }
  for (const path of ['/docs', '/docs/coordination', '/product/proof', '/playground', '/system/status'])
    assert.ok(seen.has(path), path);
  for (const path of ['/pricing', '/start', '/dashboard', '/product/wallet', '/docs/wallet'])
    assert.ok(!seen.has(path), path);
});

test('services free: a lease, a seal and a spend check work as everywhere', async () => {
  const service = await free();
  const claim = await service.call('/v1/claim', {
    method: 'POST',
    body: { key: 'free/1', agent: 'a7', mode: 'exclusive' },
  });
  assert.equal(claim.status, 200, claim.text);
  const body = { schema_id: 'record.integrity.v1', claim: { statement: 'delivered' } };
  const seal = await service.call('/api/attest/seal', { method: 'POST', body });
  assert.equal(seal.json['verdict'], 'ACCEPT', seal.text);
  assert.equal((await service.call('/v1/check?amount_usd=5')).status, 200);
  expectProblem(await service.call('/playground?operation=eu_vat_check'), 400, 'invalid_parameters');
});

test('services free: the page and the entry about MCP tell of the eight tools that are on, and of nothing to pay', async () => {
  const service = await free();
  const product = await service.call('/product/mcp');
  assert.match(product.text, /"8 tools are free\. /);
  assert.doesNotMatch(product.text, /\/mcp\/paid|construction|Dutch company|create one|paid tools/i);
  const { is } = (await service.call('/entry')).json as { is: string[] };
  assert.match(is.join(' '), /MCP: 8 tools for any MCP host: coordination, seals and mandates\./);
});
