// An HTTP client that shows exactly what came back, and what a problem document must look like.
import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { ProblemAnswer } from '#areas/discovery/operations.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: Record<string, unknown>;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Uint8Array | Record<string, unknown>;
}

/** A keep-alive HTTP client that shows exactly what came back. */
export class Client {
  /** A service that stops ends connections at rest after a second: one that rested for half of it is not used again. */
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: 500 });

  call(base: string, path: string, { method = 'GET', headers = {}, body }: CallOptions = {}): Promise<Answer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
    const bytes = isRaw ? body : JSON.stringify(body);
    const type = isRaw ? {} : { 'content-type': 'application/json' };
    const length = bytes === undefined ? {} : { 'content-length': String(Buffer.byteLength(bytes)) };
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.#agent, headers: { ...type, ...length, ...headers } };
      // The path goes out as given: the URL class would tidy what tests send on purpose.
      const { hostname, port } = new URL(base);
      const call = request({ hostname, port, path, ...options }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve(answerOf(response, text));
        });
      });
      call.on('error', reject);
      call.end(bytes);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The body is parsed when it is asked for: some are megabytes that nobody looks into. */
function answerOf({ statusCode = 0, headers }: IncomingMessage, text: string): Answer {
  let json: { readonly value: Record<string, unknown> } | undefined;
  return {
    status: statusCode,
    headers,
    text,
    get json() {
      json ??= { value: parsed(text) };
      return json.value;
    },
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined as unknown as Record<string, unknown>;
  }
}

/** Asserts a problem document with this status and code, and gives its body. */
export function expectProblem(answer: Answer, status: number, code: string): Record<string, unknown> {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers['content-type'], 'application/problem+json');
  const body = ProblemAnswer.parse(answer.json);
  assert.equal(body.code, code, answer.text);
  assert.equal(body.status, status);
  assert.equal(new URL(body.type).pathname, `/problems/${code}`);
  const wait = answer.headers['retry-after'];
  assert.equal(wait, body.retry_after_s === undefined ? undefined : String(body.retry_after_s));
  return body;
}
