import type { Job } from '#kernel/job.ts';
import type { Foundation, ServiceOptions } from '#platform/foundation.ts';
import type { Logger } from '#platform/logger.ts';
import { GuardedClient, type GuardedClientOptions } from '#platform/outbound/guarded-client.ts';
import { expiryJob } from '#platform/storage/expiry.ts';
import { VERSION } from '#platform/version.ts';
import { signedHeaders } from '#protocol/http-signature/signing.ts';
import { Directories } from './directories.ts';
import { Identities } from './identities.ts';
import { IDENTITY_EXPIRY } from './identity-unit.ts';
import { OwnDirectory } from './own-directory.ts';

export interface OpenIdentities {
  readonly identities: Identities;
  /** Signs a request of the service to an address that a caller named; undefined where none is signed. */
  readonly signing?: GuardedClientOptions['sign'];
  readonly ownDirectory: OwnDirectory;
  readonly identityJobs: readonly Job[];
}

/** The directory of the draft's examples, with the key that RFC 9421, B.1.4 prints: a signer can be tried without one. */
const EXAMPLE_DIRECTORY = {
  'https://signature-agent.test': {
    keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' }],
  },
};

const SIGNED_FOR_S = 60;

/** Who signs calls to the service, and the keys by which it signs its own. */
export function openIdentities(
  { config: { profile, signsOutbound }, probing: testing }: Pick<ServiceOptions, 'config' | 'probing'>,
  { store, clock, keyRing }: Foundation,
  { baseUrl, logger }: { readonly baseUrl: () => string; readonly logger: Logger },
): OpenIdentities {
  const sandbox = profile === 'sandbox';
  const ownDirectory = new OwnDirectory({ keyRing, clock, baseUrl });
  const signing = (url: URL) =>
    signedHeaders({ method: 'GET', url }, ownDirectory.signer(), { nowMs: clock.now(), seconds: SIGNED_FOR_S });
  const client = new GuardedClient({
    userAgent: `avouch/${VERSION}`,
    monotonicMs: () => clock.monotonicMs(),
    ...(signsOutbound && { sign: signing }),
    ...(testing !== undefined && { testing }),
  });
  const directories = new Directories({
    get: (url) => client.get(url),
    clock,
    ...(sandbox && { given: EXAMPLE_DIRECTORY }),
  });
  const logFault = (error: unknown) => logger.error('identity of a signer not stored', {}, error);
  return {
    identities: new Identities({ directories, store, clock, sandbox, baseUrl, logFault }),
    ownDirectory,
    ...(signsOutbound && { signing }),
    identityJobs: [expiryJob('identity-sweep', { store, clock }, IDENTITY_EXPIRY)],
  };
}
