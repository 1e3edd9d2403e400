import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '#kernel/clock.ts';
import type { IdentityReason } from '#kernel/identity.ts';
import { NewestMap } from '#kernel/newest-map.ts';
import type { GuardedAnswer } from '#platform/outbound/guarded-client.ts';
import { type PublicKey, readJwk } from '#protocol/http-signature/public-key.ts';
import { DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH } from '#protocol/http-signature/web-bot-auth.ts';

export interface DirectoriesOptions {
  /** One GET to an address that a caller chose. */
  readonly get: (url: string) => Promise<GuardedAnswer>;
  readonly clock: Pick<Clock, 'now'>;
  /** Directories that are known without asking, by origin. */
  readonly given?: Readonly<Record<string, unknown>>;
}

/** What is known of a directory. */
export interface KnownDirectory {
  /** Its keys by thumbprint; undefined before its first good answer. */
  readonly keys: ReadonlyMap<string, PublicKey> | undefined;
  readonly fetchedAtMs: number | null;
  /** Why the last answer gave no keys. */
  readonly failure: IdentityReason | null;
}

interface Entry extends KnownDirectory {
  readonly freshUntilMs: number;
  readonly underWay: Promise<void> | undefined;
}

const MAX_ORIGINS = 4_096;
const MAX_FETCHES = 32;
/** Of those, for the calls of one caller: it may name directories that never answer. */
const MAX_FETCHES_OF_CALLER = 2;
const MAX_KEYS = 32;
const FAILURE_MS = 5 * MINUTE_MS;
const MIN_FRESH_MS = MINUTE_MS;
const MAX_FRESH_MS = DAY_MS;
const NEW: Entry = { keys: undefined, fetchedAtMs: null, failure: null, freshUntilMs: 0, underWay: undefined };

/** The key directories of agents. They are fetched behind the calls that need them: no call waits unless it asks to. */
export class Directories {
  readonly #options: DirectoriesOptions;
  readonly #entries = new NewestMap<string, Entry>(MAX_ORIGINS);
  /** Under way, by who asked for them. */
  readonly #fetches = new Map<string, number>();

  constructor(options: DirectoriesOptions) {
    this.#options = options;
    for (const [origin, document] of Object.entries(options.given ?? {})) {
      const keys = keysOf(document);
      const fetchedAtMs = options.clock.now();
      this.#entries.set(origin, { ...NEW, keys, fetchedAtMs, freshUntilMs: Number.POSITIVE_INFINITY });
    }
  }

  of(origin: string): KnownDirectory | undefined {
    const entry = this.#entries.get(origin);
    // The one that was used longest ago is forgotten first.
    if (entry !== undefined) this.#entries.set(origin, entry);
    return entry;
  }

  /**
   * Fetches the directory unless what is known is fresh and has the key, or too many are being fetched. Resolves when it is there;
   * never rejects.
   *
   * @param caller on whose behalf, by its address tag
   */
  fetch(origin: string, keyid: string, caller: string): Promise<void> | undefined {
    const entry = this.#entries.get(origin) ?? NEW;
    if (entry.underWay !== undefined) return entry.underWay;
    if (!this.#isDue(entry, keyid) || !this.#hasPlace(caller)) return undefined;
    this.#count(caller, 1);
    const underWay = this.#ask(origin).finally(() => this.#count(caller, -1));
    this.#entries.set(origin, { ...entry, underWay });
    return underWay;
  }

  #hasPlace(caller: string): boolean {
    const all = this.#fetches.values().reduce((sum, count) => sum + count, 0);
    return all < MAX_FETCHES && (this.#fetches.get(caller) ?? 0) < MAX_FETCHES_OF_CALLER;
  }

  #count(caller: string, change: 1 | -1): void {
    const count = (this.#fetches.get(caller) ?? 0) + change;
    if (count === 0) this.#fetches.delete(caller);
    else this.#fetches.set(caller, count);
  }

  #isDue({ keys, fetchedAtMs, freshUntilMs }: Entry, keyid: string): boolean {
    const nowMs = this.#options.clock.now();
    if (nowMs >= freshUntilMs) return true;
    // A key that its owner has just published is not unknown for a day.
    const isLacking = keys !== undefined && !keys.has(keyid) && Number.isFinite(freshUntilMs);
    return isLacking && nowMs >= (fetchedAtMs ?? 0) + MIN_FRESH_MS;
  }

  async #ask(origin: string): Promise<void> {
    const { get, clock } = this.#options;
    const read = readAnswer(await get(`${origin}${DIRECTORY_PATH}`));
    const nowMs = clock.now();
    const before = this.#entries.get(origin) ?? NEW;
    // Without an answer nothing is known anew: keys stay as they were.
    this.#entries.set(
      origin,
      'failure' in read
        ? { ...before, failure: read.failure, freshUntilMs: nowMs + FAILURE_MS, underWay: undefined }
        : { ...NEW, keys: read.keys, fetchedAtMs: nowMs, freshUntilMs: nowMs + read.freshMs },
    );
  }
}

type ReadDirectory =
  | { readonly keys: ReadonlyMap<string, PublicKey>; readonly freshMs: number }
  | { readonly failure: IdentityReason };

/** Everything of an answer is attacker-controlled. */
function readAnswer(answer: GuardedAnswer): ReadDirectory {
  if (answer.state !== 'answered' || answer.status !== 200) return { failure: 'directory_unreachable' };
  const media = answer.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  const isPlain = (answer.header('content-encoding') ?? 'identity') === 'identity';
  if (answer.truncated || media !== DIRECTORY_MEDIA_TYPE || !isPlain) return { failure: 'directory_invalid' };
  const keys = keysOf(parsedJson(answer.body));
  return keys === undefined
    ? { failure: 'directory_invalid' }
    : { keys, freshMs: freshMs(answer.header('cache-control') ?? '') };
}

function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function keysOf(document: unknown): Map<string, PublicKey> | undefined {
  const keys = typeof document === 'object' && document !== null ? (document as { keys?: unknown }).keys : undefined;
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) return undefined;
  return new Map(keys.flatMap((jwk) => readJwk(jwk) ?? []).map((key) => [key.keyid, key]));
}

function freshMs(cacheControl: string): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})(?=$|[\s,])/i.exec(cacheControl)?.[1];
  const isKept = !/(?:^|[\s,])no-(?:store|cache)(?=$|[\s,=])/i.test(cacheControl);
  const ms = seconds === undefined ? HOUR_MS : Number(seconds) * 1_000;
  return isKept ? Math.min(MAX_FRESH_MS, Math.max(MIN_FRESH_MS, ms)) : MIN_FRESH_MS;
}
