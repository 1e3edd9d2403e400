import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from '#kernel/node-http.ts';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { fictionalText, fictionalValue, fictionalVector } from './fictional-answer.ts';

/** What the simulator is called, and what its tokens cost; none of it is real. */
export const MODEL_SIMULATOR = {
  price: {
    provider: 'sandbox-provider',
    model: 'fictional-1',
    input_usd_per_mtok: '2.50',
    cached_read: '0.25',
    output: '20.00',
  },
} as const;

export type ModelError =
  | '500'
  | '429'
  | 'timeout'
  | 'truncated'
  | 'cut_off'
  | 'filtered'
  | 'no_usage'
  | 'false_quote'
  | 'off_schema';

/** What the provider says of an answer that is not whole. */
const FINISH_REASONS: Partial<Record<ModelError, string>> = { cut_off: 'length', filtered: 'content_filter' };

const MAX_REQUEST_BYTES = 32 * 1024 * 1024;
const BYTES_PER_TOKEN = 4;
/** Instructions that the provider has seen before. */
const CACHED_SHARE = 1 / 6;

const part = z.object({ type: z.string(), text: z.string().optional() });
const ChatRequest = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(part)]) })),
  response_format: z.object({ json_schema: z.object({ schema: z.unknown() }) }).optional(),
});
const EmbeddingRequest = z.object({ model: z.string(), input: z.union([z.string(), z.array(z.string())]) });

/** A provider of models on loopback with the wire format of OpenAI-compatible hosts: fictional answers, real usage. */
export class ModelSimulator implements AsyncDisposable {
  readonly url: string;
  /** Bodies of the requests that came. */
  readonly requests: unknown[] = [];
  fault: ModelError | null = null;
  /** Mends itself after one answer. */
  isFaultOnce = false;
  /** Is waited for before a request is answered. */
  onRequest: () => Promise<void> = async () => {};
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<ModelSimulator> {
    const server = createServer((request, response) => {
      void simulator.#serve(request, response).catch(() => response.destroy());
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject).listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve);
    await promise;
    server.unref();
    const simulator: ModelSimulator = new ModelSimulator(server);
    return simulator;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: unknown = JSON.parse(await bodyOf(request));
    this.requests.push(body);
    await this.onRequest();
    const { fault } = this;
    if (this.isFaultOnce) this.fault = null;
    if (fault === 'timeout') return;
    if (fault === '500') return send(response, 500, { error: { message: 'internal error' } });
    if (fault === '429') return send(response, 429, { error: { message: 'slow down' } }, { 'retry-after': '0' });
    const answer = request.url === '/v1/embeddings' ? embeddings(body) : completion(body, fault);
    if (fault === 'no_usage') Reflect.deleteProperty(answer, 'usage');
    if (fault === 'truncated') return void response.writeHead(200).end(JSON.stringify(answer).slice(0, -40));
    return send(response, 200, answer);
  }
}

function completion(body: unknown, fault: ModelError | null): object {
  const { model, messages, response_format: format } = ChatRequest.parse(body);
  const texts = messages.map(({ content }) =>
    typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n'),
  );
  const prompt = texts.at(-1) ?? '';
  const schema = format?.json_schema.schema;
  const value = schema === undefined ? fictionalText(prompt) : fictionalValue(schema, prompt, fault === 'false_quote');
  const whole =
    typeof value === 'string' ? value : JSON.stringify(fault === 'off_schema' ? { unexpected: [true] } : value);
  const cut = fault === null ? undefined : FINISH_REASONS[fault];
  const content = cut === undefined ? whole : whole.slice(0, Math.ceil(whole.length / 2));
  const [input, output] = [tokens(texts.join('\n')), tokens(content)];
  return {
    id: 'chatcmpl-fictional',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: cut ?? 'stop' }],
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: Math.floor(input * CACHED_SHARE) },
    },
  };
}

function embeddings(body: unknown): object {
  const { model, input } = EmbeddingRequest.parse(body);
  const texts = [input].flat();
  const used = texts.reduce((sum, text) => sum + tokens(text), 0);
  return {
    object: 'list',
    model,
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: fictionalVector(text) })),
    usage: { prompt_tokens: used, total_tokens: used },
  };
}

function tokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MAX_REQUEST_BYTES) throw new Error('too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
