// The coordination tools over HTTP: a host's token takes the place of a memory, and no model is shown one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { newToken } from '#kernel/ids.ts';
import { ask, callTool, ERAS } from '../../support/mcp.ts';
import { mandate, mandateBody, registered } from '../../support/mandates.ts';
import { TestService } from '../../support/service.ts';

const clock = new ManualClock();
let service: TestService;
before(async () => {
  service = await TestService.start({ clock });
});
after(() => service[Symbol.asyncDispose]());

const PATH = '/mcp/coordination';

/** One host: its calls carry its headers, and what a model reads of an answer is kept. */
class Host {
  readonly headers: Record<string, string>;
  read = '';

  constructor(headers: Record<string, string> = { 'x-crossing-token': newToken() }) {
    this.headers = headers;
  }

  async use(name: string, args: object): Promise<Record<string, unknown>> {
    const answer = await callTool(service, name, args, { path: PATH, headers: this.headers });
    const { structuredContent = {}, content, isError } = answer;
    assert.deepEqual(JSON.parse(String(content[0]?.text)), structuredContent);
    assert.equal(isError, 'refused' in structuredContent ? true : undefined);
    this.read += JSON.stringify({ content, structuredContent });
    return structuredContent;
  }
}

test('both eras list the seven tools with what a model is told of them', async () => {
  for (const era of ERAS) {
    const { rpc } = await ask(service, era, 'tools/list', {}, { path: PATH });
    assert.equal((rpc.result?.['tools'] as unknown[] | undefined)?.length, 7);
  }
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  const { rpc } = await ask(service, 'legacy', 'initialize', hello, { path: PATH });
  assert.match(String(rpc.result?.['instructions']), /^Coordination with other agents/);
});

test('a host finds its own lease behind a crowd of others', async () => {
  const key = 'acme/http-tools#crowd';
  const others = Array.from({ length: 127 }, (_, n) => `crowd-${n}`);
  await Promise.all(
    others.map((agent) => service.call('/v1/claim', { method: 'POST', body: { key, agent, ttl: 60 } })),
  );
  const mine = new Host();
  await mine.use('avouch_claim', { key, mode: 'shared', ttl: 60 });
  assert.equal((await mine.use('avouch_claim', { key, mode: 'shared', ttl: 60 }))['again'], true);
  assert.equal((await mine.use('avouch_release', { key }))['released'], true);
});

test('a claim belongs to the token: its host renews and releases it, another host is refused', async () => {
  const [mine, other] = [new Host(), new Host()];
  const key = 'acme/http-tools#1';
  const first = await mine.use('avouch_claim', { key, ttl: 60 });
  assert.deepEqual([first['granted'], first['mode'], first['expires_in_s']], [true, 'exclusive', 60]);
  clock.advance(50_000);
  const again = await mine.use('avouch_claim', { key, ttl: 60 });
  assert.deepEqual([again['again'], again['fence'], again['expires_in_s']], [true, first['fence'], 60]);
  clock.advance(20_000);
  assert.equal((await mine.use('avouch_look', { key }))['held_by_you'], true);
  const looked = await other.use('avouch_look', { key });
  assert.deepEqual([looked['held_by_you'], (looked['holders'] as unknown[]).length], [undefined, 1]);
  const held = await other.use('avouch_claim', { key });
  assert.equal(held['refused'], 'held');
  assert.ok(Number(held['wait_s']) > 0);
  assert.equal((await other.use('avouch_release', { key }))['refused'], 'not_held');
  const released = await mine.use('avouch_release', { key, outcome: 'done', note: 'Merged.' });
  assert.deepEqual([released['released'], released['outcome']], [true, 'done']);
  assert.equal((await mine.use('avouch_release', { key }))['refused'], 'not_held');
  const next = await other.use('avouch_claim', { key });
  assert.ok(Number(next['fence']) > Number(first['fence']));
  for (const host of [mine, other]) {
    assert.ok(
      !(mine.read + other.read).includes(String(host.headers['x-crossing-token'])),
      'a model was shown a token',
    );
  }
});

test('a name that another host uses too proves nothing: only the token does', async () => {
  const [mine, other] = [newToken(), newToken()].map(
    (token) => new Host({ 'x-crossing-token': token, 'x-avouch-agent': 'scout-5' }),
  ) as [Host, Host];
  const key = 'acme/http-tools#5';
  await mine.use('avouch_claim', { key });
  assert.equal((await other.use('avouch_look', { key }))['held_by_you'], undefined);
  assert.equal((await other.use('avouch_claim', { key }))['refused'], 'already_yours');
  assert.equal((await other.use('avouch_release', { key }))['refused'], 'not_held');
  assert.equal((await mine.use('avouch_release', { key }))['released'], true);
});

test('a lease that nobody renewed is over, and its host is granted a new one', async () => {
  const host = new Host({ 'x-crossing-token': newToken(), 'x-avouch-agent': 'scout-9' });
  const key = 'acme/http-tools#2';
  const { fence } = await host.use('avouch_claim', { key, ttl: 30 });
  clock.advance(120_000);
  assert.equal((await host.use('avouch_look', { key }))['held_by_you'], undefined);
  const granted = await host.use('avouch_claim', { key });
  assert.deepEqual([granted['granted'], granted['again']], [true, undefined]);
  assert.ok(Number(granted['fence']) > Number(fence));
  const { json } = await service.call(`/v1/look?key=${encodeURIComponent(key)}`);
  assert.deepEqual((json['holders'] as { agent: string }[])[0]?.agent, 'scout-9');
});

test('a host without a token can look and check, and is told where it gets one when it claims', async () => {
  const bare = new Host({});
  assert.deepEqual((await bare.use('avouch_look', { key: 'acme/http-tools#3' }))['holders'], []);
  const checked = await bare.use('avouch_check_spend', { amount_usd: '5' });
  assert.ok(['GO', 'CAUTION', 'STOP'].includes(String(checked['verdict'])));
  for (const name of ['avouch_claim', 'avouch_release']) {
    const refused = await bare.use(name, { key: 'acme/http-tools#3' });
    assert.equal(refused['refused'], 'token_required');
    assert.match(String(refused['detail']), /\/connect/);
  }
});

test('what is wrong is named: fields that no tool has, values that no row takes, a token in a wrong form', async () => {
  const host = new Host();
  const unknown = await host.use('avouch_claim', { key: 'k', token: 'x', ttl: 'long' });
  assert.deepEqual(
    (unknown['errors'] as { field: string }[]).map(({ field }) => field),
    ['token', 'ttl'],
  );
  const outside = await host.use('avouch_claim', { key: 'k', ttl: 5 });
  assert.deepEqual(
    [outside['refused'], (outside['errors'] as { field: string }[])[0]?.field],
    ['invalid_parameters', 'ttl'],
  );
  const short = await new Host({ 'x-crossing-token': 'short' }).use('avouch_claim', { key: 'k' });
  assert.deepEqual(
    [short['refused'], (short['errors'] as { field: string }[])[0]?.field],
    ['invalid_parameters', 'token'],
  );
});

test('a seal is given whole to the program, and its seed not to the model', async () => {
  const args = { statement: 'Delivered on time.' };
  const answer = await callTool(service, 'avouch_seal', args, { path: PATH });
  const seal = answer._meta?.['avouch/seal'] as { attestation_id: string; disclosure_seed: string };
  assert.match(seal.disclosure_seed, /\S{20,}/);
  assert.ok(!JSON.stringify([answer.content, answer.structuredContent]).includes(seal.disclosure_seed));
  const { attestation_id } = seal;
  assert.equal(answer.structuredContent?.['attestation_id'], attestation_id);
  const verified = await new Host({}).use('avouch_verify', { attestation_id });
  assert.deepEqual([verified['valid'], verified['failed_checks']], [true, []]);
});

test('a mandate is asked with the key of the platform, which the host sends', async () => {
  const shop = await registered(service);
  const { mandate_id } = await mandate(service, mandateBody(clock.now()));
  const host = new Host({ 'x-amh-key': shop.key });
  const question = { step: 'verify', mandate_id, action: 'order.place', amount_cents: 100, currency: 'EUR' };
  const allowed = await host.use('avouch_mandate', { ...question, payload: 'order 1' });
  assert.equal(allowed['decision'], 'ALLOW', JSON.stringify(allowed));
  const sealed = await host.use('avouch_mandate', {
    step: 'seal',
    verify_ref: allowed['verify_ref'],
    outcome: 'placed',
  });
  assert.equal(sealed['refused'], undefined, JSON.stringify(sealed));
  const stranger = await new Host({}).use('avouch_mandate', { ...question, payload: 'order 2' });
  assert.equal(stranger['refused'], 'key_missing');
  assert.ok(!host.read.includes(shop.key));
});
