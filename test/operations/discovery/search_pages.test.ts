import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SearchAnswer } from '#areas/discovery/pages/search.ts';
import { SITE_PAGES } from '#areas/discovery/site-pages.ts';
import { cookieOf, loginMails, ownedOrder, postLogin, registered, requestLink } from '../../support/cabinet.ts';
import { BROWSER } from '../../support/documents.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { fund } from '../../support/wallet.ts';

const statuses = new PromisedStatuses('search_pages');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

async function found(q: string, more = '') {
  const service = await sharedService();
  const answer = statuses.saw(await service.call(`/search?q=${encodeURIComponent(q)}${more}`));
  return SearchAnswer.parse(answer.json);
}

async function sentTo(service: TestService, q: string, headers: Record<string, string> = {}) {
  const answer = await service.call(`/search?q=${encodeURIComponent(q)}`, { headers: { accept: BROWSER, ...headers } });
  return [answer.status, answer.headers.location];
}

test('search: words find pages of the documentation, operations and problem codes, at most eight of each', async () => {
  const { docs, operations, problems, totals } = await found('lease');
  assert.ok(docs.some(({ path }) => path === '/docs/coordination#claim-a-lease'));
  assert.ok(operations.some(({ operation_id }) => operation_id === 'claim'));
  assert.ok(problems.some(({ code }) => code === 'lease_lost'));
  assert.ok([docs, operations, problems].every(({ length }) => length <= 8));
  assert.ok(totals.docs > 8);
  const all = await found('lease', '&all=docs');
  assert.deepEqual([all.docs.length, all.operations.length], [totals.docs, 0]);
});

test('search: words find public pages, and every page that can be found is there', async () => {
  const { pages, totals } = await found('redis');
  assert.deepEqual(
    pages.map(({ path }) => path),
    ['/product/coordination', '/'],
  );
  assert.deepEqual((await found('redis', '&all=pages')).pages.length, totals.pages);
  const service = await sharedService();
  for (const { path } of SITE_PAGES) {
    const { status } = await service.call(path, { headers: { accept: BROWSER } });
    assert.equal(status, path === '/dashboard' ? 303 : 200, path);
  }
});

test('search: the beginning of a word finds what its end would', async () => {
  const { operations } = await found('clai');
  assert.ok(operations.some(({ operation_id }) => operation_id === 'claim'));
});

test('search: snippets are plain words without marks of Markdown', async () => {
  for (const { snippet } of (await found('claim lease token', '&all=docs')).docs)
    assert.doesNotMatch(snippet, /[`|]|\]\(/);
});

test('search: nothing is found for words that no text has, and nothing without words', async () => {
  const none = await found('zzqx wvvk');
  assert.deepEqual(none.totals, { pages: 0, docs: 0, operations: 0, problems: 0 });
  assert.equal((await found('')).match, null);
});

test('search: a browser that asks for a problem code or a reference is sent to its page', async () => {
  const service = await sharedService();
  assert.deepEqual(await sentTo(service, 'held'), [303, '/problems/held']);
  const entry = (await service.call('/log/0')).json['attestation_id'] as string;
  assert.deepEqual(await sentTo(service, entry), [303, `/log/${entry}`]);
  assert.deepEqual(await sentTo(service, '0'), [303, `/log/${entry}`]);
  const leaf = (await service.call('/log/0')).json['leaf_hash'] as string;
  assert.deepEqual(await sentTo(service, leaf), [303, `/log/${entry}`]);
  const claimed = await service.call('/v1/claim', { method: 'POST', body: { key: 'searched', agent: 'a7' } });
  const lease = String(claimed.json['lease']);
  assert.deepEqual(await sentTo(service, lease), [303, `/log?q=${lease}`]);
});

test('search: a reference that was never issued is not found', async () => {
  const service = await sharedService();
  const { match } = await found('tsk_0123456789abcdefghjkmnpqrs');
  assert.equal(match, null);
  assert.deepEqual((await sentTo(service, '999999999'))[0], 200);
});

test('search: ids of the account lead to the dashboard of who is signed in, and of nobody else', async () => {
  await using service = await TestService.start();
  const agent = await registered(service, 'owner@example.org', 'buyer-7');
  await fund(service.service.store, agent.id, 10_000_000);
  const order = await ownedOrder({ service, agent, owner: undefined as never }, { supplier: 'OTHER' });
  const browser = cookieOf(await requestLink(service, 'owner@example.org'));
  const [mail] = await loginMails(service, 'owner@example.org');
  const cookie = cookieOf(await postLogin(service, { t: mail?.token ?? '' }, browser));
  assert.deepEqual(await sentTo(service, agent.id, { cookie }), [303, `/dashboard/keys?agent_id=${agent.id}`]);
  assert.deepEqual(await sentTo(service, order, { cookie }), [303, `/dashboard/orders?order_id=${order}`]);
  assert.equal((await sentTo(service, agent.id))[0], 200);
  assert.match(String((await sentTo(service, order))[1]), /^\/log\/ATT-/);
});

test('search: too long a query is refused, and so are too many searches', async () => {
  const service = await sharedService();
  expectProblem(statuses.saw(await service.call(`/search?q=${'x'.repeat(201)}`)), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/search?q=lease'));
});
