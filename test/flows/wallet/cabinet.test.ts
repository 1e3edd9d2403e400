// Owners of agents: who gets in, who does not, and that nobody sees or changes what is another's.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { HOUR_MS, ManualClock, MINUTE_MS } from '#kernel/clock.ts';
import { cabinetArea } from '#areas/cabinet/area.ts';
import { rowsOf } from '#kernel/area.ts';
import { type Operation, pagePathOf } from '#kernel/operation.ts';
import type { Row } from '#platform/storage/store.ts';
import {
  cookieOf,
  EMAIL,
  type LoggedIn,
  loggedIn,
  loginMails,
  type OwnedAgent,
  ownedOrder,
  postLogin,
  registered,
  requestLink,
  visited,
} from '../../support/cabinet.ts';
import { copyRow } from '../../support/copies.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';
import { sharedServiceOn } from '../../support/shared-service.ts';
import { mandate, mandateBody } from '../../support/mandates.ts';
import { fund } from '../../support/wallet.ts';

const OTHER = 'other@example.org';
const HTML = { accept: 'text/html' };
const rows = rowsOf(cabinetArea) as unknown as readonly Operation[];
const pages = rows.filter(({ method, path }) => method === 'get' && path !== '/cabinet/login');
const actions = rows.filter(
  ({ method, path }) => method === 'post' && path.startsWith('/cabinet/') && path !== '/cabinet/login',
);

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`the cabinet on ${engine}`, { skip }, () => {
    test('six requests send three mails; of ten parallel uses of one link one logs in', async () => {
      await using service = await TestService.start({ engine });
      await registered(service);
      const browser = cookieOf(await requestLink(service));
      for (let turn = 0; turn < 5; turn += 1) {
        assert.equal((await requestLink(service, EMAIL, { cookie: browser })).status, 202);
      }
      const mails = await loginMails(service);
      assert.equal(mails.length, 3);
      const token = mails[0]?.token ?? '';
      const tries = await Promise.all(Array.from({ length: 10 }, () => postLogin(service, { t: token }, browser)));
      assert.deepEqual(
        tries.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, ...Array(9).fill(401)],
      );
      const sessions = await service.service.store.read('SELECT id_hash, user_agent FROM cabinet_session');
      assert.equal(sessions.length, 1);
      const others = await Promise.all(mails.slice(1).map(({ token: t }) => postLogin(service, { t }, browser)));
      assert.deepEqual(
        others.map(({ status }) => status),
        [401, 401],
        'a login voids the other links',
      );
    });

    test('a scanner that opens the link, runs its page and sends its form leaves the link to its owner', async () => {
      await using service = await TestService.start({ engine });
      await registered(service);
      const browser = cookieOf(await requestLink(service));
      const [mail] = await loginMails(service);
      const t = mail?.token ?? '';
      for (const headers of [{}, HTML, { ...HTML, 'user-agent': 'Slackbot 1.0' }]) {
        assert.equal((await service.call('/dashboard/login', { headers })).status, 200);
      }
      const scanner = cookieOf(await requestLink(service, 'scanner@example.org'));
      for (const cookie of ['', scanner, `lb=${'A'.repeat(43)}`]) {
        expectProblem(await postLogin(service, { t }, cookie), 401, 'link_invalid');
        expectProblem(await postLogin(service, { code: mail?.code ?? '' }, cookie), 401, 'link_invalid');
      }
      const entered = await postLogin(service, { t }, browser, HTML);
      assert.deepEqual([entered.status, entered.headers.location], [303, '/dashboard']);
      assert.equal((await postLogin(service, { t }, browser)).status, 401, 'the second use');
    });

    test('a mail read elsewhere logs in by its code; five wrong ones end it', async () => {
      await using service = await TestService.start({ engine });
      await registered(service);
      const browser = cookieOf(await requestLink(service));
      const [first] = await loginMails(service);
      const wrong = first?.code === '000000' ? '111111' : '000000';
      for (let turn = 0; turn < 4; turn += 1)
        assert.equal((await postLogin(service, { code: wrong }, browser)).status, 401);
      assert.equal((await postLogin(service, { code: first?.code ?? '' }, browser)).status, 200);
      const second = cookieOf(await requestLink(service));
      const [mail] = await loginMails(service);
      const codes = Array.from({ length: 5 }, () => (mail?.code === '000000' ? '111111' : '000000'));
      await Promise.all(codes.map((code) => postLogin(service, { code }, second)));
      assert.equal((await postLogin(service, { code: mail?.code ?? '' }, second)).status, 401, 'the sixth try');
      assert.equal((await postLogin(service, { t: mail?.token ?? '' }, second)).status, 200, 'the link still works');
    });

    test("sessions end by idleness and by age, are never the one a browser came with, and make no agent the owner's own", async () => {
      const clock = new ManualClock(Date.now());
      await using service = await TestService.start({ engine, clock });
      const agent = await registered(service);
      const me = async () =>
        (await service.call('/api/agents/me', { headers: { 'x-agent-key': agent.key } })).json['owner_verified'];
      assert.equal(await me(), false);
      const browser = cookieOf(await requestLink(service));
      const [mail] = await loginMails(service);
      const planted = `sid=${'B'.repeat(43)}`;
      const entered = await postLogin(service, { t: mail?.token ?? '' }, `${browser}; ${planted}`);
      const cookie = cookieOf(entered);
      assert.equal(await me(), false, 'anybody can register an agent under a foreign address');
      assert.notEqual(cookie, planted);
      const status = async (sent: string) => (await service.call('/cabinet', { headers: { cookie: sent } })).status;
      assert.deepEqual([await status(planted), await status(cookie)], [401, 200]);
      for (let hours = 0; hours < 22; hours += 11) {
        clock.advance(11 * HOUR_MS);
        assert.equal(await status(cookie), 200, 'use keeps it alive');
        await service.call('/cabinet', { headers: { cookie } });
      }
      clock.advance(12 * HOUR_MS + MINUTE_MS);
      assert.equal(await status(cookie), 401, '12 hours without use');
    });

    suite('lists longer than a page', () => {
      const MORE = 60;
      /** Copies of the oldest, each a moment newer than the one before, under ids that name their agent. */
      const newer = (
        prefix: string,
        { id }: OwnedAgent,
        atMs: number,
        more: (n: number, row: Row) => Row = () => ({}),
      ) =>
        Array.from({ length: MORE }, (_, n) => (row: Row) => ({
          id: `${prefix}${id.slice(4, 20)}${String(n).padStart(10, '0')}`,
          created_at: atMs + 1 + n,
          ...more(n, row),
        }));

      interface Page {
        readonly ids: readonly string[];
        readonly next: string | null;
      }
      async function pageOf(owner: LoggedIn, list: string, query: string): Promise<Page> {
        const { status, json, text } = await owner.call(`/cabinet/${list}?${query}`);
        assert.equal(status, 200, text);
        const items = json[list] as Record<string, string>[];
        return { ids: items.map((one) => String(one[`${list.slice(0, -1)}_id`])), next: json['next_before'] as string };
      }
      /** Both pages of a list, which together have everything once. */
      async function expectPages(owner: LoggedIn, list: string, oldest: string): Promise<void> {
        const first = await pageOf(owner, list, '');
        assert.deepEqual([first.ids.length, first.next], [50, first.ids.at(-1)]);
        const second = await pageOf(owner, list, `before=${first.next}`);
        assert.deepEqual([second.ids.length, second.next, second.ids.at(-1)], [MORE - 49, null, oldest]);
        assert.equal(new Set([...first.ids, ...second.ids]).size, MORE + 1);
        const page = (await owner.call(`/dashboard/${list}`, { headers: HTML })).text;
        assert.ok(page.includes(`href="/dashboard/${list}?before=${first.next}"`), 'the page leads on');
        const absent = `${oldest.split('_', 1)[0]}_${'9'.repeat(26)}`;
        expectProblem(await owner.call(`/cabinet/${list}?before=${absent}`), 404, 'not_of_account');
      }

      test('a task that waits is found and counted, however many are newer', async () => {
        const { service } = await sharedServiceOn(engine);
        const { agent, owner } = await visited(service);
        const body = { agent_id: agent.id, need: 'do something nice' };
        const made = await service.call('/api/tasks', {
          method: 'POST',
          body,
          headers: { 'x-agent-key': agent.key },
        });
        const oldest = String(made.json['task_id']);
        const copies = newer('tsk_', agent, service.now(), (n, { body: told }) => ({
          receipt_id: `rcp_${agent.id}${n}`,
          receipt_key_sha256: `${agent.id}${n}`,
          state: n === MORE - 1 ? 'quoted' : 'completed',
          body: JSON.stringify({ ...(JSON.parse(String(told)) as object), createdAtMs: service.now() + 1 + n }),
        }));
        await copyRow(service.service.store, 'task', oldest, copies);
        const waiting = await pageOf(owner, 'tasks', 'show=needs_you');
        assert.deepEqual([waiting.ids.length, waiting.ids.at(-1), waiting.next], [2, oldest, null]);
        const { alerts } = (await owner.call('/cabinet')).json as { alerts: { kind: string; text: string }[] };
        assert.deepEqual(
          alerts.filter(({ kind }) => kind === 'task_waits').map(({ text }) => text),
          ['2 tasks wait for your answer.'],
        );
        assert.equal((await pageOf(owner, 'tasks', 'show=done')).ids.length, 50);
        await expectPages(owner, 'tasks', oldest);
      });

      test('an open order is found, however many are newer', async () => {
        const { service } = await sharedServiceOn(engine);
        const seen = await visited(service);
        const { agent, owner } = seen;
        const oldest = await ownedOrder(seen, { mode: 'quote' });
        const over = { state: 'delivered', ended_at: service.now() };
        const copies = newer('ord_', agent, service.now(), () => over);
        await copyRow(service.service.store, 'supplier_order', oldest, copies);
        const open = await pageOf(owner, 'orders', 'show=open');
        assert.deepEqual([open.ids, open.next], [[oldest], null]);
        await expectPages(owner, 'orders', oldest);
      });

      test('a mandate is found by its id, however many are newer', async () => {
        const { service } = await sharedServiceOn(engine);
        const { agent, owner } = await visited(service);
        const body = { ...mandateBody(service.now()), agent_id: agent.id };
        const { mandate_id: oldest } = await mandate(service, body);
        await copyRow(service.service.store, 'amh_mandate', oldest, newer('mnd_', agent, service.now()));
        const page = (await owner.call(`/dashboard/mandates?mandate_id=${oldest}`, { headers: HTML })).text;
        assert.ok(page.includes(`mandate_id=${oldest}&amp;confirm=revoke`), page);
        assert.doesNotMatch(page, /No mandates match/);
        await expectPages(owner, 'mandates', oldest);
      });
    });

    test('a caller may ask twenty times an hour, whoever is asked for', async () => {
      await using service = await TestService.start({ engine });
      for (let turn = 0; turn < 20; turn += 1) {
        assert.equal((await requestLink(service, `nobody-${turn}@example.org`)).status, 202);
      }
      const refused = expectProblem(await requestLink(service), 429, 'slow_down');
      assert.ok(Number(refused['retry_after_s']) > 3_000);
    });
  });
}

test('known and unknown addresses are answered alike, also beyond their quota', async () => {
  await using service = await TestService.start();
  await registered(service);
  const seen = async (email: string) => {
    const { status, text, headers } = await requestLink(service, email);
    const { 'x-request-id': _id, date: _date, 'set-cookie': cookie = [], ...rest } = headers;
    return {
      status,
      text,
      cookie: cookie.map((one) => one.replace(/=[\w-]{43};/, '=…;')),
      names: Object.keys(headers),
      rest,
    };
  };
  const known = await seen(EMAIL);
  for (let turn = 0; turn < 4; turn += 1) assert.deepEqual(await seen(EMAIL), known);
  assert.deepEqual(await seen('nobody@example.org'), known);
  const page = await service.call('/api/cabinet/request-link', {
    method: 'POST',
    body: 'email=nobody%40example.org',
    headers: { ...HTML, 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.deepEqual([page.status, page.headers['content-type']], [202, 'text/html; charset=utf-8']);
});

suite('of two owners', () => {
  let service: TestService;
  let mine: { agent: OwnedAgent; owner: LoggedIn };
  let theirs: { agent: OwnedAgent; owner: LoggedIn };
  /** Ids of the other owner by the name of the field that takes them. */
  let ids: Record<string, string>;
  let control: string;

  before(async () => {
    // Time stands still: no top-up is asked for, and no row changes by itself.
    const clock = new ManualClock(Date.now());
    service = await TestService.start({ clock });
    mine = { agent: await registered(service), owner: await loggedIn(service) };
    theirs = { agent: await registered(service, OTHER, 'rival'), owner: await loggedIn(service, OTHER) };
    const { agent, owner } = theirs;
    const order_id = await ownedOrder({ service, agent, owner }, { supplier: 'OTHER' });
    const headers = { 'x-agent-key': agent.key };
    const body = { agent_id: agent.id, need: 'do something nice' };
    const task = await service.call('/api/tasks', { method: 'POST', body, headers });
    const made = await mandate(service, { ...mandateBody(clock.now()), agent_id: agent.id });
    await owner.post('/cabinet/topup', { agent_id: agent.id, tier: 'starter' });
    await fund(service.service.store, mine.agent.id, 1_000_000);
    control = String(made.control_token);
    const [session] = (await owner.call('/cabinet/sessions')).json['sessions'] as { session_id: string }[];
    ids = {
      agent_id: agent.id,
      key_id: agent.keyId,
      order_id,
      mandate_id: made.mandate_id,
      task_id: String(task.json['task_id']),
      session_id: session?.session_id ?? '',
    };
  });
  after(() => service[Symbol.asyncDispose]());

  const everything = async () => {
    const kept: Record<string, unknown> = {};
    for (const table of ['agent', 'agent_key', 'task', 'supplier_order', 'amh_mandate', 'topup', 'ledger_account']) {
      kept[table] = (await service.service.store.read(`SELECT * FROM ${table}`)).map((row) => ({
        ...row,
        last_used_at: null,
      }));
    }
    const sessions = await service.service.store.read('SELECT id_hash FROM cabinet_session ORDER BY id_hash');
    return { ...kept, sessions };
  };
  const bodyOf = (row: Operation, given: Record<string, string>) => {
    const [example] = row.examples;
    const input = { ...(example?.input as Record<string, unknown>) };
    const known = Object.entries(given).filter(([name]) => name in row.input.shape && name in input);
    return { ...input, ...Object.fromEntries(known), ...('control_token' in input && { control_token: control }) };
  };

  for (const row of pages) {
    test(`${row.operationId} shows nothing of the other`, async () => {
      const marks = ['rival', OTHER, theirs.agent.id, ids['task_id'], ids['order_id'], ids['mandate_id']] as string[];
      const place = pagePathOf(row);
      for (const headers of [{}, HTML, { accept: 'text/markdown' }]) {
        const plain = await mine.owner.call(place, { headers });
        assert.equal(plain.status, 200, plain.text);
        for (const mark of marks) assert.ok(!plain.text.includes(mark), `${mark} is shown`);
        for (const name of Object.keys(row.input.shape).filter((field) => field in ids)) {
          const asked = await mine.owner.call(`${place}?${name}=${ids[name]}`, { headers });
          assert.equal(asked.status, 404, `${name}: ${asked.text}`);
          assert.ok(!asked.text.includes('rival'));
          const absent = await mine.owner.call(`${place}?${name}=${absentId(ids[name] as string)}`, { headers });
          const same = ({ text, headers: { 'x-request-id': call } }: Answer) =>
            text.replaceAll(/\w{3}_\w{20,26}/g, '…').replaceAll(String(call), '…');
          assert.equal(same(absent), same(asked), 'as what is not there');
        }
      }
    });
  }

  for (const row of actions) {
    test(`${row.operationId} changes nothing without session, without csrf, from elsewhere, or of the other`, async () => {
      const kept = await everything();
      const own = bodyOf(row, { agent_id: mine.agent.id, confirm: EMAIL });
      const send = (body: object, headers: Record<string, string>) =>
        service.call(row.path, { method: 'POST', body: body as Record<string, unknown>, headers });
      const { cookie, csrf } = mine.owner;
      const refused: readonly (readonly [string, Promise<Answer>, number])[] = [
        ['no cookie', send(own, {}), 401],
        ['no cookie, a page', send(own, HTML), 303],
        ['a made-up cookie', send(own, { cookie: `sid=${'C'.repeat(43)}`, 'x-csrf-token': csrf }), 401],
        ['no csrf', send(own, { cookie }), 403],
        ['a wrong csrf', send(own, { cookie, 'x-csrf-token': `${csrf.slice(0, -1)}_` }), 403],
        ['the csrf of another session', send(own, { cookie, 'x-csrf-token': theirs.owner.csrf }), 403],
        ['a field with a wrong csrf', send({ ...own, csrf: 'x' }, { cookie, 'x-csrf-token': csrf }), 403],
        ['a foreign origin', send(own, { cookie, 'x-csrf-token': csrf, origin: 'https://evil.example' }), 403],
        ['no origin at all', send(own, { cookie, 'x-csrf-token': csrf, origin: 'null' }), 403],
        ['another site', send(own, { cookie, 'x-csrf-token': csrf, 'sec-fetch-site': 'cross-site' }), 403],
      ];
      for (const [why, answer, status] of refused) assert.equal((await answer).status, status, why);
      // What makes something new names nothing of anybody.
      if (row.operationId === 'cabinet_agent_new') return assert.deepEqual(await everything(), kept);
      const theirsOnly = bodyOf(row, { ...ids, confirm: OTHER });
      const foreign = await mine.owner.post(row.path, theirsOnly);
      assert.equal(foreign.status, row.operationId === 'cabinet_account_delete' ? 400 : 404, foreign.text);
      const mixed = bodyOf(row, { ...ids, agent_id: mine.agent.id, confirm: OTHER });
      if ('key_id' in row.input.shape) {
        const asked = { ...mixed, action: 'revoke', key_id: ids['key_id'] };
        assert.equal((await mine.owner.post(row.path, asked)).status, 404, 'the key of another agent');
      }
      assert.deepEqual(await everything(), kept);
    });
  }

  test('the generated tests cover every row', () => {
    assert.deepEqual([pages.length, actions.length], [13, 11]);
    assert.equal(pages.length + actions.length + 6, rowsOf(cabinetArea).length);
  });
});

function absentId(id: string): string {
  return id.replace(/\w{4}$/, '0000');
}
