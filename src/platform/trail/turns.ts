/** Runs steps one after the other, in the order they were given; a step that fails does not stop the next. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(step);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
