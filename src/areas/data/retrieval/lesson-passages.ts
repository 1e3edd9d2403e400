import type { Passage } from '#areas/data/retrieval/corpus.ts';
import type { Retrieval } from '#areas/data/retrieval/retrieval.ts';
import type { LessonsPort, ToldLesson } from '#areas/tasks/port.ts';

/** Lessons are indexed in parts of so many; above the last part the oldest is forgotten. */
const PART = 500;
const PARTS = 10;

/** Brings lessons of all processes into the index: what was answered before a search is found by it. */
export class LessonPassages {
  readonly #newest: LessonsPort['newestLessons'];
  #lessons: ReturnType<LessonsPort['newestLessons']> | undefined;
  readonly #retrieval: Pick<Retrieval, 'appendLessons' | 'dropLessons'>;
  /** How many each holds, oldest first. */
  readonly #parts = new Map<string, number>();
  #made = 0;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(newest: LessonsPort['newestLessons'], retrieval: Pick<Retrieval, 'appendLessons' | 'dropLessons'>) {
    this.#newest = newest;
    this.#retrieval = retrieval;
  }

  /** Resolves after a read that began after this call; calls that wait share one. */
  refresh(): Promise<void> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      // A store that is out of reach is told elsewhere; what was found before stays.
      this.#running = this.#refresh().catch(() => undefined);
      return this.#running;
    });
    return this.#next;
  }

  async #refresh(): Promise<void> {
    this.#lessons ??= this.#newest(PART * PARTS);
    const fresh = await this.#lessons.read();
    for (let from = 0; from < fresh.length; ) {
      const [name, held] = this.#open();
      const some = fresh.slice(from, from + PART - held);
      from += some.length;
      this.#parts.set(name, held + some.length);
      this.#retrieval.appendLessons(name, some.map(passageOf));
    }
  }

  /** The part that still takes lessons. */
  #open(): [name: string, held: number] {
    const newest = [...this.#parts].at(-1);
    if (newest !== undefined && newest[1] < PART) return newest;
    this.#made += 1;
    const name = `lessons ${this.#made}`;
    this.#parts.set(name, 0);
    const [oldest] = this.#parts.keys();
    if (this.#parts.size > PARTS && oldest !== undefined) {
      this.#parts.delete(oldest);
      this.#retrieval.dropLessons(oldest);
    }
    return [name, 0];
  }
}

/** The title is ours: what an agent wrote stands in the text only. */
function passageOf({ id, text, atMs }: ToldLesson): Passage {
  return { id: `lessons:${id}`, title: `lesson ${id}`, body: text, keywords: '', source: 'agent', retrievedAtMs: atMs };
}
