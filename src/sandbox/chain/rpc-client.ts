import { askBounded } from '#platform/outbound/bounded-ask.ts';

const LIMITS = { timeoutMs: 30_000, maxBytes: 64_000_000 };
const HEADERS = { 'content-type': 'application/json' };

type Call = readonly [method: string, params: readonly unknown[]];
interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** One call of a loopback chain; throws what the chain says against it. */
export async function callRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const [answer] = await callRpcs(url, [[method, params]]);
  if (answer instanceof Error) throw answer;
  return answer;
}

/** Many calls in one round trip: the result of each, or what the chain says against it. */
export async function callRpcs(url: string, calls: readonly Call[]): Promise<unknown[]> {
  const body = JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })));
  const { text } = await askBounded(url, { headers: HEADERS, body, mayRepeat: true }, LIMITS);
  const answers = new Map((JSON.parse(text) as Answer[]).map((answer) => [answer.id, answer]));
  return calls.map(([method], id) => {
    const { result, error } = answers.get(id) ?? { error: { message: 'no answer' } };
    return error === undefined ? result : new Error(`${method}: ${error.message}`);
  });
}
