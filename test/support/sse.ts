// A reader of server-sent events that shows them one by one.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface, type Interface } from 'node:readline';

export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** However busy the machine is: who waits longer hangs. */
const HUNG_MS = 60_000;

export class EventReader implements AsyncDisposable {
  readonly response: IncomingMessage;
  readonly #input: Interface;
  readonly #lines: AsyncIterator<string>;

  private constructor(response: IncomingMessage) {
    this.response = response;
    this.#input = createInterface({ input: response });
    this.#lines = this.#input[Symbol.asyncIterator]();
  }

  /** Resolves when the head of the answer is there. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
    const [response] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage];
    response.on('error', () => {});
    return new EventReader(response);
  }

  /** The next event, without comments; undefined at the end of the stream. */
  async next(): Promise<ServerEvent | undefined> {
    const fields = new Map<string, string>();
    for (let line = await this.#lines.next(); line.done !== true; line = await this.#lines.next()) {
      if (line.value === '' && fields.has('data')) {
        const data = JSON.parse(fields.get('data') as string) as Record<string, unknown>;
        return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data };
      }
      const colon = line.value.indexOf(': ');
      if (colon > 0) fields.set(line.value.slice(0, colon), line.value.slice(colon + 2));
    }
    return undefined;
  }

  async take(count: number): Promise<ServerEvent[]> {
    const events: ServerEvent[] = [];
    const deadline = setTimeout(() => this.#input.close(), HUNG_MS);
    while (events.length < count) {
      const event = await this.next();
      if (event === undefined) {
        throw new Error(`${events.length} of ${count} events came before the end of the stream, or it hung`);
      }
      events.push(event);
    }
    clearTimeout(deadline);
    return events;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.response.destroy();
  }
}
