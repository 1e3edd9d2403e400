import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A call that is answered once its body is there. */
interface Coming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const KEPT = Symbol('connection');

/** What is known of one connection; at rest it keeps nothing of its last call. */
export class Connection {
  /** The latest answer that it was promised. */
  promised: ServerResponse | undefined;
  coming: Coming | undefined;
  /** It ends with the answer under way. */
  isEnding = false;

  /** Kept on the socket itself: every call asks for it, and a WeakMap takes ten times as long. */
  static of(socket: Socket & { [KEPT]?: Connection }): Connection {
    return (socket[KEPT] ??= new Connection());
  }

  forget(response: ServerResponse): void {
    if (this.promised === response) this.promised = undefined;
    if (this.coming?.response === response) this.coming = undefined;
  }

  /** The answers that it still waits for, of calls that came whole. */
  owed(): ServerResponse[] {
    const { promised, coming } = this;
    const whole = coming?.request.complete === true ? coming.response : undefined;
    return [whole, promised].filter((one) => one !== undefined).filter(({ writableFinished }) => !writableFinished);
  }
}
