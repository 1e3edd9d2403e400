// Two independent implementations of RFC 9421, asked the same question.
import { type KeyObject, verify } from 'node:crypto';
import { verifySignature } from 'http-message-sig';
import { httpbis } from 'http-message-signatures';
import type { SignatureAlgorithm } from '#protocol/http-signature/public-key.ts';

export interface JudgedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface JudgeKey {
  readonly keyid: string;
  readonly algorithm: SignatureAlgorithm;
  verify(base: Uint8Array, signature: Uint8Array): boolean;
}

/** Ed25519 as node:crypto verifies it, without our code. */
export function ed25519Judge(keyid: string, key: KeyObject): JudgeKey {
  return { keyid, algorithm: 'ed25519', verify: (base, signature) => verify(null, base, key, signature) };
}

/** What both say of the one signature of a request, in the order of `JUDGES`. */
export async function judged(request: JudgedRequest, key: JudgeKey): Promise<boolean[]> {
  return Promise.all(JUDGES.map((judge) => judge(request, key).catch(() => false)));
}

const JUDGES = [askHttpMessageSignatures, askHttpMessageSig];
const REQUIRED = ['created', 'expires', 'keyid', 'tag'];

async function askHttpMessageSignatures(request: JudgedRequest, key: JudgeKey): Promise<boolean> {
  const verdict = await httpbis.verifyMessage(
    {
      requiredParams: REQUIRED,
      keyLookup: async ({ keyid }) =>
        keyid === key.keyid
          ? {
              id: key.keyid,
              algs: [key.algorithm],
              verify: async (base, signature) => key.verify(base, signature),
            }
          : null,
    },
    { ...request, headers: { ...request.headers } },
  );
  return verdict === true;
}

async function askHttpMessageSig({ method, url, headers }: JudgedRequest, key: JudgeKey): Promise<boolean> {
  const fields = Object.entries(headers).map(([name, value]) => ({ name, value }));
  await verifySignature(
    { kind: 'request', method, targetUri: url, fields },
    {
      policy: { algorithms: [key.algorithm], requiredComponents: [], requiredParameters: REQUIRED },
      resolveVerifier: ({ parameters }) => {
        if (parameters.keyid !== key.keyid) throw new Error('another key');
        return { algorithm: key.algorithm, verify: (base, signature) => key.verify(base, signature) };
      },
    },
  );
  return true;
}
