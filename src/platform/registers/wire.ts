import type { z } from 'zod';
import type { OutboundAnswer } from '#platform/outbound/exchange.ts';
import { RegisterError, registerFailure, unavailable } from './outcome.ts';

const MAX_SERVER_WAIT_S = 600;

/** The body as JSON of a known shape. Anything else, a maintenance page among it, is no answer. */
export function readJson<S extends z.ZodType>(answer: OutboundAnswer, schema: S): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(answer.body.toString('utf8')); // attacker-controlled
  } catch {
    throw registerFailure('MALFORMED_RESPONSE');
  }
  const read = schema.safeParse(value);
  if (!read.success) throw registerFailure('MALFORMED_RESPONSE');
  return read.data;
}

/** As `readJson`; undefined where the body has another shape, for answers whose status says more. */
export function tryJson<S extends z.ZodType>(answer: OutboundAnswer, schema: S): z.output<S> | undefined {
  try {
    return readJson(answer, schema);
  } catch (error) {
    if (error instanceof RegisterError) return undefined;
    throw error;
  }
}

/** What a status means where the register has given no code of its own. */
export function statusError(answer: OutboundAnswer): RegisterError {
  const { status } = answer;
  if (status === 401 || status === 403) return registerFailure('AUTH_FAILED', 'config', 300);
  if (status !== 429) return registerFailure(status === 200 ? 'MALFORMED_RESPONSE' : 'HTTP_ERROR');
  const asked = Number(answer.header('retry-after') ?? '0');
  const seconds = Number.isFinite(asked) && asked > 0 ? Math.min(asked, MAX_SERVER_WAIT_S) : 0;
  return new RegisterError(unavailable('THROTTLED', 'throttled', Math.ceil(seconds) || 60), {
    serverWaitMs: seconds * 1_000,
  });
}

/** The register speaks of something else than it was asked about. */
export function requireEcho(echoed: string, asked: string): void {
  if (echoed !== asked) throw registerFailure('RESPONSE_MISMATCH');
}
