/** `ok` is null for what was not asked or cannot be checked. */
export interface Check {
  readonly name: string;
  readonly ok: boolean | null;
  readonly detail?: string;
}

export interface Checkpoint {
  readonly origin: string;
  readonly size: bigint;
  readonly root: Uint8Array;
}

export interface Result {
  /** True when no check failed. Members beside the checks are there only when everything needed for them was read. */
  readonly valid: boolean;
  readonly checks: readonly Check[];
  readonly checkpoint?: Checkpoint;
}

export interface EntryResult extends Result {
  readonly attestationId?: string;
  readonly entry?: Readonly<Record<string, unknown>>;
}

export interface Crypto {
  sha256(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>;
}

interface Options {
  /** Node's own or WebCrypto unless given. */
  readonly crypto?: Crypto;
}

/** Key of the log, or all its keys. */
export type Vkey = string | readonly string[];

/** A minimal answer of a seal with the entry, inclusion and checkpoint that stand in its proof. Others as they are. */
export function wholeAnswer<Answer>(answer: Answer): Answer;

export function verifySealAnswer(
  answer: unknown,
  vkey: Vkey,
  options?: Options & { readonly attestationId?: string | undefined; readonly ignoreClaim?: boolean },
): Promise<EntryResult>;

export function verifyTlogProof(
  text: unknown,
  vkey: Vkey,
  options?: Options & { readonly entry?: Uint8Array; readonly attestationId?: string | undefined },
): Promise<EntryResult & { readonly index?: bigint }>;

export function verifyLedgerPage(page: unknown, vkey: Vkey, options?: Options): Promise<Result>;

/** Takes the lines of the ledger as application/x-ndjson, without their line ends. */
export function verifyLedgerStream(
  lines: Iterable<unknown> | AsyncIterable<unknown>,
  vkey: Vkey,
  options?: Options,
): Promise<Result>;

export function verifyConsistency(
  question: { readonly older: unknown; readonly newer: unknown; readonly hashes: unknown },
  vkey: Vkey,
  options?: Options,
): Promise<Result & { readonly older?: Checkpoint; readonly newer?: Checkpoint }>;

export interface ReceiptResult extends Result {
  /**
   * `valid`: a given key signed this answer, and the request too where it was given. All others are not valid: of
   * `answer_not_covered`, `answer_not_given` and `signer_not_known` only the signature is known to be good.
   */
  readonly outcome: 'valid' | 'invalid' | 'answer_not_covered' | 'answer_not_given' | 'signer_not_known';
  readonly receipt?: Readonly<Record<string, unknown>>;
  /** Parts of the answer that nobody signed, as JSON Pointers; there when the others are those that were signed. */
  readonly uncovered?: readonly string[];
}

/** A key as /.well-known/avouch-keys.json lists it, or a raw public key in base64. */
export type ReceiptKey = string | { readonly public_key: string; readonly kid?: string | null };

export function verifyReceipt(
  receipt: unknown,
  options?: Options & {
    /** The whole answer; the receipt says what it signs of it. A receipt that stands in it must be this one. */
    readonly answer?: unknown;
    readonly request?: unknown;
    readonly keys?: readonly ReceiptKey[];
    /** Whether the receipt must be of a sandbox; it must not be one unless said. */
    readonly sandbox?: boolean;
  },
): Promise<ReceiptResult>;

export interface CoseReceiptResult extends Result {
  /** The log that the receipt names: the address of the service and the origin. */
  readonly log?: { readonly iss: string; readonly sub: string };
  /** Size of the tree, and the place of the entry or the older size. The signature does not cover them. */
  readonly size?: number;
  readonly at?: number;
  /** The signed root; there when the path leads to one. */
  readonly root?: Uint8Array;
}

/**
 * Checks `form`, `issuer`, `log`, `key`, `path` and `signature`; after a wrong form no other. `issuer` and `log` are null
 * where you do not say what the receipt must name.
 */
export function verifyCoseReceipt(
  bytes: Uint8Array,
  options: Options &
    ({ readonly entry: Uint8Array } | { readonly root: Uint8Array }) & {
      /** The bytes of /.well-known/scitt-keys, or raw public keys in base64. */
      readonly keys: Uint8Array | readonly string[];
      readonly issuer?: string | undefined;
      /** The origin of the log. */
      readonly subject?: string | undefined;
    },
): Promise<CoseReceiptResult>;

/** Whether an object in the text of JSON has a member twice: of the two, readers may see different ones. */
export function hasRepeatedMembers(text: string): boolean;
