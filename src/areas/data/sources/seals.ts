import { type Clock, DAY_MS, isoTime, utcDay } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import { statementDraft } from '#protocol/attestation/statement.ts';
import { onlyOne } from '#platform/storage/head.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import { datasetUnit } from './dataset-unit.ts';
import { DOCS_SEAL } from '../retrieval/grounding.ts';
import * as sql from '../sql.ts';

interface SealCommand {
  readonly name: string;
  readonly sha256: string;
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

interface Sealed {
  readonly name: string;
  readonly sha256: string;
  readonly attestationId: string;
  readonly atMs: number;
}

type Seals = ReadonlyMap<string, Sealed>;

const reads = (commands: readonly SealCommand[]) => ({
  seals: listed(
    sql.SEALS,
    commands.map(({ name }) => name),
  ),
});

/** Seals a digest under a name, unless it is the one that was sealed last. */
const sealUnit: Unit<[SealCommand, boolean], Seals, typeof reads> = {
  name: 'dataset-seal',
  reads,
  load: (found) => new Map(found.seals.map((seal) => [seal.name, seal])),
  decide(seals, nowMs, _next, { name, sha256, draft, sandbox }) {
    if (seals.get(name)?.sha256 === sha256) return { state: seals, result: false };
    const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
    const sealed = { name, sha256, attestationId: entry.leaf.id, atMs: nowMs };
    return { state: new Map(seals).set(name, sealed), result: true, entries: [entry] };
  },
  writes: (before, after) => [
    sql.DATASET_SEAL.upsert([...after.values()].filter((seal) => before.get(seal.name) !== seal)),
  ],
};

export interface DataSealsOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
  readonly docsSha256: () => Promise<string>;
}

const SNAPSHOT_DAYS = 400;

/** Fixes in the public log which snapshots a day had, and what the documentation said. */
export class DataSeals {
  readonly #options: DataSealsOptions;

  constructor(options: DataSealsOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { store, clock, docsSha256 } = this.#options;
    await this.#seal(DOCS_SEAL, await docsSha256(), 'data.documents');
    const today = utcDay(clock.now());
    for (let day = await this.#nextDay(); day !== undefined && day < today; day = await this.#nextDay()) {
      const fromMs = Date.parse(day);
      const snapshots = await store.read(sql.SNAPSHOTS_OF_DAY, [fromMs, fromMs + DAY_MS]);
      const lines = snapshots.map(({ source, id, sha256 }) => `${source} ${id} ${sha256}\n`);
      await this.#seal(`day ${day}`, sha256Hex(lines.join('')), `data.snapshots ${day}`);
    }
    const old = await store.read(sql.OLD_SNAPSHOTS, [clock.now() - SNAPSHOT_DAYS * DAY_MS]);
    if (old.length > 0) await store.run(datasetUnit, { type: 'forget', snapshots: old.map(({ id }) => id) });
  }

  /** The first day with snapshots after the last one that was sealed. */
  async #nextDay(): Promise<string | undefined> {
    const { store } = this.#options;
    const { name } = onlyOne(await store.read(sql.LAST_DAY_SEAL));
    const afterMs = name === null ? 0 : Date.parse(name.slice('day '.length)) + DAY_MS;
    const { atMs } = onlyOne(await store.read(sql.FIRST_SNAPSHOT, [afterMs]));
    return atMs === null ? undefined : utcDay(atMs);
  }

  async #seal(name: string, sha256: string, what: string): Promise<void> {
    const { store, sandbox } = this.#options;
    const [known] = await store.read(sql.ONE_SEAL, [name]);
    if (known?.sha256 === sha256) return;
    const draft = statementDraft(`${what} sha256 ${sha256}`);
    await store.run(sealUnit, { name, sha256, draft, sandbox });
  }
}
