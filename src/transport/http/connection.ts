import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A call that is answered once its turn has come, or its body is there. */
interface Coming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** How long a caller has not read what it asked for. */
export interface Reading {
  readonly socket: Socket;
  /** Since when nothing shows that it is read. */
  sinceMs: number;
  /** When it was handed to the system. */
  sentMs?: number;
}

const KEPT = Symbol('connection');

/** What is known of one connection; at rest it keeps nothing of its last call. */
export class Connection {
  /** The latest answer that it was promised. */
  promised: ServerResponse | undefined;
  coming: Coming | undefined;
  /** It ends with the answer under way. */
  isEnding = false;
  /** Of its latest answer that was not taken at once, while more was asked for. */
  reading: Reading | undefined;

  /** Kept on the socket itself: every call asks for it, and a WeakMap takes ten times as long. */
  static of(socket: Socket & { [KEPT]?: Connection }): Connection {
    return (socket[KEPT] ??= new Connection());
  }

  /** @returns whether it was the last answer that it was promised */
  forget(response: ServerResponse): boolean {
    const isLast = this.promised === response;
    if (isLast) this.promised = undefined;
    if (this.coming?.response === response) this.coming = undefined;
    return isLast;
  }

  /** The answers that it still waits for, of calls that came whole. */
  owed(): ServerResponse[] {
    const { promised, coming } = this;
    const whole = coming?.request.complete === true ? coming.response : undefined;
    return [whole, promised].filter((one) => one !== undefined).filter(({ writableFinished }) => !writableFinished);
  }
}
