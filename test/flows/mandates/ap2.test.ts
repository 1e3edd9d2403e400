import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import { readImport } from '#areas/mandates/ap2/import.ts';
import { NO_ROOTS, parseAp2Roots, trustedKey } from '#protocol/ap2/trust.ts';
import { ConfigError } from '#platform/config/config-error.ts';
import { readAp2Roots } from '#platform/config/ap2-roots.ts';
import * as ap2 from '../../support/ap2.ts';
import { expectProblem } from '../../support/client.ts';
import { runCommand } from '../../support/command.ts';
import { asked, mandate, mandateBody, type PlatformOf, post, registered } from '../../support/mandates.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const PATH = '/api/amh/mandate';
const vectors = JSON.parse(readFileSync(new URL('../../vectors/ap2.json', import.meta.url), 'utf8'));
const importOf = (root: string, more: ap2.Json = {}) => ({
  agent_id: 'agent:shopper-7',
  ap2: { open_payment_mandate: root, user_jwk: ap2.USER.jwk, ...more },
});
const failed = ({ json }: { json: Record<string, unknown> }) =>
  (json['checks'] as { id: string; result: string }[]).filter(({ result }) => result === 'fail').map(({ id }) => id);

async function scene(): Promise<{ service: TestService; shop: PlatformOf; root: string; id: string }> {
  const service = await sharedService();
  const shop = await registered(service);
  const root = ap2.openToken(service.now());
  const { status, json, text } = await post(service, PATH, importOf(root));
  assert.equal(status, 201, text);
  return { service, shop, root, id: String(json['mandate_id']) };
}

test('the published open mandate is imported as documented, and importing it again returns the same mandate', async () => {
  const service = await sharedService();
  const body = importOf(vectors.open_payment_mandate, { user_jwk: vectors.user.jwk });
  const { status, json, text } = await post(service, PATH, body);
  assert.equal(status, 201, text);
  assert.deepEqual([json['source'], json['assurance'], json['flags']], ['ap2', 'principal_signed', []]);
  const page = readFileSync(new URL('../../../docs/standards.md', import.meta.url), 'utf8');
  const [, shown = ''] = /## AP2 mandates[\s\S]*?```text\n([\s\S]*?)```/.exec(page) ?? [];
  assert.deepEqual((json['ap2'] as ap2.Json)['constraints'], JSON.parse(shown));
  const again = await post(service, PATH, body);
  assert.deepEqual(
    [again.status, again.json['mandate_id'], again.json['control_token']],
    [200, json['mandate_id'], null],
  );
  const headers = { 'x-amh-control': String(json['control_token']) };
  const view = await service.call(`${PATH}/${String(json['mandate_id'])}`, { headers });
  assert.deepEqual([view.json['source'], view.json['counterparties']], ['ap2', ['kvk:87654321']]);
  assert.match(JSON.stringify(view.json['principal']), /"name":"AP2 user","ref":"jkt:[\w-]{43}"/);
});

test('an import that is wrong names the field and stores nothing', async () => {
  const service = await sharedService();
  const root = ap2.openToken(service.now());
  const rows: readonly [ap2.Json, string, string][] = [
    [importOf('a~'), '#/ap2/open_payment_mandate', 'ap2_malformed'],
    [
      importOf(ap2.openToken(service.now(), [{ ...ap2.BUDGET, currency: 'JPY' }])),
      '#/ap2/open_payment_mandate',
      'ap2_budget_unit',
    ],
    [importOf(root, { user_jwk: { kty: 'EC', crv: 'P-256', x: 'a', y: 'b' } }), '#/ap2/user_jwk', 'ap2_malformed'],
    [importOf(root, { user_jwk: { ...ap2.USER.jwk, x5c: ['\ud800'] } }), '#/ap2/user_jwk', 'not_canonical'],
    [importOf(`${root}\ud800`), '#/ap2/open_payment_mandate', 'unclean_text'],
    [importOf(root, { open_checkout_mandate: '\ud800' }), '#/ap2/open_checkout_mandate', 'unclean_text'],
    [importOf(root, { open_checkout_mandate: 'a~' }), '#/ap2/open_checkout_mandate', 'ap2_malformed'],
    [importOf(root, { open_checkout_mandate: root }), '#/ap2/open_checkout_mandate', 'ap2_vct'],
    [{ ...importOf(root), max_commit_cents: 1 }, '#/max_commit_cents', 'not_allowed'],
    [{ ...importOf(root), agent_pubkey: 'A'.repeat(43).concat('=') }, '#/agent_pubkey', 'not_allowed'],
    [{ agent_id: 'agent:7' }, '#/max_commit_cents', 'missing'],
    [{ agent_id: 'agent:7', currency: 'eur' }, '#/valid_until', 'missing'],
  ];
  const kept = () => service.service.store.read('SELECT COUNT(*) AS n FROM amh_mandate');
  const before = await kept();
  for (const [body, pointer, code] of rows) {
    const { errors } = expectProblem(await post(service, PATH, body), 400, 'invalid_parameters');
    const found = (errors as { pointer: string; code: string }[]).find((one) => one.pointer === pointer);
    assert.equal(found?.code, code, JSON.stringify(errors));
  }
  expectProblem(await post(service, PATH, importOf(root, { user_jwk: ap2.AGENT.jwk })), 400, 'signature_invalid');
  expectProblem(await post(service, PATH, importOf(root, { user_jwk: undefined })), 400, 'signature_invalid');
  assert.deepEqual(await kept(), before);
});

test('each check of AP2 refuses by its own reason, with the claims of a receipt, and seals the refusal', async () => {
  const { service, shop, root, id } = await scene();
  const nowMs = service.now();
  const one = (purchase: Partial<ap2.Purchase> = {}) => ap2.joined(root, ap2.closedToken(root, { nowMs, ...purchase }));
  const rows: readonly [string, string, ap2.Json][] = [
    ['ap2_signature', 'A1', ap2.presented(id, one({ signer: ap2.USER }))],
    ['ap2_binding', 'A2', ap2.presented(id, one({ binding: { sd_hash: ap2.digest('another') } }))],
    [
      'ap2_audience',
      'A3',
      { ...ap2.presented(id, one()), ap2: { presentation: one(), aud: ap2.AUDIENCE, nonce: 'n-2' } },
    ],
    [
      'ap2_audience',
      'A3',
      { ...ap2.presented(id, one()), ap2: { presentation: one(), aud: 'https://b.example', nonce: 'n-1' } },
    ],
    ['ap2_time', 'A4', ap2.presented(id, one({ more: { exp: ap2.seconds(nowMs - 61_000) } }))],
    ['ap2_time', 'A4', ap2.presented(id, one({ more: { iat: ap2.seconds(nowMs + 61_000) } }))],
    ['ap2_constraint', 'A5', { ...ap2.presented(id, one()), amount_cents: 99 }],
    ['ap2_constraint', 'A5', { ...ap2.presented(id, one()), counterparty: undefined }],
  ];
  for (const [reason, check, body] of rows) {
    const answer = await shop.verify(body);
    assert.deepEqual(
      [answer.status, answer.json['ok'], answer.json['reason'], failed(answer)],
      [200, false, reason, [check]],
    );
    const claims = answer.json['receipt_claims'] as ap2.Json;
    const { reference } = answer.json['ap2'] as ap2.Json;
    assert.deepEqual(
      [claims['status'], claims['error'], claims['reference'], claims['payment_id']],
      ['Error', reason, reference, answer.json['verify_ref']],
    );
  }
  const without = await shop.verify({ ...ap2.presented(id, ''), ap2: undefined });
  assert.deepEqual(
    [without.json['reason'], failed(without), without.json['ap2']],
    ['ap2_signature', ['A1'], undefined],
  );
  const good = one();
  const allowed = await shop.verify(ap2.presented(id, good));
  assert.deepEqual([allowed.json['reason'], allowed.json['receipt_claims']], ['within_mandate', undefined]);
  const again = await shop.verify({ ...ap2.presented(id, good), action: 'order.place' });
  assert.deepEqual([again.json['reason'], failed(again)], ['ap2_consumed', ['A6']]);
  const sealed = await shop.seal(allowed.json['verify_ref'], 'placed', { external_ref: 'order 4711' });
  const { reference } = allowed.json['ap2'] as ap2.Json;
  const iat = ap2.seconds(service.now());
  assert.deepEqual(sealed.json['receipt_claims'], { status: 'Success', iat, reference, order_id: 'order 4711' });
  for (const { json } of [again, sealed]) {
    const { json: checked } = await service.call('/v1/receipts/verify', { method: 'POST', body: { answer: json } });
    assert.equal(checked['valid'], true, JSON.stringify(checked));
  }
});

test('a presentation that cannot be read is a broken call, as is one for a mandate of another kind', async () => {
  const { service, shop, root, id } = await scene();
  const pointerOf = async (body: ap2.Json) => {
    const { errors } = expectProblem(await shop.verify(body), 400, 'invalid_parameters');
    const [first] = errors as { pointer: string; code: string }[];
    return [first?.pointer, first?.code];
  };
  assert.deepEqual(await pointerOf(ap2.presented(id, root)), ['#/ap2/presentation', 'ap2_malformed']);
  assert.deepEqual(await pointerOf(ap2.presented(id, ap2.joined(root, root))), ['#/ap2/presentation', 'ap2_malformed']);
  const { mandate_id: own } = await mandate(service, mandateBody(service.now()));
  const chain = ap2.joined(root, ap2.closedToken(root, { nowMs: service.now() }));
  assert.deepEqual(await pointerOf(ap2.presented(own, chain)), ['#/ap2', 'not_allowed']);
  const unknown = ap2.presented('mnd_0123456789abcdefghjkmnpqrs', chain);
  expectProblem(await shop.verify(unknown), 404, 'mandate_not_found');
  assert.equal((await shop.verify(asked(own, 100, 'order 1'))).json['ok'], true);
});

test('a signer that the operator trusts is known by its kid or its certificate, within its dates', async () => {
  const directory = await temporaryDirectory();
  const file = (name: string) => join(directory, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  const key = (name: string) => openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`);
  for (const name of ['root', 'leaf', 'stranger']) key(name);
  openssl('req', '-x509', '-new', '-key', 'root.key', '-subj', '/CN=Root', '-days', '30', '-out', 'root.pem');
  openssl('req', '-x509', '-new', '-key', 'stranger.key', '-subj', '/CN=Root', '-days', '30', '-out', 'stranger.pem');
  openssl('req', '-new', '-key', 'leaf.key', '-subj', '/CN=Bank', '-out', 'leaf.csr');
  openssl('x509', '-req', '-in', 'leaf.csr', '-CA', 'root.pem', '-CAkey', 'root.key', '-days', '9', '-out', 'leaf.pem');
  const der = (name: string) => readFileSync(file(name), 'utf8').replaceAll(/-----[^-]+-----|\s/g, '');
  const roots = readAp2Roots({ ap2RootsFile: file('root.pem') });
  const now = Date.now() + 60_000;
  const x5c = [der('leaf.pem')];
  assert.ok(trustedKey({ x5c }, roots, now) !== undefined);
  assert.ok(trustedKey({ x5c: [...x5c, der('root.pem')] }, roots, now) !== undefined);
  assert.equal(trustedKey({ x5c }, roots, now + 10 * DAY_MS), undefined);
  assert.equal(trustedKey({ x5c }, roots, now - DAY_MS), undefined);
  assert.equal(trustedKey({ x5c: [der('leaf.pem'), der('leaf.pem')] }, roots, now), undefined);
  assert.equal(trustedKey({ x5c }, readAp2Roots({ ap2RootsFile: file('stranger.pem') }), now), undefined);
  assert.equal(trustedKey({ x5c: ['AAAA', 7] }, roots, now), undefined);
  assert.equal(trustedKey({ x5c }, readAp2Roots({ ap2RootsFile: null }), now), undefined);
  const keys = parseAp2Roots(JSON.stringify({ keys: [{ ...ap2.USER.jwk, kid: 'bank-1' }] }));
  assert.deepEqual(trustedKey({ kid: 'bank-1' }, keys, now), ap2.USER.jwk);
  assert.equal(trustedKey({ kid: 'bank-2' }, keys, now), undefined);
  const root = ap2.token({ kid: 'bank-1' }, {}, ap2.openMandate(now, [ap2.RANGE]), ap2.USER);
  const read = (user_jwk: unknown, trusted = keys) => {
    const found = readImport({ open_payment_mandate: root, user_jwk }, trusted, now);
    return typeof found === 'string' ? found : found.assurance;
  };
  assert.deepEqual([read(undefined), read(ap2.AGENT.jwk)], ['issuer_trusted', 'issuer_trusted']);
  assert.deepEqual([read(ap2.USER.jwk, NO_ROOTS), read(undefined, NO_ROOTS)], ['principal_signed', 'key_missing']);
  await writeFile(file('nothing'), 'nothing');
  for (const name of ['nothing', 'missing']) {
    assert.throws(
      () => readAp2Roots({ ap2RootsFile: file(name) }),
      (error) => error instanceof ConfigError && /AVOUCH_AP2_ROOTS_FILE/.test(error.faults.join()),
    );
  }
});

test('the command checks a chain offline, and says what an import makes of it', async () => {
  const directory = await temporaryDirectory();
  const root = ap2.openToken(Date.now());
  const chain = ap2.joined(root, ap2.closedToken(root, { nowMs: Date.now() }));
  const [file, key, other] = ['chain.txt', 'user.jwk', 'other.jwk'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(file, `${chain}\n`);
  await writeFile(key, JSON.stringify(ap2.USER.jwk));
  await writeFile(other, JSON.stringify(ap2.AGENT.jwk));
  const run = (...args: string[]) => runCommand(['mandate', 'ap2', file, ...args]);
  const good = await run('--user-jwk', key);
  assert.equal(good.code, 0, good.stderr);
  const { user_signature, closed, fields } = JSON.parse(good.stdout);
  assert.deepEqual(
    [user_signature, closed.signatures, closed.bindings, closed.constraints],
    ['pass', 'pass', 'pass', 'pass'],
  );
  assert.equal(fields.max_commit_cents, 50_000);
  const unchecked = await run();
  const seen = JSON.parse(unchecked.stdout) as { user_signature: string; closed: { signatures: string } };
  assert.deepEqual([seen.user_signature, seen.closed.signatures], ['not_checked', 'not_checked']);
  assert.match(unchecked.stderr, /^Warning: the signature of the user was not checked/);
  assert.equal((await run('--user-jwk', other)).code, 1);
  await writeFile(file, ap2.joined(root, ap2.closedToken(root, { nowMs: Date.now(), signer: ap2.USER })));
  const wrong = await run();
  assert.deepEqual([wrong.code, JSON.parse(wrong.stdout).closed.signatures], [1, 'fail'], 'a hop of another key');
  await writeFile(file, 'nothing');
  assert.match((await run()).stderr, /ap2_malformed/);
});
