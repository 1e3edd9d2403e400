// Bodies that take long to read, or that many callers send at once: nobody waits for those of another.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { suite, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { newAddress, sharedService } from '../../support/shared-service.ts';
import type { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { registeredAgent } from '../../support/wallet.ts';

const LONG = 300_000;
const MIB = 1024 * 1024;

function send(service: TestService, body: string | Buffer) {
  const headers = { 'content-type': 'application/json' };
  return service.call('/v1/receipts/verify', { method: 'POST', body, headers });
}

suite('a body that is read in a thread', () => {
  test('is answered as a short one is', async () => {
    const service = await sharedService();
    const filler = `"answer":{"text":"${'a'.repeat(LONG)}"}`;
    const short = `"answer":{"text":"a"}`;
    for (const [what, whole] of [
      ['a member twice', (text: string) => `{${text},"request":{"a":1,"a":2}}`],
      ['a name that is not taken', (text: string) => `{${text},"__proto__":{}}`],
      ['a member that is none', (text: string) => `{${text},"surprise":1}`],
      ['no JSON', (text: string) => `{${text}`],
      ['a list', (text: string) => `[{${text}}]`],
      ['a receipt that is none', (text: string) => `{${text}}`],
    ] as const) {
      const [long, expected] = [await send(service, whole(filler)), await send(service, whole(short))];
      assert.equal(long.status, expected.status, what);
      const { request_id: _, ...rest } = expected.json;
      assert.deepEqual({ ...long.json, request_id: undefined }, { ...rest, request_id: undefined }, what);
    }
    const broken = Buffer.concat([
      Buffer.from(`{"answer":"${'a'.repeat(LONG)}`),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    expectProblem(await send(service, broken), 400, 'malformed_json');
  });
});

test('a body with more members and items than are looked at is refused, however long and however nested it is', async () => {
  const service = await sharedService();
  const wide = (count: number) => `{"answer":{${Array.from({ length: count }, (_, at) => `"m${at}":1`).join()}}}`;
  const deep = (count: number) => `{"answer":{"a":${'['.repeat(count)}${']'.repeat(count)}}}`;
  for (const body of [wide(20_000), deep(20_000), wide(70_000), deep(400_000)]) {
    const { errors } = expectProblem(await send(service, body), 400, 'invalid_parameters') as { errors: object[] };
    assert.partialDeepStrictEqual(errors, [{ pointer: '#', code: 'too_many_values' }]);
  }
  const many = `{${Array.from({ length: 300 }, (_, at) => `"m${at}":1`).join()}}`;
  const { errors } = expectProblem(await send(service, many), 400, 'invalid_parameters') as { errors: object[] };
  assert.partialDeepStrictEqual(errors, [{ pointer: '#', code: 'too_many_members' }]);
});

/** A call that has sent all of its body but the last byte. */
async function unfinished(service: TestService, key: string, address: string, bytes: number): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    'POST /capabilities/execute HTTP/1.1',
    'Host: test',
    'Content-Type: application/json',
    `X-Agent-Key: ${key}`,
    `X-Forwarded-For: ${address}`,
    `Content-Length: ${bytes}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(Buffer.alloc(bytes - 1, ' '));
  return socket.on('error', () => {});
}

test('who keeps long bodies unfinished is refused further ones until they are gone, and nobody else is', async () => {
  const service = await sharedService();
  const { key } = await registeredAgent(service);
  const [greedy, other] = [newAddress(), newAddress()];
  const sockets = await Promise.all([1, 2].map(() => unfinished(service, key, greedy, 16 * MIB)));
  const long = `{"answer":{"text":"${'a'.repeat(LONG)}"}}`;
  await until('its share is used up', async () => (await send(service.from(greedy), long)).status === 503);
  const refused = await send(service.from(greedy), long);
  expectProblem(refused, 503, 'too_many_bodies');
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.notEqual((await send(service.from(greedy), '{"answer":{"text":"short"}}')).status, 503);
  assert.notEqual((await send(service.from(other), long)).status, 503);
  for (const socket of sockets) socket.destroy();
  await until('there is room again', async () => (await send(service.from(greedy), long)).status !== 503);
});
