// Several processes of one installation keep the limit of a register together.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { freshDatabase, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { PaidService, START_MS } from '../../support/paid-service.ts';
import { startScripted } from '#platform/registers/_scripted.ts';

const BURST = 20;
/** Each asks for a number and then for a name: more than the burst of one process. */
const BUYS = 12;
/** The next token is further away than a question may take. */
const IMPATIENT = { deadlineMs: 60_000, attemptMs: 60_000, retries: 0, bucket: { perSecond: 0.001, burst: BURST } };

test('two processes on one database together send Companies House no more than one may', {
  skip: !(await hasPostgres()) && 'no PostgreSQL here',
}, async (t) => {
  let asked = 0;
  await using register = await startScripted((_, path) => {
    if (!path.startsWith('/ch/')) return { status: 500, body: '' };
    asked += 1;
    return { status: 404, body: JSON.stringify({ errors: [{ error: 'company-profile-not-found' }] }) };
  });
  const clock = new ManualClock(START_MS);
  const databaseUrl = await freshDatabase('postgres');
  const dataDir = await temporaryDirectory();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const options = { clock, databaseUrl, dataDir, registerSimulators: { simulators: register, policy: IMPATIENT } };
  await using stack = new AsyncDisposableStack();
  const services: PaidService[] = [];
  for (let n = 0; n < 2; n += 1) services.push(stack.use(await PaidService.start(options)));
  // With a heartbeat a process learns of the others.
  for (const { service } of services) await service.heartbeat();
  for (const [n, paid] of services.entries()) {
    for (let i = 0; i < BUYS; i += 1) await paid.buy(`/v1/uk-company-check?company=000${n}00${10 + i}`);
  }
  assert.equal(asked, BURST, 'the clock stands still, so that nothing is added');
});
