import http, { type RequestOptions } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { ManualClock } from '#kernel/clock.ts';
import { freePort } from '../support/free-port.ts';
import { PaidService } from '../support/paid-service.ts';
import { CALLED_ROWS, ExampleCalls, NOT_CALLED, type Row } from './example-calls.ts';
import { seedWith } from './seeded-random.ts';

interface Recorded {
  readonly name: string;
  readonly input: Row;
  readonly output: unknown;
}

export type Recording = Readonly<Record<string, readonly Recorded[]>>;

const START_MS = Date.UTC(2026, 10, 15, 10);
/** Nobody's address: what is sent there goes to the service of this process. */
const HOST = 'avouch.example';
/** Examples that somebody wrote: they cannot be called here, or what is answered is too long to be read. */
export const NOT_RECORDED: Readonly<Record<string, string>> = {
  ...NOT_CALLED,
  start_page: 'its agent would be one more in the examples of the others',
  start: 'as start_page',
  start_call: 'as start_page',
  start_topup: 'as start_page',
  log_checkpoint: 'its ML-DSA line is long, and another each time',
  log_tile: 'bytes',
  attest_receipt: 'bytes',
  log_consistency: 'bytes',
  scitt_keys: 'bytes',
  scitt_key: 'bytes',
  health: 'what was probed by then depends on the machine',
  system_status: 'as health',
  attest_schemas: 'a long list of which one row says enough',
};

/** What the service answers to the examples of these operations; on a quiet machine the same each time, to the letter. */
export async function record(operationIds: readonly string[]): Promise<Recording> {
  const clock = new ManualClock(START_MS);
  const port = await freePort();
  sendTo(port);
  const env = { BASE_URL: `https://${HOST}`, PORT: String(port) };
  await using paid = await PaidService.start({ clock, env });
  // Read at the first moment, whatever a busy machine does first.
  await paid.service.runNow('bounties');
  const calls = new ExampleCalls(paid, ({ operationId }) => {
    clock.advance(1_000);
    seedWith(operationId);
  });
  const recorded: Record<string, Recorded[]> = {};
  for (const row of CALLED_ROWS.filter(({ operationId }) => operationIds.includes(operationId))) {
    const own: Recorded[] = [];
    for (const [place, { name, input }] of row.examples.entries()) {
      const called = place === 0 ? await calls.first(row.operationId) : await calls.call(row, input);
      const isJson = /json/.test(called.answer.headers['content-type'] ?? '');
      own.push({ name, input: called.input, output: isJson ? called.answer.json : called.answer.text });
    }
    recorded[row.operationId] = own;
  }
  return recorded;
}

function sendTo(port: number): void {
  const { request } = http;
  const redirected = (options: RequestOptions, ...rest: never[]) =>
    request(options.hostname === HOST ? { ...options, hostname: '127.0.0.1', port } : options, ...rest);
  Object.assign(http, { request: redirected });
  syncBuiltinESMExports();
}
