import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import { OPERATIONS, TABLE } from '../../../src/areas.ts';
import { Client } from '../../support/client.ts';
import { TestService } from '../../support/service.ts';

const LINE = /^([a-z_]+)(?:\{(.*)\})? (-?[\d.]+(?:e[+-]?\d+)?)$/;

suite('figures for the operator', () => {
  test('tell of every call by operation, status and time, with labels that no caller can add to', async () => {
    await using service = await TestService.start();
    await service.call('/v1/look?key=k:1');
    await service.call('/v1/look');
    for (const path of ['/nowhere', '/v1/evil%22%0Aavouch_up', '/%00']) await service.call(path);
    const { status, headers, text } = await service.call('/metrics');
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    const samples = text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => LINE.exec(line) ?? assert.fail(line));
    const valueOf = (name: string, labels: string) =>
      Number(samples.find(([, given, of = '']) => given === name && of === labels)?.[3]);
    assert.equal(valueOf('avouch_calls_total', 'op="look",status="200"'), 1);
    assert.equal(valueOf('avouch_calls_total', 'op="look",status="400"'), 1);
    assert.equal(valueOf('avouch_call_seconds_bucket', 'op="look",le="+Inf"'), 2);
    assert.equal(valueOf('avouch_call_seconds_count', 'op="look"'), 2);
    assert.equal(valueOf('avouch_component_up', 'id="storage"'), 1);
    assert.ok(valueOf('process_resident_memory_bytes', '') > 1e6);
    assert.ok(valueOf('avouch_log_entries', '') >= 1);
    const known = new Set(['none', ...OPERATIONS.map(({ operationId }) => operationId)]);
    const codes = new Set(TABLE.problems().map(({ code }) => code));
    for (const [, name, labels = ''] of samples) {
      const op = /op="([^"]*)"/.exec(labels)?.[1];
      if (op !== undefined) assert.ok(known.has(op) || op.startsWith('op:'), op);
      const code = /code="([^"]*)"/.exec(labels)?.[1];
      if (name === 'avouch_problems_total') assert.ok(codes.has(code ?? ''), labels);
    }
  });

  test('are nobody else’s: what a proxy passed on finds nothing, unless the proxy is trusted and names the operator', async () => {
    await using open = await TestService.start();
    const forwarded = [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }, { via: '1.1 cache' }];
    for (const path of ['/metrics', '/livez', '/readyz']) {
      assert.equal((await open.call(path)).status, 200, path);
      for (const headers of forwarded) assert.equal((await open.call(path, { headers })).status, 404, path);
      assert.equal((await open.call(path, { method: 'POST' })).status, 404, path);
      assert.doesNotMatch((await open.call('/openapi.json')).text, new RegExp(`"${path}"`));
    }
    const env = { AVOUCH_TRUSTED_PROXIES: '127.0.0.1', AVOUCH_OPS_ALLOW: '192.0.2.7' };
    await using behind = await TestService.start({ env });
    const statusFor = async (address: string) =>
      (await behind.call('/readyz', { headers: { 'x-forwarded-for': address } })).status;
    assert.equal(await statusFor('192.0.2.7'), 200);
    assert.equal(await statusFor('192.0.2.8'), 404);
  });

  test('are open to a range of addresses, and a range of proxies may name who calls', async () => {
    const env = { AVOUCH_TRUSTED_PROXIES: '127.0.0.0/8,fd00::/8', AVOUCH_OPS_ALLOW: '192.0.2.0/25,2001:db8::/32' };
    await using behind = await TestService.start({ env });
    const statusFor = async (address: string) =>
      (await behind.call('/readyz', { headers: { 'x-forwarded-for': address } })).status;
    for (const address of ['192.0.2.1', '192.0.2.127', '2001:db8::7']) assert.equal(await statusFor(address), 200);
    for (const address of ['192.0.2.128', '2001:db9::7']) assert.equal(await statusFor(address), 404);
  });

  test('have a port of their own where one is set, and are then nowhere else', async () => {
    await using service = await TestService.start({ env: { AVOUCH_OPS_PORT: '0' } });
    const port = service.service.operatorPort;
    const client = new Client();
    const ask = (path: string) =>
      client.call(`http://127.0.0.1:${port}`, path, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    for (const path of ['/metrics', '/livez', '/readyz']) {
      assert.equal((await service.call(path)).status, 404, path);
      assert.equal((await ask(path)).status, 200, path);
    }
    for (const path of ['/', '/v1/look?key=a', '/api/v1/health', '/mcp'])
      assert.equal((await ask(path)).status, 404, path);
    client.close();
  });

  test('a process that stops says so before it refuses calls', async (t) => {
    await using service = await TestService.start({ env: { AVOUCH_DRAIN_SECONDS: '20' } });
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const stopped = service.service[Symbol.asyncDispose]();
    const { status, json } = await service.call('/readyz');
    assert.deepEqual([status, json], [503, { status: 'not_ready', health: 'ok', reason: 'stopping' }]);
    assert.equal((await service.call('/v1/look?key=k:1')).status, 200);
    assert.equal((await service.call('/livez')).status, 200);
    t.mock.timers.tick(20_000);
    t.mock.timers.reset();
    await stopped;
  });
});

suite('traces', () => {
  test('continue the caller’s trace, one span per call, and a collector that is away costs no call', async () => {
    const bodies: string[] = [];
    let status = 200;
    const collector = createServer((request, response) => {
      let text = '';
      request.on('data', (piece) => (text += String(piece)));
      request.on('end', () => {
        bodies.push(text);
        response.writeHead(status).end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const env = { AVOUCH_OTLP_URL: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` };
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    {
      await using service = await TestService.start({ env });
      const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
      assert.equal((await service.call('/v1/look?key=k:1', { headers: { traceparent } })).status, 200);
      assert.equal((await service.call('/v1/look', { headers: { traceparent: 'garbage' } })).status, 400);
    }
    const spans = bodies.flatMap((body) => spansIn(JSON.parse(body)));
    const [good, bad] = spans.filter(({ name }) => name === 'look');
    assert.equal(good?.traceId, traceId);
    assert.equal(good?.parentSpanId, '00f067aa0ba902b7');
    assert.match(bad?.traceId ?? '', /^[\da-f]{32}$/);
    assert.notEqual(bad?.traceId, traceId);
    status = 503;
    {
      await using service = await TestService.start({ env });
      assert.equal((await service.call('/v1/look?key=k:1')).status, 200);
    }
    collector.close();
  });
});

interface SpanText {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
}

function spansIn(body: { resourceSpans: { scopeSpans: { spans: SpanText[] }[] }[] }): SpanText[] {
  return body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}
