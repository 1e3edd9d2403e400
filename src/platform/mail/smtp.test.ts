import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { expire } from '#platform/storage/expiry.ts';
import type { Store } from '#platform/storage/store.ts';
import { openStore } from '../../../test/support/engines.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import type { Mail } from './mail.ts';
import { Outbox } from './outbox.ts';
import { SmtpTransport } from './smtp.ts';
import { MAIL_EXPIRY } from './sql.ts';

const FROM = 'Avouch <no-reply@avouch.example>';
const MAIL: Mail = { to: 'ops@example.org', subject: 'Log in', body: 'https://avouch.example/cabinet/login#x\n' };

/** A mail server on loopback that keeps what it takes. */
async function mailServer(options: SMTPServerOptions = {}) {
  const taken: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    ...options,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        taken.push(Buffer.concat(chunks).toString('utf8'));
        done();
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as { port: number };
  return {
    taken,
    url: `smtp://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((end) => server.close(() => end())),
  };
}

interface Bench extends AsyncDisposable {
  readonly outbox: Outbox;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly queue: (mail?: Mail) => Promise<unknown>;
  readonly rows: () => Promise<readonly Record<string, unknown>[]>;
  readonly warned: string[];
}

async function bench(url: string, engine: (typeof ENGINES)[number] = 'sqlite', timeoutMs = 60_000): Promise<Bench> {
  const clock = new ManualClock(1_800_000_000_000);
  const opened = await openStore(engine, { injectedClock: clock });
  const transport = new SmtpTransport({ url, from: FROM, timeoutMs });
  const warned: string[] = [];
  const warn = (message: string, fields: object) => void warned.push(`${message} ${JSON.stringify(fields)}`);
  const outbox = new Outbox({ store: opened.store, clock, transport, warn });
  return {
    outbox,
    store: opened.store,
    clock,
    warned,
    queue: (mail = MAIL) => opened.store.runAll([outbox.queue(mail)]),
    rows: () => opened.store.read('SELECT * FROM mail_outbox ORDER BY created_at, id'),
    async [Symbol.asyncDispose]() {
      transport[Symbol.dispose]();
      await opened.store.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`a queued mail leaves once, as text, and its body is forgotten (${engine})`, { skip }, async () => {
    await using server = await mailServer();
    await using desk = await bench(server.url, engine);
    await desk.queue();
    await desk.outbox.run();
    await desk.outbox.run();
    assert.equal(server.taken.length, 1);
    const [mail = ''] = server.taken;
    for (const line of [/^From: Avouch <no-reply@avouch\.example>/m, /^To: ops@example\.org/m, /^Subject: Log in/m]) {
      assert.match(mail, line);
    }
    assert.match(mail, /^Auto-Submitted: auto-generated/m);
    assert.match(mail, /^Content-Type: text\/plain; charset=utf-8/m);
    assert.doesNotMatch(mail, /multipart|text\/html/);
    const [row] = await desk.rows();
    assert.deepEqual([row?.['state'], row?.['body'], row?.['next_at']], ['sent', null, null]);
    assert.match(mail, new RegExp(`^Message-ID: <${String(row?.['id'])}@avouch\\.example>`, 'm'));
    assert.equal(desk.outbox.status().status, 'up');
    desk.clock.advance(31 * DAY_MS);
    assert.deepEqual([await expire(desk, MAIL_EXPIRY), await desk.rows()], [1, []]);
  });
}

test('a mail that is refused is tried five times more, at last ten minutes apart, and then given up', async () => {
  const refusal = Object.assign(new Error('mailbox of ops@example.org is full'), { responseCode: 452 });
  await using server = await mailServer({ onRcptTo: (_address, _session, done) => done(refusal) });
  await using desk = await bench(server.url);
  await desk.queue();
  const waits: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    await desk.outbox.run();
    const [row] = await desk.rows();
    if (row?.['next_at'] === null) break;
    const waitMs = Number(row?.['next_at']) - desk.clock.now();
    waits.push(waitMs / 1_000);
    assert.equal(desk.outbox.status().status, 'degraded');
    desk.clock.advance(waitMs - 1);
    const before = desk.warned.length;
    await desk.outbox.run();
    assert.equal(desk.warned.length, before, 'not before its time');
    desk.clock.advance(1);
  }
  assert.deepEqual(waits, [10, 60, 180, 360, 600]);
  const [row] = await desk.rows();
  assert.deepEqual([row?.['state'], row?.['tries'], row?.['body']], ['failed', 6, null]);
  assert.equal(desk.warned.length, 6);
  assert.doesNotMatch(desk.warned.join(), /ops@/, 'the log names nobody');
});

test('a server that comes back gets the mail', async () => {
  let isUp = false;
  const busy = Object.assign(new Error('later'), { responseCode: 421 });
  await using server = await mailServer({ onMailFrom: (_address, _session, done) => done(isUp ? null : busy) });
  await using desk = await bench(server.url);
  await desk.queue();
  await desk.outbox.run();
  assert.equal(server.taken.length, 0);
  isUp = true;
  desk.clock.advance(10_000);
  await desk.outbox.run();
  assert.deepEqual([server.taken.length, desk.outbox.status().status], [1, 'up']);
});

test('servers that are silent, hang up or are not there fail the attempt and nothing else', async () => {
  for (const [why, greet] of [
    ['silent', () => {}],
    ['hangs up', (socket: { destroy(): void }) => socket.destroy()],
    ['hangs up later', (socket: { end(text: string): void }) => socket.end('220 here\r\n')],
    ['no mail server', (socket: { end(text: string): void }) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ] as const) {
    const server = createServer(greet as never).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await using desk = await bench(`smtp://127.0.0.1:${port}`, 'sqlite', why === 'silent' ? 100 : undefined);
    await desk.queue();
    await desk.outbox.run();
    const [row] = await desk.rows();
    assert.deepEqual([row?.['state'], row?.['tries']], ['queued', 1], why);
    server.close();
  }
  await using desk = await bench('smtp://127.0.0.1:1');
  await desk.queue();
  await desk.outbox.run();
  assert.equal((await desk.rows())[0]?.['tries'], 1);
});

test('a login mail older than its link is dropped unsent, and not tried beyond it', async () => {
  await using server = await mailServer();
  await using desk = await bench(server.url);
  await desk.queue({ ...MAIL, dropAtMs: desk.clock.now() + 900_000 });
  desk.clock.advance(900_000);
  await desk.outbox.run();
  const [row] = await desk.rows();
  assert.deepEqual([server.taken.length, row?.['state'], row?.['body']], [0, 'failed', null]);
});

test('a subject cannot bring headers along', async () => {
  await using server = await mailServer();
  await using desk = await bench(server.url);
  await desk.queue({ ...MAIL, subject: 'x\r\nBcc: other@example.org' });
  await desk.outbox.run();
  assert.doesNotMatch(server.taken[0] ?? '', /^Bcc:/m);
});
