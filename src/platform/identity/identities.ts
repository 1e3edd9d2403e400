import { type Clock, DAY_MS, MINUTE_MS } from '#kernel/clock.ts';
import type {
  CallIdentity,
  IdentityDetails,
  IdentityReason,
  IdentityVerdict,
  VerifiedIdentity,
} from '#kernel/identity.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { NewestMap } from '#kernel/newest-map.ts';
import type { Store } from '#platform/storage/store.ts';
import { type PublicKey, verifySignature } from '#protocol/http-signature/public-key.ts';
import {
  DIRECTORY_PATH,
  isDigestOf,
  isDigestOfLong,
  readSignatures,
  RFC9421_TEST_KEYID,
  type SignatureReading,
  type SignatureReadings,
} from '#protocol/http-signature/web-bot-auth.ts';
import type { Directories, KnownDirectory } from './directories.ts';
import { identityUnit } from './identity-unit.ts';

export interface IdentitiesOptions {
  readonly directories: Directories;
  readonly store: Pick<Store, 'run'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
  readonly baseUrl: () => string;
  /** Told of what could not be stored. */
  readonly logFault: (error: unknown) => void;
}

/** What of a request is signed, as Node gives it. */
export interface SignedMessage {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A verdict with the signature that it is about. */
interface Judgement extends IdentityVerdict {
  readonly reading: SignatureReading | null;
}

/** A longer body is hashed in turns. */
const HASHED_AT_ONCE_BYTES = 262_144;
const MAX_OUTCOMES = 10_000;
const MAX_KNOWN = 4_096;
/** After so long without a broken rule, calls that an agent signs are counted more generously. */
const SEASON_MS = DAY_MS;
const UNVERIFIED: ReadonlySet<IdentityReason> = new Set([
  'directory_pending',
  'directory_unreachable',
  'directory_invalid',
  'type_unsupported',
]);

/** Who signs calls (Web Bot Auth). Whatever is wrong with a signature, the call is what it is without one. */
export class Identities {
  readonly #options: IdentitiesOptions;
  /** Whether a signature is a key's over a base, by all three. */
  readonly #outcomes = new NewestMap<string, boolean>(MAX_OUTCOMES);
  /** Since when an agent is known, and when that was last stored. */
  readonly #known = new NewestMap<string, { readonly sinceMs: number; readonly storedMs: number }>(MAX_KNOWN);
  readonly #storing = new Set<string>();
  #address = { baseUrl: '', scheme: '', authority: '' };

  constructor(options: IdentitiesOptions) {
    this.#options = options;
  }

  /** To be asked only of a call that has a Signature-Input. */
  of({ method = '', url = '', headers }: SignedMessage): SignedCall {
    const [path = ''] = url.split('?', 1);
    const query = url.slice(path.length);
    const header = (name: string) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    };
    const { scheme, authority } = this.#addressed();
    const request = { method, scheme, authority, path, query, header };
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    const readings = readSignatures(request, this.#options.clock.now());
    return new SignedCall(this, readings, { digest: header('content-digest') ?? '', hasBody });
  }

  /** The public address: what a Host header says is the caller's. */
  #addressed(): { readonly scheme: string; readonly authority: string } {
    const baseUrl = this.#options.baseUrl();
    if (this.#address.baseUrl !== baseUrl) {
      const url = URL.parse(baseUrl);
      this.#address = { baseUrl, scheme: url?.protocol.slice(0, -1) ?? '', authority: url?.host ?? '' };
    }
    return this.#address;
  }

  directoryOf({ origin }: SignatureReading): KnownDirectory | undefined {
    return origin === null ? undefined : this.#options.directories.of(origin);
  }

  fetchFor({ origin, keyid, reason }: SignatureReading, caller: string): Promise<void> | undefined {
    if (reason !== null || origin === null || keyid === null || this.#isTestKey(keyid)) return undefined;
    return this.#options.directories.fetch(origin, keyid, caller);
  }

  /** Why the signature is not that of its agent; null where it is. */
  reasonAgainst(reading: SignatureReading): IdentityReason | null {
    const { reason, keyid, base, alg, signature } = reading;
    if (reason !== null || keyid === null || base === null) return reason ?? 'header_malformed';
    if (this.#isTestKey(keyid)) return 'test_key';
    const directory = this.directoryOf(reading);
    if (directory?.keys === undefined) return directory?.failure ?? 'directory_pending';
    const key = directory.keys.get(keyid);
    if (key === undefined) return 'key_unknown';
    if (alg !== null && alg !== key.algorithm) return 'alg';
    return this.#isSignedBy(key, base, signature) ? null : 'signature';
  }

  #isTestKey(keyid: string): boolean {
    return keyid === RFC9421_TEST_KEYID && !this.#options.sandbox;
  }

  #isSignedBy(key: PublicKey, base: string, signature: Uint8Array): boolean {
    const name = sha256Hex(`${key.keyid}\n${base}\n${Buffer.from(signature).toString('base64')}`);
    const known = this.#outcomes.get(name);
    if (known !== undefined) return known;
    const outcome = verifySignature(key, base, signature);
    this.#outcomes.set(name, outcome);
    return outcome;
  }

  /** Whether the agent has signed its calls for long enough. */
  isSeasoned({ agentUrl }: VerifiedIdentity): boolean {
    const known = this.#known.get(agentUrl);
    return known !== undefined && this.#options.clock.now() >= known.sinceMs + SEASON_MS;
  }

  /** Remembers that the agent called, at most once a day in the store; `restarts` where it broke a usage rule. */
  saw({ agentUrl }: VerifiedIdentity, restarts = false): void {
    const { sinceMs: knownSinceMs = Number.POSITIVE_INFINITY, storedMs = Number.NEGATIVE_INFINITY } =
      this.#known.get(agentUrl) ?? {};
    const nowMs = this.#options.clock.now();
    if (!restarts && (nowMs < storedMs + DAY_MS || this.#storing.has(agentUrl))) return;
    this.#storing.add(agentUrl);
    this.#options.store
      .run(identityUnit, { agentUrl, restarts })
      .then((sinceMs) => this.#known.set(agentUrl, { sinceMs, storedMs: nowMs }))
      .catch((error: unknown) => {
        // Tried again in a minute, not with every call.
        this.#known.set(agentUrl, { sinceMs: knownSinceMs, storedMs: nowMs - DAY_MS + MINUTE_MS });
        this.#options.logFault(error);
      })
      .finally(() => this.#storing.delete(agentUrl));
  }
}

/** The signature of one call. */
export class SignedCall implements CallIdentity {
  readonly #identities: Identities;
  readonly #readings: SignatureReadings;
  /** The one of the body, where a signature that may hold covers it. */
  readonly #digest: string;
  readonly #hasBody: boolean;
  /** Whether the body is the one that was signed, once it is known. */
  #isBodySigned: boolean | undefined;
  #judgement: Judgement;

  constructor(
    identities: Identities,
    readings: SignatureReadings,
    { digest, hasBody }: { readonly digest: string; readonly hasBody: boolean },
  ) {
    this.#identities = identities;
    this.#readings = readings;
    const isCovered = readings.readings.some(({ coversDigest, reason }) => coversDigest && reason === null);
    this.#digest = isCovered ? digest : '';
    this.#hasBody = hasBody;
    if (!hasBody && this.#digest !== '') this.#isBodySigned = isDigestOf(digest, new Uint8Array());
    this.#judgement = this.#judge();
  }

  get verdict(): IdentityVerdict {
    return this.#judgement;
  }

  /** What every answer to the call says of it. */
  get header(): string {
    const { state, reasons } = this.#judgement;
    return reasons[0] === undefined ? state : `${state}; reason="${reasons[0]}"`;
  }

  /** Names the agent whose calls may be counted more generously; undefined for all others. */
  get seasonedTag(): string | undefined {
    const { verified } = this.#judgement;
    return verified !== null && this.#identities.isSeasoned(verified) ? `agent ${verified.agentUrl}` : undefined;
  }

  /** The call of this address tag was let in: what it takes to know its signer is done behind it. */
  admitted(caller: string): void {
    for (const reading of this.#readings.readings) void this.#identities.fetchFor(reading, caller);
    const { verified } = this.#judgement;
    if (verified !== null) this.#identities.saw(verified);
  }

  /** The call broke a usage rule. */
  broke(): void {
    const { verified } = this.#judgement;
    if (verified !== null) this.#identities.saw(verified, true);
  }

  /** A promise where the body is long: until it resolves the body must stay as it is. */
  sawBody(body: Uint8Array): Promise<void> | undefined {
    if (this.#digest === '') return undefined;
    if (body.length > HASHED_AT_ONCE_BYTES) {
      return isDigestOfLong(this.#digest, body).then((isSigned) => this.#knowBody(isSigned));
    }
    return this.#knowBody(isDigestOf(this.#digest, body));
  }

  #knowBody(isSigned: boolean): undefined {
    this.#isBodySigned = isSigned;
    this.#judgement = this.#judge();
  }

  async details(caller: string): Promise<IdentityDetails> {
    await Promise.all(this.#readings.readings.flatMap((reading) => this.#identities.fetchFor(reading, caller) ?? []));
    const judgement = this.#judge();
    this.#judgement = judgement;
    const { reading, state, reasons, verified } = judgement;
    const known = reading === null ? undefined : this.#identities.directoryOf(reading);
    const { keys, fetchedAtMs = null } = known ?? {};
    return {
      state,
      reasons,
      verified,
      agentUrl: reading?.origin == null ? null : directoryUrl(reading.origin),
      keyid: reading?.keyid ?? null,
      covered: reading?.covered ?? [],
      baseSha256: reading?.base == null ? null : sha256Hex(reading.base),
      directory: keys === undefined || fetchedAtMs === null ? null : { fetchedAtMs, keys: keys.size },
    };
  }

  #judge(): Judgement {
    const judged = this.#readings.readings.map((reading) => ({ reading, reason: this.#reasonAgainst(reading) }));
    const best =
      judged.find(({ reason }) => reason === null) ?? judged.find(({ reason }) => isOpen(reason)) ?? judged[0];
    if (best === undefined) {
      const { reason } = this.#readings;
      const state = reason === 'tag_missing' ? 'absent' : 'invalid';
      return { state, reasons: reason === null ? [] : [reason], verified: null, reading: null };
    }
    const { reading, reason } = best;
    if (reason === null) return { state: 'verified', reasons: [], verified: this.#verified(reading), reading };
    const reasons = [...new Set([reason, ...judged.flatMap((one) => one.reason ?? [])])];
    return { state: isOpen(reason) ? 'unverified' : 'invalid', reasons, verified: null, reading };
  }

  #reasonAgainst(reading: SignatureReading): IdentityReason | null {
    const reason = this.#identities.reasonAgainst(reading);
    return reason === null && reading.coversDigest && this.#isBodySigned === false ? 'digest' : reason;
  }

  #verified({ origin, keyid, isBoundToTarget, coversDigest }: SignatureReading): VerifiedIdentity {
    const isWhole = !this.#hasBody || (coversDigest && this.#isBodySigned === true);
    return {
      agentUrl: directoryUrl(origin as string),
      keyid: keyid as string,
      strength: isBoundToTarget && isWhole ? 'request' : 'origin',
    };
  }
}

function isOpen(reason: IdentityReason | null): boolean {
  return reason !== null && UNVERIFIED.has(reason);
}

function directoryUrl(origin: string): string {
  return `${origin}${DIRECTORY_PATH}`;
}
