import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Order } from './_thread-program.ts';
import { until } from '../../test/support/until.ts';
import { ownMemory, Thread, ThreadEndedError } from './thread.ts';

const PROGRAM = new URL('./_thread-program.ts', import.meta.url);

function threadOf(options: Partial<ConstructorParameters<typeof Thread>[0]> = {}): Thread<Order, unknown> {
  return new Thread<Order, unknown>({ of: 'the test', program: PROGRAM, ...options });
}

test('everybody gets the answer to the own request, and a fault reaches only who asked for it', async () => {
  await using thread = threadOf({ workerData: 7 });
  const [first, fault, second] = await Promise.allSettled([thread.ask('say'), thread.ask('fault'), thread.ask('say')]);
  assert.deepEqual(first, { status: 'fulfilled', value: { answered: 1, workerData: 7 } });
  assert.deepEqual(second, { status: 'fulfilled', value: { answered: 3, workerData: 7 } });
  assert.ok(fault.status === 'rejected' && fault.reason instanceof RangeError && fault.reason.message === 'not that');
});

test('bytes that have their memory for themselves are handed over both ways', async () => {
  await using thread = threadOf();
  const bytes = new Uint8Array(1_000).fill(9);
  assert.deepEqual(ownMemory(bytes.subarray(1)), []);
  const back = await thread.ask(bytes, ownMemory(bytes));
  assert.equal(bytes.byteLength, 0);
  assert.deepEqual(back, new Uint8Array(1_000).fill(9));
});

for (const [order, cause] of [
  ['die', undefined],
  ['throw', 'uncaught'],
] as const) {
  test(`all who wait are told of a thread that dies (${order}), and the next request starts another one`, async () => {
    await using thread = threadOf();
    const ended = (error: unknown) => {
      assert.ok(error instanceof ThreadEndedError);
      assert.deepEqual([error.message, error.isStopped], ['the thread of the test ended', false]);
      return (error.cause as Error | undefined)?.message === cause;
    };
    const hanging = assert.rejects(thread.ask('hang'), ended);
    await Promise.all([hanging, assert.rejects(thread.ask(order), ended)]);
    assert.partialDeepStrictEqual(await thread.ask('say'), { answered: 1 });
  });
}

test('a thread that was stopped lets those go who wait, and takes no more', async () => {
  const thread = threadOf();
  const isStopped = (error: unknown) => error instanceof ThreadEndedError && error.isStopped;
  const waiting = assert.rejects(thread.ask('hang'), isStopped);
  await thread[Symbol.asyncDispose]();
  await waiting;
  await assert.rejects(thread.ask('say'), isStopped);
  await thread[Symbol.asyncDispose]();
});

test('a thread that has time to stop closes what it has open', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'avouch-thread-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  for (const stopMs of [60_000, Number.POSITIVE_INFINITY]) {
    const file = join(directory, String(stopMs));
    const thread = threadOf({ workerData: file, stopMs });
    await thread.ask('say');
    await thread[Symbol.asyncDispose]();
    assert.ok(existsSync(file));
  }
});

test('a thread of which nothing is asked for a while ends, and the next request starts another one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await using thread = threadOf({ idleMs: 5_000 });
  await thread.ask('say');
  t.mock.timers.tick(4_999);
  assert.partialDeepStrictEqual(await thread.ask('say'), { answered: 2 });
  t.mock.timers.tick(5_000);
  assert.partialDeepStrictEqual(await thread.ask('say'), { answered: 1 });
});

test('a thread that keeps something for a later request ends only when it no longer does', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let holdsWork = true;
  await using thread = threadOf({ idleMs: 5_000, holdsWork: () => holdsWork });
  await thread.ask('say');
  t.mock.timers.tick(20_000);
  assert.partialDeepStrictEqual(await thread.ask('say'), { answered: 2 });
  holdsWork = false;
  t.mock.timers.tick(5_000);
  assert.partialDeepStrictEqual(await thread.ask('say'), { answered: 1 });
});

test('a thread that ends at rest closes what it has open', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const directory = mkdtempSync(join(tmpdir(), 'avouch-thread-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'closed');
  await using thread = threadOf({ workerData: file, idleMs: 5_000, stopMs: 60_000 });
  await thread.ask('say');
  t.mock.timers.tick(5_000);
  await until('the thread to close', () => existsSync(file));
});

test('a process waits for an answer, and not for a thread at rest', () => {
  const script = `
    import { Thread } from '${new URL('./thread.ts', import.meta.url)}';
    const thread = new Thread({ of: 'the test', program: new URL('${PROGRAM}') });
    thread.ask('say').then(({ answered }) => process.stdout.write(String(answered)));`;
  const options = { encoding: 'utf8', timeout: 60_000 } as const;
  assert.equal(execFileSync(process.execPath, ['--eval', script], options), '1');
});
