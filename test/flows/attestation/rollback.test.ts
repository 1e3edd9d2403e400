// A data directory that was put back from an older copy, and two copies of one that both run.
import assert from 'node:assert/strict';
import { cp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Status } from '#areas/discovery/status-answer.ts';
import { ed25519Cosigner } from '#protocol/cosignature.ts';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';
import { formatNote, parseNote, type SignedNote } from '#protocol/note.ts';
import { formatVkey } from '#protocol/note-key.ts';
import { ChildService } from '../../support/child-service.ts';
import { expectProblem } from '../../support/client.ts';
import { runCommand } from '../../support/command.ts';
import { ENGINES, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { sealRecord } from '../../support/log.ts';
import { serviceEnv, TestService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** A witness that remembers what it is told to, and cosigns nothing that comes. */
class RememberingWitness implements AsyncDisposable {
  readonly #server = createServer((request, response) => {
    request.resume();
    void this.#answer(request, response);
  });
  readonly #cosigner = ed25519Cosigner('w1.example', ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(9)));
  /** A checkpoint with what its log has signed; null for nothing. */
  remembers: SignedNote | null = null;
  /** What happens while it is asked what it remembers. */
  meanwhile: () => Promise<void> = async () => {};

  async env(directory: string): Promise<Record<string, string>> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    const file = join(directory, 'policy');
    const vkey = formatVkey(this.#cosigner.key);
    await writeFile(file, `witness w1 ${vkey} http://127.0.0.1:${port}/\nquorum w1\n`);
    return { AVOUCH_WITNESS_POLICY_FILE: file, AVOUCH_WITNESS_EVERY_S: '3600' };
  }

  async #answer({ method }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (method === 'GET') await this.meanwhile();
    if (this.remembers === null) return void response.writeHead(404).end();
    const { text, signatures } = this.remembers;
    if (method === 'POST')
      return void response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${text.split('\n')[1]}\n`);
    const line = this.#cosigner.cosign(text, 1_700_000_000);
    response.writeHead(200).end(formatNote({ text, signatures: [...signatures, line] }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Seals, stops, and gives the newest checkpoint. */
async function runOn(dataDir: string, statements: readonly string[]): Promise<SignedNote> {
  await using service = await TestService.start({ dataDir });
  // Awaited here: the service is stopped when this function ends.
  return await sealAll(service, statements);
}

async function sealAll(service: TestService, statements: readonly string[]): Promise<SignedNote> {
  for (const statement of statements) assert.equal((await sealRecord(service, statement)).status, 201);
  await service.runNow('publish');
  return parseNote((await service.call('/astralock/checkpoint')).text);
}

async function logStatus(service: TestService) {
  await service.heartbeat();
  const { log, components } = Status.parse((await service.call('/system/status')).json);
  return { ...log, state: components.find(({ id }) => id === 'log')?.status };
}

test('a start says in one line that nobody outside the data directory remembers its log', async () => {
  const dataDir = await temporaryDirectory();
  const child = await ChildService.start({ ...serviceEnv(dataDir, undefined), AVOUCH_LOG_LEVEL: 'debug' });
  const lines = child.output.stderr.split('\n').filter((line) => line.includes('"msg":"log continuity not verified"'));
  assert.equal(lines.length, 1, child.output.stderr);
  assert.match(lines[0] ?? '', /"cause":"no witness remembers this log: /);
  await child.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

suite('a data directory beside a witness that remembers its log', () => {
  let root: string;
  let witness: RememberingWitness;
  let env: Record<string, string>;
  let newest: string;
  let checkpoint: SignedNote;
  const copy = async (from: string, name: string) => {
    const to = join(root, name);
    await cp(join(root, from), to, { recursive: true });
    return to;
  };
  before(async () => {
    root = await temporaryDirectory();
    witness = new RememberingWitness();
    env = await witness.env(root);
    newest = join(root, 'newest');
    await runOn(newest, ['one']);
    await copy('newest', 'older');
    checkpoint = await runOn(newest, ['two', 'three']);
  });
  after(async () => {
    await witness[Symbol.asyncDispose]();
    await rm(root, { recursive: true, force: true });
  });

  test('an older copy of the whole directory is not started, and one line says what to do', async () => {
    witness.remembers = checkpoint;
    const dataDir = await copy('older', 'put-back');
    await assert.rejects(
      TestService.start({ dataDir, env }),
      /^LogError: witness w1 has cosigned 8 entries of sandbox\S+, the database holds 6: restore the newest database, and serve no older copy/,
    );
    const { stdout, code } = await runCommand(['doctor', '--json'], serviceEnv(dataDir, undefined, env));
    const { checks } = JSON.parse(stdout) as { checks: { id: string; status: string; detail: string }[] };
    const rollback = checks.find(({ id }) => id === 'rollback');
    assert.deepEqual([rollback?.status, code], ['fail', 1]);
    assert.match(rollback?.detail ?? '', /^Witness w1 has cosigned 8 entries/);
  });

  test('a copy that went another way is not started, however long it has become', async () => {
    witness.remembers = null;
    const dataDir = await copy('older', 'other-way');
    await runOn(dataDir, ['other', 'and another', 'and more']);
    witness.remembers = checkpoint;
    await assert.rejects(
      TestService.start({ dataDir, env }),
      /witness w1 has cosigned other first 8 entries of sandbox\S+ than the database holds: two copies of one data directory went on/,
    );
  });

  test('the newest directory is started, and its status says that a witness agrees', async () => {
    witness.remembers = checkpoint;
    await using service = await TestService.start({ dataDir: await copy('newest', 'again'), env });
    assert.deepEqual([(await logStatus(service)).continuity, (await logStatus(service)).state], ['witness', 'up']);
  });

  test('where the witness knows nothing, does not answer or is none, the start goes on and nothing is called checked', async () => {
    witness.remembers = null;
    const dataDir = await copy('newest', 'unchecked');
    const nowhere = join(root, 'nowhere');
    const vkey = formatVkey(ed25519Cosigner('w2.example', ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(8))).key);
    await writeFile(nowhere, `witness w2 ${vkey} http://127.0.0.1:1/\nquorum w2\n`);
    for (const given of [env, { AVOUCH_WITNESS_POLICY_FILE: nowhere }, {}]) {
      await using service = await TestService.start({ dataDir, env: given });
      assert.equal((await logStatus(service)).continuity, 'not_checked');
      const { stdout } = await runCommand(['doctor'], serviceEnv(dataDir, undefined, given));
      assert.match(stdout, /^- +rollback +Not checked: (?:No witness |The log has no witnesses)/m);
    }
  });

  test('a copy that runs while another one goes on is told so by the witness of both, and signs nothing more', async () => {
    witness.remembers = null;
    await using service = await TestService.start({ dataDir: await copy('older', 'second'), env });
    assert.deepEqual((await logStatus(service)).continuity, 'not_checked');
    witness.remembers = checkpoint;
    await service.runNow('witness');
    const { continuity, state } = await logStatus(service);
    assert.deepEqual([continuity, state], ['contradicted', 'down']);
    expectProblem(await sealRecord(service, 'of the second'), 503, 'log_unsound');
    expectProblem(await service.call('/api/v1/health'), 503, 'down');
  });

  test('a witness that shows what no key of the log has signed stops nobody who runs', async () => {
    witness.remembers = null;
    await using service = await TestService.start({ dataDir: await copy('older', 'slandered'), env });
    witness.remembers = { ...checkpoint, signatures: [] };
    await service.runNow('witness');
    assert.deepEqual((await logStatus(service)).continuity, 'contradicted');
    assert.equal((await sealRecord(service, 'goes on')).status, 201);
  });

  test('a restore of the newest backup goes on beside the witness', async () => {
    witness.remembers = checkpoint;
    const directory = join(root, 'backup');
    const made = await runCommand(['backup', directory], serviceEnv(newest, undefined, env));
    assert.equal(made.code, 0, made.stderr);
    const dataDir = join(root, 'restored');
    const restored = await runCommand(['restore', directory], serviceEnv(dataDir, undefined, env));
    assert.equal(restored.code, 0, restored.stderr);
    for (const name of ['keys', 'server-secret'])
      await cp(join(newest, name), join(dataDir, name), { recursive: true });
    await using service = await TestService.start({ dataDir, env });
    assert.equal((await logStatus(service)).continuity, 'witness');
  });
});

test('a data directory beside PostgreSQL remembers what the database must hold', {
  skip: !(await hasPostgres()) && 'no PostgreSQL here',
}, async () => {
  const dataDir = await temporaryDirectory();
  const databaseUrl = (await freshDatabase('postgres')) as string;
  {
    await using service = await TestService.start({ dataDir, databaseUrl });
    assert.equal((await logStatus(service)).continuity, 'not_checked', 'it has nothing to remember yet');
  }
  await using service = await TestService.start({ dataDir, databaseUrl });
  assert.equal((await logStatus(service)).continuity, 'data_directory');
});

for (const engine of ENGINES) {
  test(`what another process seals on ${engine} while the witness is asked is not taken for a loss`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, async () => {
    const dataDir = await temporaryDirectory();
    const databaseUrl = await freshDatabase(engine);
    await using witness = new RememberingWitness();
    const env = await witness.env(dataDir);
    await using service = await TestService.start({ dataDir, databaseUrl });
    witness.meanwhile = async () => void (witness.remembers = await sealAll(service, ['while it was asked']));
    const { stdout } = await runCommand(['doctor'], serviceEnv(dataDir, databaseUrl, env));
    assert.match(stdout, /rollback +W1: no witness has seen more than/i);
    if (engine === 'sqlite') return;
    await using beside = await TestService.start({ dataDir, databaseUrl, env });
    assert.equal((await logStatus(beside)).continuity, 'witness');
  });
}
