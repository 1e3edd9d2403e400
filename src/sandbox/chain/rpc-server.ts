import { text } from 'node:stream/consumers';
import { listenOnLoopback, type LoopbackServer } from '../loopback.ts';
import type { ChainAnswer, Edr } from './edr.ts';

/** Serves a chain as JSON-RPC over HTTP, call by call or in batches. */
export function serveRpc(ask: Edr): Promise<LoopbackServer> {
  return listenOnLoopback(async (request, response) => {
    const answer = await text(request)
      .then((body) => answerTo(ask, JSON.parse(body)))
      .catch((error: Error) => {
        const code = error instanceof SyntaxError ? -32700 : -32603;
        return dashboardPage(null, { error: { code, message: error.message } });
      });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
}

async function answerTo(ask: Edr, question: unknown): Promise<object> {
  if (Array.isArray(question) && question.length > 0) return Promise.all(question.map((one) => answerTo(ask, one)));
  const { id = null, method, params = [] } = Object(question) as { id?: unknown; method?: unknown; params?: unknown };
  if (typeof method === 'string') return dashboardPage(id, await ask(method, params));
  return dashboardPage(id, { error: { code: -32600, message: 'a method is missing' } });
}

function dashboardPage(id: unknown, answer: ChainAnswer): object {
  return { jsonrpc: '2.0', id, ...answer };
}
