// A witness over HTTP that cosigns whatever it is sent, or answers as a test tells it to; and the policy that names it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cosigner, ed25519Cosigner } from '#protocol/cosignature.ts';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';
import { formatSignatureLine } from '#protocol/note.ts';
import { formatVkey } from '#protocol/note-key.ts';
import { parseAddCheckpoint } from '#protocol/witness-request.ts';
import { listenOnLoopback, type LoopbackServer } from '#sandbox/loopback.ts';

/** What a witness was asked to cosign. */
export interface Asked {
  /** The text of the checkpoint. */
  readonly text: string;
  readonly size: number;
  readonly oldSize: number;
  readonly nowSeconds: number;
}

interface Told {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

type Answering = (asked: Asked) => string | Told;

export class LyingWitness implements AsyncDisposable {
  readonly name: string;
  readonly cosigner: Cosigner;
  readonly url: string;
  readonly vkey: string;
  /** How it answers; a text is the body of a 200. */
  answer: Answering;
  /** The checkpoint that it shows to whoever asks; none without one. */
  shown: string | undefined;
  readonly asked: Asked[] = [];
  readonly #server: LoopbackServer;

  private constructor(number: number, server: LoopbackServer) {
    this.name = `w${number}`;
    this.cosigner = cosignerOf(number);
    this.url = server.url;
    this.vkey = formatVkey(this.cosigner.key);
    this.answer = this.honest;
    this.#server = server;
  }

  static async start(number: number): Promise<LyingWitness> {
    const server = await listenOnLoopback(async (request, response) => {
      if (request.method === 'GET') {
        response.writeHead(witness.shown === undefined ? 404 : 200).end(witness.shown);
        return;
      }
      let body = '';
      for await (const piece of request) body += String(piece);
      const { status, body: text, type = 'text/plain' } = witness.#told(body);
      response.writeHead(status, { 'content-type': type }).end(text);
    });
    const witness: LyingWitness = new LyingWitness(number, server);
    return witness;
  }

  /** Its cosignature of a text, as the line of a note. */
  line(text: string, timeSeconds: number, by = this.cosigner): string {
    return formatSignatureLine(by.cosign(text, timeSeconds));
  }

  readonly honest: Answering = ({ text, nowSeconds }) => this.line(text, nowSeconds);

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#server[Symbol.asyncDispose]();
  }

  #told(body: string): Told {
    const { note, checkpoint, oldSize } = parseAddCheckpoint(body);
    const nowSeconds = Math.floor(Date.now() / 1000);
    const asked = { text: note.text, size: Number(checkpoint.size), oldSize: Number(oldSize), nowSeconds };
    this.asked.push(asked);
    const told = this.answer(asked);
    return typeof told === 'string' ? { status: 200, body: told } : told;
  }
}

export function cosignerOf(number: number, name = `w${number}.example`): Cosigner {
  return ed25519Cosigner(name, ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(number)));
}

/** The setting of a service that asks these witnesses over HTTP and needs all of them. */
export function needsAllOf(
  directory: string,
  witnesses: readonly Pick<LyingWitness, 'name' | 'vkey' | 'url'>[],
): Record<string, string> {
  const file = join(directory, 'policy-of-all');
  const lines = witnesses.map(({ name, vkey, url }) => `witness ${name} ${vkey} ${url}\n`);
  const names = witnesses.map(({ name }) => name).join(' ');
  writeFileSync(file, `${lines.join('')}group g all ${names}\nquorum g\n`);
  return { AVOUCH_WITNESS_POLICY_FILE: file, AVOUCH_WITNESS_EVERY_S: '3600' };
}
