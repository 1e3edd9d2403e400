import type { AvouchClient } from './client.ts';
import type { Input, Outcome, Output } from './outcome.ts';

type SpendVerdict = Output<'check'> | Output<'spend_fuse'>['result'];

export interface SpendOptions {
  /** Goes on after CAUTION too; only GO is enough unless given. */
  readonly allow?: 'CAUTION';
  /** Buys the verdict with the client's payer, for its signed receipt. */
  readonly signed?: boolean;
}

export interface Spent<T> {
  readonly result: T;
  /** The answer of `check`, or of `spend_fuse` with its receipt where it was to be signed. */
  readonly verdict: Output<'check'> | Output<'spend_fuse'>;
}

/** The money was not spent: the verdict forbids it, or there is none. */
export class SpendRefused extends Error {
  override readonly name = 'SpendRefused';
  /** `STOP`, `CAUTION`, the code of a problem, or why no answer came. */
  readonly code: string;
  readonly verdict: SpendVerdict | undefined;

  constructor(code: string, detail: string, verdict?: SpendVerdict) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.verdict = verdict;
  }
}

/** Spends only after GO: on STOP, on CAUTION and without an answer it throws `SpendRefused`, and nothing is done. */
export async function guardSpend<T>(
  client: Pick<AvouchClient, 'check' | 'spend_fuse'>,
  question: Input<'check'>,
  work: () => Promise<T> | T,
  { allow, signed = false }: SpendOptions = {},
): Promise<Spent<T>> {
  const answer = signed ? await client.spend_fuse(question) : await client.check(question);
  if (!answer.ok) throw new SpendRefused(...reasonOf(answer));
  const said = 'result' in answer.value ? answer.value.result : answer.value;
  const { verdict, checks } = said;
  if (verdict !== 'GO' && verdict !== allow) {
    const why = checks.filter(({ result }) => result === verdict).map((check) => check.why);
    throw new SpendRefused(verdict, why.join(' '), said);
  }
  return { result: await work(), verdict: answer.value };
}

export interface MandateQuestion extends Omit<Input<'amh_verify'>, 'payload_hash'> {
  /** What is agreed: a text, bytes, or an object, which is hashed as its canonical JSON (RFC 8785). */
  readonly payload: string | Uint8Array | object;
}

export interface Mandated<T> {
  readonly result: T;
  readonly decision: Output<'amh_verify'>;
  /** Whether the service recorded that it was done: the work is done either way. */
  readonly sealed: Outcome<'amh_seal'>;
}

/** The mandate does not allow the action, or nobody could say that it does. */
export class MandateDenied extends Error {
  override readonly name = 'MandateDenied';
  /** The reason of the decision, the code of a problem, or why no answer came. */
  readonly code: string;
  readonly decision: Output<'amh_verify'> | undefined;

  constructor(code: string, detail: string, decision?: Output<'amh_verify'>) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.decision = decision;
  }
}

/** Acts only where the mandate allows it, and seals whether it was done or failed; otherwise throws `MandateDenied`. */
export async function withMandate<T>(
  client: Pick<AvouchClient, 'amh_verify' | 'amh_seal'>,
  { payload, ...question }: MandateQuestion,
  work: (decision: Output<'amh_verify'>) => Promise<T> | T,
): Promise<Mandated<T>> {
  const answer = await client.amh_verify({ ...question, payload_hash: await payloadHash(payload) });
  if (!answer.ok) throw new MandateDenied(...reasonOf(answer));
  const decision = answer.value;
  const { verify_ref, reason } = decision;
  if (!decision.ok) throw new MandateDenied(reason, `the mandate answers ${decision.decision}`, decision);
  let result: T;
  try {
    result = await work(decision);
  } catch (error) {
    await client.amh_seal({ verify_ref, outcome: 'failed' });
    throw error;
  }
  return { result, decision, sealed: await client.amh_seal({ verify_ref, outcome: 'placed' }) };
}

/** SHA-256 in the form that a mandate's question takes. */
export async function payloadHash(payload: string | Uint8Array | object): Promise<string> {
  const bytes = payload instanceof Uint8Array ? payload : new TextEncoder().encode(textOf(payload));
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return `sha256:${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function textOf(payload: string | object): string {
  // Through JSON first, so that dates and the like are what they are on the wire.
  return typeof payload === 'string' ? payload : canonical(JSON.parse(JSON.stringify(payload)));
}

/** RFC 8785: the same object gives the same text, however it was put together and in whatever language. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(',')}}`;
}

function reasonOf({ problem, unreachable }: Exclude<Outcome, { readonly ok: true }>): [string, string] {
  if (problem !== undefined) return [problem.code, problem.detail];
  return [unreachable?.reason ?? 'network', unreachable?.detail ?? 'no answer'];
}
