// A way to a service that can be cut: connections then hang, as behind a router that drops everything.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export class CutProxy implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  readonly #losesAnswer: () => boolean;
  #isCut = false;

  private constructor(server: Server, port: number, target: URL, losesAnswer: () => boolean) {
    this.#server = server;
    this.#target = target;
    this.#losesAnswer = losesAnswer;
    this.url = `http://127.0.0.1:${port}`;
    server.on('connection', (socket) => this.#accept(socket));
  }

  /** @param losesAnswer whether a connection ends when the answer comes, after the service did what was asked */
  static async to(url: string, losesAnswer: () => boolean = () => false): Promise<CutProxy> {
    const server = createServer({ allowHalfOpen: false }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    return new CutProxy(server, port, new URL(url), losesAnswer);
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** New connections work; those that hung are dropped. */
  mend(): void {
    this.#isCut = false;
    this.#dropAll();
  }

  #accept(caller: Socket): void {
    this.#keep(caller);
    if (this.#isCut) return void caller.pause();
    const service = this.#keep(connect(Number(this.#target.port), this.#target.hostname));
    caller.on('data', (chunk) => service.write(chunk));
    service.on('data', (chunk) => {
      if (this.#losesAnswer()) caller.destroy();
      else caller.write(chunk);
    });
    caller.on('close', () => service.destroy());
    service.on('close', () => caller.destroy());
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }

  #dropAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#dropAll();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
