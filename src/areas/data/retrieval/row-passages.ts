import type { Store } from '#platform/storage/store.ts';
import type { Passage } from './corpus.ts';
import type { Retrieval } from './retrieval.ts';
import type { DataSource } from '../sources/source.ts';
import { SOURCES } from '../sources/source-table.ts';
import * as sql from '../sql.ts';

const SLICE = 200;

/** Keeps what is searchable of the data sets in step with the snapshots in use. */
export class RowPassages {
  readonly #store: Pick<Store, 'read'>;
  readonly #retrieval: Pick<Retrieval, 'add'>;
  readonly #indexed = new Map<string, string>();
  #running: Promise<void> | undefined;

  constructor(store: Pick<Store, 'read'>, retrieval: Pick<Retrieval, 'add'>) {
    this.#store = store;
    this.#retrieval = retrieval;
  }

  /** Reads again what has another snapshot than before; calls at the same time share one run. */
  refresh(): Promise<void> {
    this.#running ??= this.#refresh().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #refresh(): Promise<void> {
    const states = new Map((await this.#store.read(sql.ALL_SOURCES)).map((state) => [state.source, state]));
    for (const source of SOURCES) {
      const state = states.get(source.id);
      if (state === undefined || state.snapshot === '' || this.#indexed.get(source.id) === state.snapshot) continue;
      const passages: Passage[] = [];
      for (let offset = 0; offset < source.indexed; offset += SLICE) {
        const rows = await this.#store.read(sql.INDEXED, [
          state.part,
          Math.min(SLICE, source.indexed - offset),
          offset,
        ]);
        passages.push(...rows.map((row) => rowPassage(source, row)));
        if (rows.length < SLICE) break;
      }
      await this.#retrieval.add(source.id, passages);
      this.#indexed.set(source.id, state.snapshot);
    }
  }
}

type Indexed = ReturnType<typeof sql.INDEXED.of>;

/** The title is ours: what others wrote stands in the text only. */
function rowPassage({ id: source, dataset }: DataSource, { id, item, sourceUrl, retrievedAtMs }: Indexed): Passage {
  const lines = Object.entries(item).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  );
  return {
    id: `data:${source}#${id}`,
    title: `${dataset} ${id}`,
    body: [...lines, `source_url: ${sourceUrl}`].join('\n'),
    keywords: dataset,
    source,
    retrievedAtMs,
  };
}
