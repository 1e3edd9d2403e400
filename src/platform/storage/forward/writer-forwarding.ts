import { isIPv6 } from 'node:net';
import type { Clock } from '#kernel/clock.ts';
import type { Forwarded, GroupCommitter } from '../committer.ts';
import { presenceUnit, type WriterPlace } from '../presence.ts';
import { StorageError, type Step } from '../store.ts';
import type { ForwardedReply, ForwardedRequest } from './messages.ts';
import { NOT_SENT, WriterLink } from './writer-link.ts';
import { WriterServer } from './writer-server.ts';

export interface ForwardingOptions {
  readonly store: GroupCommitter;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Names this process in the store. */
  readonly process: string;
  /** Only processes of the installation that run the same program know it. */
  readonly secret: string;
  /** Where others of the installation reach this process: an address of the machine, or of a network of its own. */
  readonly host: string;
  /** How many commands may wait for the process that writes. */
  readonly maxQueue: number;
  readonly patience: number;
  /** Whether a command failed, with nothing written, because this process lacks a key: others may have it. */
  readonly isLackOfKey: (error: unknown) => boolean;
  readonly warn: (text: string, details: { readonly address: string; readonly cause: string }) => void;
}

const PATIENCE_MS = 8_000;

/**
 * Lets one process write for all: while each commits for itself, they wait for one another's lock and each pays the whole
 * cost of a commit. The lock stays: where nobody writes for others, or two think that they do, it costs speed alone.
 */
export class WriterForwarding implements AsyncDisposable {
  readonly #options: ForwardingOptions;
  readonly #server: WriterServer;
  #link: WriterLink | undefined;
  #writer: string | undefined;
  #opening: Promise<void> | undefined;
  /** Tried again with every beat, told once. */
  #unreachable: string | undefined;

  private constructor(options: ForwardingOptions, server: WriterServer) {
    this.#options = options;
    this.#server = server;
  }

  static async open(options: ForwardingOptions): Promise<WriterForwarding> {
    const { store, host, secret, process, isLackOfKey } = options;
    const run = async ({ steps, isProven }: ForwardedRequest) => {
      const units = store.unitsOf(steps.map(({ unit }) => unit));
      if (units === undefined) return undefined;
      const known = steps.map(({ command }, index) => ({ unit: units[index] as Step['unit'], command }));
      try {
        return await store.runForwarded(known, isProven);
      } catch (error) {
        if (isLackOfKey(error)) return undefined;
        throw error;
      }
    };
    const forwarding = new WriterForwarding(options, await WriterServer.listen(host, { secret, writer: process }, run));
    store.forwardBy((steps, isProven) => forwarding.#forward(steps, isProven));
    return forwarding;
  }

  get address(): string {
    const { host } = this.#options;
    return `${isIPv6(host) ? `[${host}]` : host}:${this.#server.port}`;
  }

  /** Told with every beat of the process who writes; commands go there as soon as it answers. */
  follow(writer: WriterPlace | null): void {
    const isOther = writer !== null && writer.process !== this.#options.process;
    if (isOther && writer.process === this.#writer && this.#link?.isOpen === true) return;
    if (!isOther || writer.process !== this.#writer) this.#leave();
    if (isOther) this.#opening ??= this.#open(writer).finally(() => (this.#opening = undefined));
  }

  /** Resolves once a way that is being opened is open, or has failed. */
  async settled(): Promise<void> {
    await this.#opening;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opening;
    this.#leave();
    await this.#server[Symbol.asyncDispose]();
  }

  async #open({ process, address }: WriterPlace): Promise<void> {
    const { secret, clock, patience, warn } = this.#options;
    const { hostname, port } = new URL(`tcp://${address}`);
    const host = hostname.replace(/^\[|\]$/g, '');
    try {
      const patienceMs = patience * PATIENCE_MS;
      this.#link = await WriterLink.open({ host, port: Number(port), secret, writer: process, clock, patienceMs });
      this.#writer = process;
      this.#unreachable = undefined;
    } catch (error) {
      if (this.#unreachable === process) return;
      this.#unreachable = process;
      const { message: cause } = error as Error;
      warn('writer process unreachable or of another build; this process writes directly', { address, cause });
    }
  }

  #leave(): void {
    this.#link?.close();
    this.#link = undefined;
    this.#writer = undefined;
  }

  #forward(steps: readonly Step[], isProven: boolean): Promise<Forwarded | undefined> | undefined {
    const link = this.#link;
    // A beat says that this process itself reaches the database.
    if (link === undefined || !link.isOpen || steps.some(({ unit }) => unit === presenceUnit)) return undefined;
    if (link.outstanding >= this.#options.maxQueue) {
      return Promise.reject(new StorageError('busy', 'too many writes are waiting'));
    }
    return link.send(steps, isProven).then(outcomeOf);
  }
}

/** Undefined where certainly nothing was done. */
function outcomeOf(reply: ForwardedReply | typeof NOT_SENT): Forwarded | undefined {
  if (reply === NOT_SENT || 'isLeft' in reply) return undefined;
  if ('outcomes' in reply) return reply;
  const { kind, message } = reply.fault;
  // A process that stops takes nothing more: what it refused so was not begun.
  if (kind === 'closed') return undefined;
  throw kind === null ? new Error(message) : new StorageError(kind, message);
}
