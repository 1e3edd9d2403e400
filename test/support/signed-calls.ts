// Calls that an agent signs. The sandbox knows the directory of the draft's examples, whose key RFC 9421, B.1.4 prints.
import { createPrivateKey } from 'node:crypto';
import { type RequestSigner, signedHeaders } from '#protocol/http-signature/signing.ts';
import vectors from '../vectors/web-bot-auth.json' with { type: 'json' };
import type { Answer, CallOptions } from './client.ts';
import type { TestService } from './service.ts';

export const EXAMPLE_AGENT: RequestSigner = {
  key: createPrivateKey({ key: vectors.key, format: 'jwk' }),
  keyid: vectors.key.kid,
  origin: 'https://signature-agent.test',
  label: 'sig1',
};
export const EXAMPLE_URL = 'https://signature-agent.test/.well-known/http-message-signatures-directory';

type Changed = (headers: Record<string, string>) => Record<string, string>;

/** Makes a call that is signed for the address of the service; `change` spoils what was signed. */
export function callSigned(
  service: TestService,
  path: string,
  { method = 'GET', body, headers = {} }: CallOptions = {},
  { by = EXAMPLE_AGENT, change = (same) => same }: { readonly by?: RequestSigner; readonly change?: Changed } = {},
): Promise<Answer> {
  const url = new URL(path, service.service.url);
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const request = { method, url, ...(bytes !== undefined && { body: bytes }) };
  const signed = signedHeaders(request, by, { nowMs: service.now(), seconds: 60 });
  return service.call(path, {
    method,
    ...(body !== undefined && { body }),
    headers: { ...headers, ...change(signed) },
  });
}
