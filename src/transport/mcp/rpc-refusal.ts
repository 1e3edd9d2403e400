import type { Refusal } from '#kernel/problem.ts';

/** JSON-RPC's own codes; any other refusal has the first of those that are left to implementations. */
const RPC_CODES: Readonly<Record<string, number>> = {
  malformed_json: -32_700,
  batch_too_long: -32_600,
  internal: -32_603,
};
const OTHER = -32_000;

/** A refusal of the transport as JSON-RPC says it; no message was looked at, so none is named. */
export function rpcRefusal({ type, details }: Refusal): string {
  const { detail, errors, retryAfterSeconds, members } = details;
  const data = {
    ...members,
    code: type.code,
    ...(errors !== undefined && { errors }),
    ...(retryAfterSeconds !== undefined && { retry_after_s: retryAfterSeconds }),
  };
  const error = { code: RPC_CODES[type.code] ?? OTHER, message: `${type.title}: ${detail}`, data };
  return JSON.stringify({ jsonrpc: '2.0', id: null, error });
}
