import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import { PATIENT_MS } from './_settler.ts';
import { GatheredCalls } from './gathered-calls.ts';
import { type RpcCall, RpcClient } from './rpc.ts';

interface Question {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A node that answers every call with its parameter, refuses `refused`, and notes how many came in each request. */
async function echoingNode() {
  const sizes: number[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const asked = JSON.parse(text) as Question | Question[];
      const questions = Array.isArray(asked) ? asked : [asked];
      sizes.push(questions.length);
      const answers = questions.map(({ id, method, params }) =>
        method === 'refused' ? { id, error: { message: 'no' } } : { id, result: params[0] },
      );
      response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { sizes, url, [Symbol.asyncDispose]: close };
}

const echo = (value: unknown): RpcCall => ({ method: 'echo', params: [value] });
const REFUSED: RpcCall = { method: 'refused', params: [] };

suite('calls that are asked for at the same time', () => {
  test('share requests of at most ten calls, and each gets its own answers', async () => {
    await using node = await echoingNode();
    const gathered = new GatheredCalls(new RpcClient({ url: node.url, timeoutMs: PATIENT_MS }));
    const asked = Array.from({ length: 12 }, (_, index) => [echo(index), echo(`second of ${index}`)]);
    const results = await Promise.all(asked.map((calls) => gathered.all(calls)));
    assert.deepEqual(
      results,
      asked.map((_, index) => [index, `second of ${index}`]),
    );
    assert.deepEqual(
      node.sizes.toSorted((a, b) => b - a),
      [10, 10, 4],
    );
    assert.deepEqual(await gathered.all([echo('later')]), ['later']);
    assert.equal(node.sizes.length, 4);
  });

  test('are refused one by one', async () => {
    await using node = await echoingNode();
    const gathered = new GatheredCalls(new RpcClient({ url: node.url, timeoutMs: PATIENT_MS }));
    const [first, second, third] = await Promise.allSettled([
      gathered.all([echo(1)]),
      gathered.all([echo(2), REFUSED]),
      gathered.all([echo(3)]),
    ]);
    assert.deepEqual([first.status, second.status, third.status], ['fulfilled', 'rejected', 'fulfilled']);
    assert.equal((second as PromiseRejectedResult).reason.name, 'RpcRefusedError');
    assert.deepEqual((third as PromiseFulfilledResult<unknown>).value, [3]);
    assert.deepEqual(node.sizes, [4]);
  });

  test('all fail when the node is silent', async () => {
    const node = await echoingNode();
    await node[Symbol.asyncDispose]();
    const gathered = new GatheredCalls(new RpcClient({ url: node.url, timeoutMs: PATIENT_MS }));
    for (const outcome of await Promise.allSettled([gathered.all([echo(1)]), gathered.all([echo(2)])])) {
      assert.equal(outcome.status, 'rejected');
      assert.equal(outcome.reason.name, 'ChainUnavailableError');
    }
  });
});
