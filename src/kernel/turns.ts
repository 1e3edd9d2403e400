import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs pieces of work one in each turn of the event loop, in the order in which they came: others are served between them. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  async run<T>(work: () => T): Promise<T> {
    const turn = this.#last.then(() => nextTurn());
    this.#last = turn;
    await turn;
    return work();
  }
}
