// Backups made while the load goes on, and the last of them restored on an empty machine: nothing that it holds may differ.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackupManifest } from '#platform/recovery/manifest.ts';
import { avouchClient } from '../../client/client.ts';
import { MixedJournal, type Told } from './clients.ts';
import { ChildService } from '../support/child-service.ts';
import { Client } from '../support/client.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv } from '../support/service.ts';
import { Inspector } from './log-kills.ts';
import { type Place, runBackup, runRestore, takeKeys } from '../support/recovery.ts';

const PAUSE_MS = 3_000;

export class Backups {
  readonly #from: Place;
  readonly #root: string;
  made = 0;

  constructor(from: Place, root: string) {
    this.#from = from;
    this.#root = root;
  }

  /** Makes one after another until it is over, at least one. */
  async makeUntil(endMs: number): Promise<void> {
    do {
      await runBackup(this.#from, this.#directory(this.made + 1));
      this.made += 1;
      await sleep(Math.max(0, Math.min(PAUSE_MS, endMs - performance.now())));
    } while (performance.now() < endMs);
  }

  /** Sentences about what the newest one, restored into an empty database, does not hold as it was told. */
  async restored(databaseUrl: string, told: Told): Promise<string[]> {
    await using stack = new AsyncDisposableStack();
    const dataDir = stack.adopt(await temporaryDirectory(), (path) => rm(path, { recursive: true, force: true }));
    const to = { dataDir, databaseUrl };
    const directory = this.#directory(this.made);
    const manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')) as BackupManifest;
    const said = await runRestore(to, directory);
    await takeKeys(this.#from, to);
    const service = await ChildService.start(serviceEnv(dataDir, databaseUrl));
    stack.defer(async () => void (await service.end('SIGTERM')));
    const client = stack.adopt(new Client(), (one) => one.close());
    const journal = new MixedJournal();
    for (const [size, note] of told.journal.checkpoints) if (size <= manifest.tree_size) journal.answered(note);
    const call = (path: string) => client.call(service.url, path);
    await (await Inspector.start({ call }, journal)).lookAtAll(true);
    const visitor = avouchClient({ baseUrl: service.url });
    const receipts = await Promise.all(told.paid.map(({ text }) => visitor.verifyReceipt(JSON.parse(text) as never)));
    return [
      ...(said.includes(`size ${manifest.tree_size}, root ${manifest.root}`) ? [] : [`restore said: ${said}`]),
      ...journal.violations.map((violation) => `restored: ${violation}`),
      ...receipts.flatMap(({ valid }, n) =>
        valid ? [] : [`restored: the receipt of ${told.paid[n]?.path} is not valid`],
      ),
    ];
  }

  #directory(n: number): string {
    return join(this.#root, `backup-${n}`);
  }
}
