// Bodies that take long to read.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { sharedService } from '../../support/shared-service.ts';
import type { TestService } from '../../support/service.ts';

const LONG = 300_000;

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
