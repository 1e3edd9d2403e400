// Pages of errors, as far as they need no browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProblemDocument, problemHtml, type RefusedCall } from '#web/problem-page.ts';
import { TABLE } from '../../src/areas.ts';
import { BROWSER } from '../support/documents.ts';
import { sharedService } from '../support/shared-service.ts';

const SITE = { service: 'Avouch', sandbox: true, baseUrl: () => 'http://test.invalid', nowMs: () => 0 };
const CALL: RefusedCall = { method: 'GET', address: '/v1/claim?key=k', requestId: 'r-1', operationId: 'claim' };

function shown(problem: Partial<ProblemDocument>, call: Partial<RefusedCall> = {}): string {
  const document = { title: 'Title', code: 'some_code', status: 400, detail: 'What happened.', ...problem };
  return mainOf(problemHtml(document, { ...CALL, ...call }, SITE));
}

function mainOf(page: string): string {
  return /<main[^>]*>(.*)<\/main>/s.exec(page)?.[1] ?? '';
}

const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

test('every problem code has a page that begins with a capital and offers more than the home page', async () => {
  const service = await sharedService();
  for (const { code, status, title, help } of TABLE.problems()) {
    const refused = shown({ code, status, title, detail: help }, { pagePaths: ['/log'] });
    const about = mainOf((await service.call(`/problems/${code}`, { headers: { accept: BROWSER } })).text);
    for (const [page, where] of [
      [refused, 'the refused call'],
      [about, 'the page about the code'],
    ] as const) {
      assert.match(textOf(/<h1>(.*?)<\/h1>/s.exec(page)?.[1] ?? ''), /^[A-Z0-9]/, `${code}: ${where}`);
      assert.match(textOf(/<p class="lead">(.*?)<\/p>/s.exec(page)?.[1] ?? ''), /^[A-Z/].*[.?]$/, `${code}: ${where}`);
      const buttons = [...page.matchAll(/<(?:a|button) class="button[^>]*>/g)].map(([tag]) => tag);
      assert.ok(
        buttons.some((tag) => !tag.includes('href="/"')),
        `${code}: ${where} offers an action`,
      );
    }
  }
});

test('the page about a code has what to do, an example and its calls by product', async () => {
  const service = await sharedService();
  const page = mainOf((await service.call('/problems/held', { headers: { accept: BROWSER } })).text);
  for (const part of ['What to do', 'Example response', 'Calls that return it', 'Coordination'])
    assert.ok(page.includes(part), part);
  assert.match(page, /href="\/docs\/api\/claim"/);
  assert.match(page, /&quot;code&quot;: &quot;held&quot;/);
});

test('a limit on calls leads to what is said of rate limits, and any other limit to its call', async () => {
  const service = await sharedService();
  const actionOf = async (code: string) => {
    const page = mainOf((await service.call(`/problems/${code}`, { headers: { accept: BROWSER } })).text);
    return /<a class="button[^>]*href="([^"]*)"/.exec(page)?.[1] ?? '';
  };
  const [path = '', anchor = ''] = (await actionOf('slow_down')).split('#');
  const { text } = await service.call(path, { headers: { accept: BROWSER } });
  assert.match(text, new RegExp(`<h2 id="${anchor}">`));
  assert.match(text, /Retry-After/);
  assert.equal(await actionOf('mark_limit'), '/docs/api/mark');
});

test('a failure on our side says whether something may have been saved', () => {
  const failed = (mayChange: boolean) => textOf(shown({ code: 'internal', status: 500 }, { mayChange }));
  assert.match(failed(false), /Nothing was changed\. The request id/);
  assert.match(failed(true), /We do not know whether anything was saved\./);
});

test('who already holds the lease is told to renew it, and not to wait and retry', () => {
  const detail = 'Do not wait: renew it. Only without the token, try again in 90 s.';
  const page = shown({ code: 'already_yours', status: 409, detail, wait_s: 90, retry_in_s: 4 });
  assert.doesNotMatch(page, /data-retry/);
  assert.match(textOf(page), /renew it\. Without the token, it is free again in 1 min 30 s/);
});

test('a page that is not there suggests the nearest one and searches for its words', () => {
  const page = shown(
    { code: 'not_found', status: 404 },
    { address: '/docs/quik-start.md?x=1', operationId: null, pagePaths: ['/docs/quickstart', '/log'] },
  );
  assert.match(page, /Did you mean <a href="\/docs\/quickstart">/);
  assert.match(page, /name="q"[^>]*value="docs quik-start"/);
});

test('refused fields are counted and named, with what to do', () => {
  const missing = { pointer: '#/key', code: 'required', detail: 'This field is required.' };
  const unknown = { pointer: '#/keyy', code: 'unknown_parameter', detail: 'Unknown parameter.' };
  const refused = (errors: readonly object[]) => shown({ code: 'invalid_parameters', status: 400, errors });
  const one = refused([missing]);
  assert.match(one, /<h1>1 field needs attention<\/h1>/);
  assert.match(textOf(one), /Correct it and send/);
  const two = refused([missing, unknown]);
  assert.match(two, /<h1>2 fields need attention<\/h1>/);
  assert.match(textOf(two), /Correct them and send/);
  assert.match(textOf(two), /key This field is required\. keyy Unknown parameter\./);
});

test('who is signed out is led to sign in, and back to the page they wanted', () => {
  const page = shown({ code: 'no_session', status: 401 }, { address: '/dashboard/export?agent_id=agt_1' });
  assert.match(page, /<h1>You are signed out\.<\/h1>/);
  assert.match(page, /href="\/dashboard\/login\?next=%2Fdashboard%2Fexport%3Fagent_id%3Dagt_1"/);
  const other = shown({ code: 'no_session', status: 401 }, { address: 'https://evil.example/', method: 'POST' });
  assert.match(other, /href="\/dashboard\/login"/);
});

test('what failed on our side names the request and the status page, and can be tried again', () => {
  const page = shown({ code: 'internal', status: 500 });
  assert.match(page, /<h1>Something failed on our side\.<\/h1>/);
  assert.match(page, /data-copy-value="r-1"/);
  assert.match(page, /href="\/system\/status"/);
  assert.match(page, /href="\/v1\/claim\?key=k" data-retry="0"/);
});

test('a form is not sent again by a link', () => {
  const page = shown({ code: 'slow_down', status: 429, retry_after_s: 30 }, { method: 'POST' });
  assert.doesNotMatch(page, /data-retry=/);
  assert.match(page, /Go back and send the form again\./);
});

test('texts of a problem are escaped', () => {
  const page = shown({ detail: '<img src=x onerror=y>', code: 'x"><b>' }, { address: '/"><script>' });
  assert.doesNotMatch(page, /<img|<script|<b>/);
});
