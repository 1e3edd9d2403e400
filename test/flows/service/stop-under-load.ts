// A service that is told to stop while many call it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { ChildService } from '../../support/child-service.ts';
import { Client } from '../../support/client.ts';
import { runCommand } from '../../support/command.ts';
import { isRefused } from '../../support/raw-http.ts';
import { until } from '../../support/until.ts';
import { serviceEnv } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const CALLERS = 16;
const ENOUGH = 100;

export interface Stage {
  directory(): Promise<string>;
  start(env: Record<string, string>): Promise<ChildService>;
}

/** Ends what a test started before it removes what that lies on, whether the test went well or not. */
export function stageOf(t: TestContext): Stage {
  const directories: string[] = [];
  const children: ChildService[] = [];
  t.after(async () => {
    await Promise.all(children.map((child) => child.end('SIGKILL')));
    await Promise.all(directories.map((path) => rm(path, { recursive: true, force: true })));
  });
  return {
    async directory() {
      const path = await temporaryDirectory();
      directories.push(path);
      return path;
    },
    async start(env) {
      const child = await ChildService.start(env);
      children.push(child);
      return child;
    },
  };
}

interface Load {
  /** Leases whose grant a caller has seen. */
  readonly acknowledged: Set<string>;
  /** Answers other than 200. */
  readonly strange: string[];
  /** Answers that told the caller to leave. */
  told: number;
  /** Calls whose connection was closed without an answer. */
  cut: number;
}

/** Callers that claim one new key after the other until nobody listens any more. */
function startLoad(url: string): { load: Load; busy: Promise<void>; ended: Promise<unknown> } {
  const load: Load = { acknowledged: new Set(), strange: [], told: 0, cut: 0 };
  const { promise: busy, resolve } = Promise.withResolvers<void>();
  const client = new Client();
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let number = 0; ; number += 1) {
      try {
        const answer = await client.call(url, '/v1/claim', {
          method: 'POST',
          body: { key: `key-${caller}-${number}`, agent: 'ab' },
        });
        if (answer.status === 200) load.acknowledged.add(answer.json['lease'] as string);
        else load.strange.push(answer.text);
        if (answer.headers.connection === 'close') load.told += 1;
        if (load.acknowledged.size >= ENOUGH) resolve();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ECONNREFUSED') return;
        load.cut += 1;
        assert.match(String(code), /^(ECONNRESET|EPIPE)$/);
      }
    }
  });
  return { load, busy, ended: Promise.all(callers).finally(() => client.close()) };
}

/** A call of which the server has read the head and half of the body. */
class HalfSentClaim {
  readonly #socket: Socket;
  readonly #rest: string;
  readonly #closed: Promise<unknown>;
  #received = '';

  private constructor(socket: Socket, rest: string) {
    this.#socket = socket;
    this.#rest = rest;
    this.#closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
    socket.on('data', (chunk) => (this.#received += String(chunk)));
  }

  static async send(url: string, key: string): Promise<HalfSentClaim> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const body = JSON.stringify({ key, agent: 'ab' });
    const head = ['POST /v1/claim HTTP/1.1', 'Host: test', 'Content-Type: application/json', 'Expect: 100-continue'];
    socket.write(`${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n`);
    const [told] = (await once(socket, 'data')) as [Buffer];
    assert.equal(told.toString(), 'HTTP/1.1 100 Continue\r\n\r\n');
    const claim = new HalfSentClaim(socket, body.slice(10));
    socket.write(body.slice(0, 10));
    return claim;
  }

  /** Sends the rest and gives all that comes until the server closes the connection. */
  async finish(): Promise<{ head: string; json: Record<string, unknown> }> {
    if (this.#socket.writable) this.#socket.write(this.#rest);
    await this.#closed;
    const [head = '', body = ''] = this.#received.split('\r\n\r\n');
    return { head, json: JSON.parse(body || 'null') as Record<string, unknown> };
  }
}

export function stopUnderLoad(signal: 'SIGTERM' | 'SIGINT'): void {
  test(`${signal} under load lets requests under way finish, loses no acknowledged claim and ends with 0`, async (t) => {
    const stage = stageOf(t);
    const dataDir = await stage.directory();
    const child = await stage.start(serviceEnv(dataDir, undefined));
    const { load, busy, ended } = startLoad(child.url);
    await busy;
    const halves = await Promise.all(['a', 'b', 'c'].map((name) => HalfSentClaim.send(child.url, `half-${name}`)));

    const exited = child.end(signal);
    await until('nobody listens', () => isRefused(child.url));
    assert.equal(child.process.exitCode, null, 'it waits for the requests under way');
    for (const { head, json } of await Promise.all(halves.map((half) => half.finish()))) {
      assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
      assert.match(head, /\r\nconnection: close\b/i);
      load.acknowledged.add(json['lease'] as string);
    }
    assert.equal(await exited, 0, 'a forced end would have another code');
    await ended;

    t.diagnostic(`${load.told} of ${CALLERS} callers were told to leave, ${load.cut} calls were cut on their way`);
    assert.ok(load.told > 0, 'busy callers are told to leave');
    assert.deepEqual(load.strange, []);
    assert.equal(existsSync(join(dataDir, 'avouch.db-wal')), false, 'the database was closed in order');
    using database = new DatabaseSync(join(dataDir, 'avouch.db'), { readOnly: true });
    const rows = database.prepare('SELECT id FROM lease').all() as { id: string }[];
    assert.deepEqual([...load.acknowledged.difference(new Set(rows.map(({ id }) => id)))], []);
    const verified = await runCommand(['audit-trail', 'verify'], serviceEnv(dataDir, undefined));
    assert.deepEqual([verified.code, verified.stderr], [0, '']);
  });
}
