import { text } from 'node:stream/consumers';
import { listenOnLoopback, type LoopbackServer } from '../loopback.ts';
import type { Answer, Edr } from './edr.ts';

/** Serves a chain as JSON-RPC over HTTP, call by call or in batches. */
export function serveRpc(ask: Edr): Promise<LoopbackServer> {
  return listenOnLoopback((request, response) => {
    text(request)
      .then((body) => answerTo(ask, body))
      .catch(() => framed(null, { error: { code: -32700, message: 'the body is not JSON' } }))
      .then((answer) => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)));
  });
}

async function answerTo(ask: Edr, body: string): Promise<object> {
  const question: unknown = JSON.parse(body);
  const isBatch = Array.isArray(question) && question.length > 0;
  return isBatch ? Promise.all(question.map((one) => answerOne(ask, one))) : answerOne(ask, question);
}

async function answerOne(ask: Edr, question: unknown): Promise<object> {
  const { id = null, method, params = [] } = Object(question) as { id?: unknown; method?: unknown; params?: unknown };
  if (typeof method === 'string') return framed(id, await ask(method, params));
  return framed(id, { error: { code: -32600, message: 'a method is missing' } });
}

function framed(id: unknown, answer: Answer): object {
  return { jsonrpc: '2.0', id, ...answer };
}
