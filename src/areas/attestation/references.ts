import type { z } from 'zod';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { FileResponse } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { foundEntry, type FoundReference, type ReferenceForm, verifyUrl } from '#kernel/reference-form.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import { ATTESTATION_ID_PATTERN } from '#protocol/attestation/attestation-id.ts';
import { NOT_MEANT } from './facts.ts';
import type { verifyReference } from './tools.ts';
import type { Verifications } from './verifications.ts';

export interface ReferencesOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
  readonly baseUrl: () => string;
  readonly verifications: Verifications;
  /** Of all areas. */
  readonly forms: () => readonly ReferenceForm[];
}

type Answer = z.output<(typeof verifyReference)['output']>;
type Kind = Answer['kind'];

/** The references of the log itself. */
export function logForms(log: PublicLog): ReferenceForm[] {
  return [
    {
      pattern: new RegExp(ATTESTATION_ID_PATTERN),
      kind: 'attestation',
      find: async (ref) => ((await log.entryOf(ref)) === undefined ? undefined : { entry: ref, url: verifyUrl(ref) }),
    },
    {
      pattern: /^(?:0|[1-9]\d{0,14})$/,
      kind: 'log_entry',
      async find(ref) {
        const entry = await log.idAt(Number(ref));
        return entry === null ? undefined : foundEntry(entry);
      },
    },
    {
      pattern: /^[0-9a-f]{64}$/i,
      kind: 'digest',
      async find(ref) {
        const [entry] = await log.entriesOfDigest(ref.toLowerCase());
        return entry && foundEntry(entry.attestationId);
      },
    },
  ];
}

const NO_ENTRY = 'Avouch issued this reference, but no entry in its public log is behind it.';
const NO_REFERENCE = 'Nothing: Avouch does not know a reference with this text.';

/** Says of any reference that the service issued what it is and what it leads to. */
export class References {
  readonly #options: ReferencesOptions;

  constructor(options: ReferencesOptions) {
    this.#options = options;
  }

  async find(given: string): Promise<{ readonly kind: Kind; readonly found: FoundReference | undefined }> {
    const ref = given.trim();
    const form = this.#options.forms().find(({ pattern }) => pattern.test(ref)); // attacker-controlled
    return { kind: (form?.kind ?? 'unknown') as Kind, found: await form?.find(ref) };
  }

  /** Whether what was sealed about it holds. */
  async verify(given: string): Promise<Answer | Refusal> {
    const { kind, found } = await this.find(given);
    if (found === undefined) return bare(given, kind, this.#options, { isFound: false });
    if (found.entry === null) return bare(given, kind, this.#options, { isFound: true, found });
    return sealed(given, kind, this.#options, { ...found, entry: found.entry });
  }
}

async function sealed(ref: string, kind: Kind, parts: ReferencesOptions, found: FoundReference & { entry: string }) {
  const seal = await parts.verifications.verify(found.entry);
  if (seal instanceof Refusal) return seal;
  if (seal instanceof FileResponse) throw new Error('a verification came as a file');
  const isHandshake = kind === 'attestation' && seal.origin === 'protocol';
  return {
    ...bare(ref, isHandshake ? 'handshake' : kind, parts, { isFound: true, found }),
    valid: seal.valid,
    verdict: seal.verdict,
    checks: seal.checks.map(({ name, ok }) => ({ name, ok })),
    sealed_at: seal.sealed_at,
    log_seq: seal.seq,
    superseded_by: seal.superseded_by,
    means: seal.means,
    does_not_mean: seal.does_not_mean,
  };
}

function bare(
  ref: string,
  kind: Kind,
  { clock, sandbox, baseUrl }: ReferencesOptions,
  { isFound, found }: { readonly isFound: boolean; readonly found?: FoundReference },
): Answer {
  return {
    ref,
    kind,
    found: isFound,
    valid: null,
    verdict: null,
    checks: [],
    sealed_at: null,
    log_seq: null,
    superseded_by: [],
    url: `${baseUrl()}${found?.url ?? '/openapi.json'}`,
    means: isFound ? NO_ENTRY : NO_REFERENCE,
    does_not_mean: NOT_MEANT,
    ...found?.facts,
    as_of: isoTime(clock.now()),
    ...(sandbox && { sandbox: true as const }),
  };
}
