import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ChildService, runAvouch } from '../support/child-service.ts';
import { Client } from '../support/client.ts';
import { freshDatabase, hasPostgres } from '../support/databases.ts';
import { freePort } from '../support/free-port.ts';
import { PROCESSES_HUNG_MS, until } from '../support/until.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv } from '../support/service.ts';

const CALLERS = 8;

test('several processes on one file of SQLite are refused', async () => {
  const { code, stderr } = await runAvouch(
    ['serve', '--workers', '2'],
    serviceEnv(await temporaryDirectory(), undefined),
  );
  assert.equal(code, 2);
  assert.match(stderr, /needs PostgreSQL/);
});

suite('several processes on one port', { skip: (await hasPostgres()) ? false : 'no PostgreSQL' }, () => {
  test('are replaced one by one without a failed request, and one that is killed comes back', async () => {
    const quiet = serviceEnv(await temporaryDirectory(), await freshDatabase('postgres'));
    const env = { ...quiet, AVOUCH_LOG_LEVEL: 'info' };
    const child = await ChildService.start(env, ['serve', '--workers', '2']);
    const load = new Load(child.url);
    await load.until(() => load.answered > 200);
    const before = await pidsOf(child);
    assert.equal(before.length, 2);

    child.process.kill('SIGHUP');
    await load.until(() => child.output.stderr.includes('"msg":"workers replaced","count":2'));
    const after = await pidsOf(child);
    assert.equal(after.length, 2);
    assert.ok(after.every((pid) => !before.includes(pid)));
    assert.deepEqual(load.failures, []);

    const seen = load.answered;
    await load.until(() => load.answered > seen + 200);
    await load.end();
    assert.deepEqual(load.failures, []);

    process.kill(after[0] as number, 'SIGKILL');
    const isReplaced = (pids: readonly number[]) => pids.length === 2 && !pids.includes(after[0] as number);
    await until('a worker in the place of the killed one', async () => isReplaced(await pidsOf(child)));
    assert.equal(await child.end('SIGTERM'), 0);
  });

  test('share the port for monitoring too, and one of them answers each request', async () => {
    const opsPort = await freePort();
    const quiet = serviceEnv(await temporaryDirectory(), await freshDatabase('postgres'));
    const child = await ChildService.start({ ...quiet, AVOUCH_OPS_PORT: String(opsPort) }, ['serve', '--workers', '2']);
    const ops = `http://127.0.0.1:${opsPort}`;
    // Each answer is on a connection of its own: the process that keeps the workers hands out connections.
    const ask = (path: string) => fetch(`${ops}${path}`, { headers: { connection: 'close' } });
    for (const path of ['/livez', '/readyz']) {
      const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await ask(path)).status));
      assert.deepEqual(new Set(statuses), new Set([200]), path);
      assert.equal((await fetch(`${child.url}${path}`)).status, 404, path);
    }
    const startOf = async () => /^process_start_time_seconds (\S+)$/m.exec(await (await ask('/metrics')).text())?.[1];
    const starts = new Set<string | undefined>();
    await until('the figures of both workers', async () => starts.add(await startOf()).size === 2);
    assert.ok(!starts.has(undefined));
    const [worker = 0] = await pidsOf(child);
    process.kill(worker, 'SIGKILL');
    await until('a worker that is not the killed one', async () => !(await pidsOf(child)).includes(worker));
    assert.equal((await ask('/livez')).status, 200, 'the other worker answers');
    assert.equal(await child.end('SIGTERM'), 0);
  });
});

/** Callers that claim without a pause on connections that stay. */
class Load {
  answered = 0;
  readonly failures: string[] = [];
  readonly #client = new Client();
  readonly #ends: Promise<void>[];
  #isOver = false;

  constructor(url: string) {
    this.#ends = Array.from({ length: CALLERS }, (_, caller) => this.#claim(url, caller));
  }

  async until(isSo: () => boolean): Promise<void> {
    await until('the load', () => isSo() || this.failures.length > 0, PROCESSES_HUNG_MS);
    assert.deepEqual(this.failures, []);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#ends);
    this.#client.close();
  }

  async #claim(url: string, caller: number): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) {
      const body = { key: `k:${caller}-${n}`, agent: 'worker-test' };
      try {
        const { status, text } = await this.#client.call(url, '/v1/claim', { method: 'POST', body });
        if (status === 200) this.answered += 1;
        else this.failures.push(`${status} ${text}`);
      } catch (error) {
        this.failures.push(String(error));
      }
    }
  }
}

/** The children of the process that keeps them. */
async function pidsOf(child: ChildService): Promise<number[]> {
  const { readFile } = await import('node:fs/promises');
  const { pid } = child.process;
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}
