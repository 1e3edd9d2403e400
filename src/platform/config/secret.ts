import { inspect } from 'node:util';

const SHOWN = '[secret]';

/** A value that no log, error text or JSON shows; `reveal` is called only where it is used. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
