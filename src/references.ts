import type { Verifications } from '#areas/attestation/verifications.ts';
import { leaseEntry } from '#areas/crossing/lease-entry.ts';
import type { MandateReadings } from '#areas/mandates/readings.ts';
import type { FreeChecks } from '#areas/verdicts/free-checks.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { FileAnswer } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import { ATTESTATION_ID_PATTERN } from '#protocol/attestation/attestation-id.ts';
import type { Store } from '#platform/storage/store.ts';
import type { PublicWorks } from '#transport/mcp/tools.ts';
import type { PaidCalls } from './paid-calls.ts';

export interface ReferenceParts {
  readonly store: Pick<Store, 'read'>;
  readonly log: PublicLog;
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
  readonly baseUrl: () => string;
  readonly verifications: Verifications;
  readonly mandates: MandateReadings;
  readonly freeChecks: FreeChecks;
  readonly receiptOf: PaidCalls['byReceiptId'];
  /** The newest entry of a task or an order: null before there is one, undefined for one that is not known. */
  readonly tasks: NewestEntry;
  readonly orders: NewestEntry;
}

type NewestEntry = (id: string) => Promise<{ readonly attestationId: string | null } | undefined>;
type Verify = NonNullable<PublicWorks['verify_astranl']>;
type Answer = Exclude<Awaited<ReturnType<Verify>>, Refusal>;
type Kind = Answer['kind'];

/** What a reference leads to: an entry of the log, or facts of its own where none stands behind it. */
interface Found {
  readonly entry: string | null;
  readonly url: string;
  readonly facts?: Pick<Answer, 'valid' | 'checks'>;
}

interface Form {
  readonly pattern: RegExp;
  readonly kind: Kind;
  readonly find: (ref: string, parts: ReferenceParts) => Promise<Found | undefined>;
}

const ID = '[0-9a-hjkmnp-tv-z]{26}';
const own = (prefix: string) => new RegExp(`^${prefix}${ID}$`);
const verifyUrl = (entry: string) => `/api/attest/verify/${entry}`;

const FORMS: readonly Form[] = [
  {
    pattern: new RegExp(ATTESTATION_ID_PATTERN),
    kind: 'attestation',
    find: async (ref, { log }) =>
      (await log.entryOf(ref)) === undefined ? undefined : { entry: ref, url: verifyUrl(ref) },
  },
  {
    pattern: /^AMH-[0-9A-HJKMNP-TV-Z]{26}$/,
    kind: 'handshake',
    find: async (ref, { mandates }) => {
      const status = await mandates.status({ verify_ref: ref });
      if (status instanceof Refusal) return undefined;
      return { entry: status.seals.at(-1)?.attestation_id ?? status.attestation_id, url: `/api/amh/status/${ref}` };
    },
  },
  {
    pattern: own('mnd_'),
    kind: 'mandate',
    find: async (ref, { mandates }) => {
      const entry = await mandates.entryOf(ref);
      return entry === undefined ? undefined : { entry, url: `/api/amh/mandate/${ref}` };
    },
  },
  {
    pattern: own('rcp_'),
    kind: 'receipt',
    find: async (ref, { receiptOf, tasks }) => {
      const payment = await receiptOf(ref);
      if (payment === undefined) return newest(tasks, ref, `/tasks/${ref}`);
      const checks = [{ name: 'payment_settled', ok: payment.state === 'settled' }];
      return {
        entry: null,
        url: `/v1/payments/${payment.nonce}`,
        facts: { valid: payment.state === 'settled', checks },
      };
    },
  },
  {
    pattern: own('chk_'),
    kind: 'check',
    find: async (ref, { freeChecks }) => {
      const check = await freeChecks.find(ref);
      return check && placed(check.seal?.attestationId ?? null);
    },
  },
  { pattern: own('tsk_'), kind: 'task', find: (ref, { tasks }) => newest(tasks, ref, `/api/tasks/${ref}`) },
  { pattern: own('ord_'), kind: 'order', find: (ref, { orders }) => newest(orders, ref, `/api/v1/orders/${ref}`) },
  {
    pattern: /^L[A-Za-z0-9_-]{12}$/,
    kind: 'lease',
    find: async (ref, { store, log }) => {
      const seq = await leaseEntry(store, ref);
      return seq === undefined ? undefined : placed(seq === null ? null : await entryAt(seq, log));
    },
  },
  {
    pattern: /^(?:0|[1-9]\d{0,14})$/,
    kind: 'log_entry',
    find: async (ref, { log }) => {
      const entry = await entryAt(Number(ref), log);
      return entry === null ? undefined : placed(entry);
    },
  },
  {
    pattern: /^[0-9a-f]{64}$/i,
    kind: 'digest',
    find: async (ref, { log }) => {
      const [entry] = await log.entriesOfDigest(ref.toLowerCase());
      return entry && placed(entry.attestationId);
    },
  },
];

const NO_ENTRY = 'the service knows this reference; no entry of its public log stands behind it';
const NO_REFERENCE = 'nothing: no reference of this form and text is known here';
const NOT_MEANT = 'truth of the claim';

/** Says of any text which kind of reference it is, and what it leads to where it was issued. */
export function referenceFinder(
  parts: ReferenceParts,
): (given: string) => Promise<{ readonly kind: Kind; readonly found: Found | undefined }> {
  return async (given) => {
    const ref = given.trim();
    const form = FORMS.find(({ pattern }) => pattern.test(ref)); // attacker-controlled
    return { kind: form?.kind ?? 'unknown', found: await form?.find(ref, parts) };
  };
}

/** Says of any reference that the service issued what it is and whether what was sealed about it holds. */
export function referenceVerifier(parts: ReferenceParts): Verify {
  const find = referenceFinder(parts);
  return async ({ ref: given }) => {
    const { kind, found } = await find(given);
    if (found === undefined) return bare(given, kind, parts, { isFound: false });
    if (found.entry === null) return bare(given, kind, parts, { isFound: true, found });
    return sealed(given, kind, parts, { ...found, entry: found.entry });
  };
}

async function sealed(ref: string, kind: Kind, parts: ReferenceParts, found: Found & { entry: string }) {
  const seal = await parts.verifications.verify(found.entry);
  if (seal instanceof Refusal) return seal;
  if (seal instanceof FileAnswer) throw new Error('a verification came as a file');
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
  { clock, sandbox, baseUrl }: ReferenceParts,
  { isFound, found }: { readonly isFound: boolean; readonly found?: Found },
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

function placed(entry: string | null): Found {
  return { entry, url: entry === null ? '/api/attest/ledger' : verifyUrl(entry) };
}

async function newest(read: NewestEntry, ref: string, url: string): Promise<Found | undefined> {
  const found = await read(ref);
  return found && { entry: found.attestationId, url };
}

async function entryAt(seq: number, log: PublicLog): Promise<string | null> {
  const { size } = await log.follow();
  const [entry] = seq < size ? await log.entries(seq, seq + 1) : [];
  return entry?.attestationId ?? null;
}
