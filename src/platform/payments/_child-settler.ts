// A process that settles: node _child-settler.ts <database url> <rpc url> <payments as JSON> [stop before: broadcast]
import { readFileSync } from 'node:fs';
import { systemClock } from '#kernel/clock.ts';
import { newCommandId } from '#kernel/ids.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import { GroupCommitter } from '#platform/storage/committer.ts';
import { PostgresEngine } from '#platform/storage/postgres.ts';
import { SqliteEngine } from '#platform/storage/sqlite.ts';
import { PATIENT_MS, settleable, settlerOn } from './_settler.ts';
import { RpcClient } from './rpc.ts';

/** Dies in place of the first broadcast: everything before it is done. */
class DyingRpc extends RpcClient {
  override call(method: string, params: readonly unknown[]): Promise<unknown> {
    if (method === 'eth_sendRawTransaction') process.kill(process.pid, 'SIGKILL');
    return super.call(method, params);
  }
}

const [database = '', rpcUrl = '', file = '', dies] = process.argv.slice(2);
const clock = systemClock();
const engine = database.startsWith('postgres')
  ? await PostgresEngine.open({ url: database, process: newCommandId(), clock })
  : new SqliteEngine(database, clock);
const store = new GroupCommitter({ engine, clock, maxBatch: 256, maxQueue: 10_000 });
const rpc = dies === undefined ? {} : { rpc: new DyingRpc({ url: rpcUrl, timeoutMs: PATIENT_MS }) };
const settler = settlerOn(rpcUrl, store, rpc);
const given = JSON.parse(readFileSync(file, 'utf8')) as { authorization: Record<string, string>; signature: Hex }[];
const payments = given.map(({ authorization: { from, to, value, validAfter, validBefore, nonce }, signature }) =>
  settleable(
    {
      from: from as Hex,
      to: to as Hex,
      nonce: nonce as Hex,
      value: BigInt(value as string),
      validAfter: BigInt(validAfter as string),
      validBefore: BigInt(validBefore as string),
    },
    signature,
  ),
);
// A few at a time, so that the processes take turns with their batches.
const outcomes: string[] = [];
for (let i = 0; i < payments.length; i += 4) {
  const settled = await Promise.all(payments.slice(i, i + 4).map((one) => settler.settle(one)));
  outcomes.push(...settled.map(({ outcome }) => outcome));
}
process.stdout.write(JSON.stringify(outcomes));
await settler[Symbol.asyncDispose]();
await store.close();
