// An honest caller in a process of its own, so that what is measured is the service and not the process that attacks it.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./steady-caller.ts', import.meta.url));

interface Seen {
  /** Of each call, in milliseconds since it was due. */
  readonly times: number[];
  /** Calls that were not answered with 200. */
  readonly refused: string[];
}

type Kind = 'claim' | 'look';

/** Makes a call of each kind so many times a second, until it is disposed of. */
export class CallerBeside implements Disposable {
  readonly #child: ChildProcess;

  constructor(url: string, perSecond: number, kinds: readonly Kind[]) {
    this.#child = fork(PROGRAM, [url, String(perSecond), ...kinds]);
  }

  /** What it has seen since it was asked last. */
  async seen(): Promise<Seen> {
    const answer = once(this.#child, 'message') as Promise<[Seen]>;
    this.#child.send('seen');
    return (await answer)[0];
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}
