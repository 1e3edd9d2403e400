import type { Input, OperationId, Outcome, Problem } from './outcome.ts';
import { answerChallenge, type Payer, paymentOf } from './payment.ts';
import { type Trust, trustIn, type Verifiers, verifiersBy } from './proof.ts';
import { addressOf, type Credentials, isRepeatable, type PreparedRequest, prepareRequest, routeOf } from './request.ts';
import { ROUTES, VERSION } from './table.ts';
import type { Lease, LeaseBatch } from './types.ts';

export interface ClientOptions extends Credentials {
  readonly baseUrl: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Pays what a call costs; without one a price is answered as a problem. */
  readonly payer?: Payer;
  /** Keys that were checked before; without them, those that the service publishes. */
  readonly trust?: Trust;
  /** How often a call is sent again after 429, 503 or a lost connection: 3 unless given. */
  readonly retries?: number;
  /** A longer Retry-After is left to the caller: 10 seconds unless given. */
  readonly maxWaitSeconds?: number;
  /** For one attempt: 90,000 unless given. */
  readonly timeoutMs?: number;
  /** Told once if the service is older by a minor version. */
  readonly observe?: (warning: string) => void;
}

export interface CallOptions {
  /** Keep it to repeat the call after a crash. Made for each call unless given. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

type Method<Id extends OperationId> =
  Record<string, never> extends Input<Id>
    ? (input?: Input<Id>, options?: CallOptions) => Promise<Outcome<Id>>
    : (input: Input<Id>, options?: CallOptions) => Promise<Outcome<Id>>;

type ClaimOf<Key> = Omit<Input<'claim'>, 'key'> & { readonly key: Key };

/** One work key gives one lease, a list of them all of theirs or none. */
interface Claim {
  (input: ClaimOf<string>, options?: CallOptions): Promise<Outcome<'claim', Lease>>;
  (input: ClaimOf<readonly string[]>, options?: CallOptions): Promise<Outcome<'claim', LeaseBatch>>;
  (input: Input<'claim'>, options?: CallOptions): Promise<Outcome<'claim'>>;
}

/** Every operation of the service under its id, and the checks of what it signed. */
export type AvouchClient = { readonly [Id in OperationId]: Id extends 'claim' ? Claim : Method<Id> } & Verifiers;

interface Exchange {
  readonly id: OperationId;
  readonly request: PreparedRequest;
  readonly signal: AbortSignal | undefined;
  readonly options: ClientOptions;
}

export function avouchClient(options: ClientOptions): AvouchClient {
  const call = (id: OperationId, input: object = {}, { signal, idempotencyKey }: CallOptions = {}) => {
    const key = idempotencyKey ?? crypto.randomUUID();
    const request = prepareRequest(id, input as Record<string, unknown>, options, key);
    return exchange({ id, request, signal, options });
  };
  let published: Promise<Trust | undefined> | undefined;
  const trusted = async () => {
    if (options.trust !== undefined) return options.trust;
    published ??= readTrust();
    const trust = await published;
    if (trust === undefined) published = undefined;
    return trust;
  };
  const readTrust = async () => {
    const answer = (await call('service_keys')) as Outcome<'service_keys'>;
    return answer.ok ? trustIn(answer.value) : undefined;
  };
  const methods = Object.keys(ROUTES).map((id) => [id, call.bind(undefined, id as OperationId)]);
  return { ...(Object.fromEntries(methods) as AvouchClient), ...verifiersBy(trusted) };
}

/** Sends until there is an answer that waiting would not better, and pays at most once. */
async function exchange({ id, request, signal, options }: Exchange): Promise<Outcome> {
  const { payer, retries = 3, maxWaitSeconds = 10 } = options;
  let hasPaid = false;
  for (let sent = 0; ; ) {
    const response = await send({ id, request, signal, options });
    if (response instanceof Response) warnIfOlder(response, options);
    const isAsked = response instanceof Response && response.status === 402 && response.headers.has('payment-required');
    if (isAsked && payer !== undefined && !hasPaid) {
      const signed = await answerChallenge(response, payer);
      if ('notPaid' in signed) return { ...(await read(id, request, response)), notPaid: signed.notPaid } as Outcome;
      await response.body?.cancel();
      Object.assign(request.headers, signed.headers);
      hasPaid = true;
      continue;
    }
    const outcome = response instanceof Response ? await read(id, request, response) : response;
    const waitSeconds = waitOf(id, outcome);
    if (waitSeconds === undefined || waitSeconds > maxWaitSeconds || sent === retries || signal?.aborted)
      return outcome;
    await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1000));
    sent += 1;
  }
}

const warned = new WeakSet<ClientOptions>();
const minorOf = (version: string) => version.replace(/\.\d+$/, '');

function warnIfOlder({ headers }: Response, options: ClientOptions): void {
  const version = headers.get('avouch-version') ?? VERSION;
  if (minorOf(version).localeCompare(minorOf(VERSION), 'en', { numeric: true }) >= 0 || warned.has(options)) return;
  warned.add(options);
  options.observe?.(`Avouch ${version} is older than this client.`);
}

/** How long to wait before the same call may be sent again; undefined where it must not be. */
function waitOf(id: OperationId, outcome: Outcome): number | undefined {
  if (outcome.ok) return undefined;
  if (outcome.problem === undefined) {
    return isRepeatable(id) && outcome.unreachable.reason !== 'aborted' ? 0.25 : undefined;
  }
  const { code, retry_after_s: seconds = Number(outcome.headers.get('retry-after')) || 1 } = outcome.problem;
  if (outcome.status !== 429 && outcome.status !== 503) return undefined;
  // Of every other code the service says that nothing was stored.
  return code === 'outcome_unknown' && !isRepeatable(id) ? undefined : seconds;
}

// Browsers would send a preflight for it.
const AGENT: Record<string, string> = 'document' in globalThis ? {} : { 'user-agent': `avouch-client/${VERSION}` };

async function send({ id, request, signal, options }: Exchange): Promise<Response | Outcome> {
  const { baseUrl, fetch = globalThis.fetch, timeoutMs = 90_000 } = options;
  // A stream goes on until its reader leaves.
  const timeout = routeOf(id).answer === 'stream' ? [] : [AbortSignal.timeout(timeoutMs)];
  const { method, headers, body } = request;
  try {
    return await fetch(addressOf(baseUrl, request), {
      method,
      headers: { ...AGENT, ...headers },
      redirect: 'error',
      signal: AbortSignal.any([...timeout, ...(signal === undefined ? [] : [signal])]),
      ...(body !== undefined && { body }),
    });
  } catch (error) {
    return lost(error);
  }
}

function lost(error: unknown): Outcome {
  const { name, message, cause } = error instanceof Error ? error : new Error(String(error));
  const reason = name === 'TimeoutError' ? 'timeout' : name === 'AbortError' ? 'aborted' : 'network';
  const detail = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return { ok: false, unreachable: { reason, detail } };
}

/** The answer by its form: what is neither the form of the row nor a problem did not come from the service. */
async function read(id: OperationId, sent: PreparedRequest, response: Response): Promise<Outcome> {
  const { status, headers } = response;
  const { method, path, query } = sent;
  const replayed = headers.get('idempotent-replayed') === 'true';
  const answered = { status, headers, replayed, request: { method, path, query } };
  try {
    if (!response.ok) {
      const problem = (await response.json()) as Problem<never>;
      if (typeof problem.code === 'string') return { ...answered, ok: false, problem };
      return unreadable(`status ${status} without a problem document`);
    }
    const value = (await bodyOf(id, response)) as never;
    const payment = paymentOf(headers);
    return { ...answered, ok: true, value, ...(payment !== undefined && { payment }) };
  } catch (error) {
    return error instanceof SyntaxError ? unreadable(`status ${status} without JSON`) : lost(error);
  }
}

async function bodyOf(id: OperationId, response: Response): Promise<unknown> {
  switch (routeOf(id).answer) {
    case 'stream':
      return response.body;
    case 'bytes':
      return new Uint8Array(await response.arrayBuffer());
    case 'text':
      return response.text();
    default:
      return response.json();
  }
}

function unreadable(detail: string): Outcome {
  return { ok: false, unreachable: { reason: 'unreadable', detail } };
}
