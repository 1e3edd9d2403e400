import { hash, type KeyObject } from 'node:crypto';
import { type Cbor, type CborMap, CborTag, decodeCbor, encodeCbor } from './cbor.ts';
import { ed25519Sign, ed25519Verify } from './ed25519.ts';
import { inclusionRoot, leafHash, verifyConsistency } from './merkle.ts';
import { ProtocolError } from './protocol-error.ts';

export const RFC9943_RECEIPT_MEDIA = 'application/scitt-receipt+cose';

const RFC9052_COSE_SIGN1 = 18;
const RFC9052_ALG = 1;
const RFC9052_KID = 4;
const RFC9597_CWT_CLAIMS = 15;
const RFC9942_VDS = 395;
const RFC9942_VDP = 396;
/** The tree of RFC 9162 with SHA-256, which is ours. */
const RFC9942_RFC9162_SHA256 = 1;
const RFC9942_INCLUSION = -1;
const RFC9942_CONSISTENCY = -2;
/** What deployed verifiers know. The newer -19 says the same of an Ed25519 key and is accepted too. */
const RFC9053_EDDSA = -8;
const RFC9864_ED25519 = -19;
const CWT_ISS = 1;
const CWT_SUB = 2;
const RFC9053_OKP = 1;
const RFC9053_CRV_ED25519 = 6;
const MAX_RECEIPT_BYTES = 16_384;
const MAX_KEY_SET_BYTES = 1_048_576;

/** The log for which a receipt speaks: a root alone does not name it. */
export interface ReceiptLog {
  /** Address of the service. */
  readonly iss: string;
  /** Origin of the log. */
  readonly sub: string;
}

export interface ReceiptSigningKey {
  readonly publicKey: Uint8Array;
  readonly privateKey: KeyObject;
}

export interface InclusionProof {
  readonly treeSize: number;
  readonly index: number;
  readonly path: readonly Uint8Array[];
  readonly root: Uint8Array;
}

export interface ConsistencyProof {
  readonly first: number;
  readonly second: number;
  readonly path: readonly Uint8Array[];
  /** Of the newer tree. */
  readonly root: Uint8Array;
}

/** RFC 9679: the SHA-256 of the key's required members. */
export function coseKeyThumbprint(publicKey: Uint8Array): Uint8Array {
  return hash('sha256', encodeCbor(bareKey(publicKey)), 'buffer');
}

/** A COSE_Key with its thumbprint as `kid`. */
export function coseKey(publicKey: Uint8Array): CborMap {
  return new Map<number, Cbor>([...bareKey(publicKey), [2, coseKeyThumbprint(publicKey)], [3, RFC9053_EDDSA]]);
}

function bareKey(publicKey: Uint8Array): Map<number, Cbor> {
  return new Map<number, Cbor>([
    [1, RFC9053_OKP],
    [-1, RFC9053_CRV_ED25519],
    [-2, publicKey],
  ]);
}

/** The Ed25519 keys of a COSE_Key or a set of them; others are passed over. */
export function coseKeysIn(bytes: Uint8Array): Uint8Array[] {
  const value = decodeBounded(bytes, MAX_KEY_SET_BYTES);
  const keys = Array.isArray(value) ? (value as readonly Cbor[]) : [value];
  return keys.flatMap((key) => {
    if (!(key instanceof Map) || key.get(1) !== RFC9053_OKP || key.get(-1) !== RFC9053_CRV_ED25519) return [];
    const x: unknown = key.get(-2);
    return x instanceof Uint8Array && x.length === 32 ? [x] : [];
  });
}

/** RFC 9942: the root is signed and left out, so that a verifier must compute it from the path. */
export function inclusionReceipt(
  { treeSize, index, path, root }: InclusionProof,
  log: ReceiptLog,
  key: ReceiptSigningKey,
): Uint8Array {
  if (path.length === 0) throw new ProtocolError('out_of_range', 'a tree of one leaf has no path');
  return receipt(RFC9942_INCLUSION, { proof: [treeSize, index, path], root, payload: null }, { log, key });
}

/** RFC 9942: the newer root is signed and attached. */
export function consistencyReceipt(
  { first, second, path, root }: ConsistencyProof,
  log: ReceiptLog,
  key: ReceiptSigningKey,
): Uint8Array {
  if (path.length === 0) throw new ProtocolError('out_of_range', 'the first tree is empty or the second one');
  return receipt(RFC9942_CONSISTENCY, { proof: [first, second, path], root, payload: root }, { log, key });
}

function receipt(
  kind: number,
  { proof, root, payload }: { proof: readonly Cbor[]; root: Uint8Array; payload: Uint8Array | null },
  { log: { iss, sub }, key }: { log: ReceiptLog; key: ReceiptSigningKey },
): Uint8Array {
  const claims = new Map([
    [CWT_ISS, iss],
    [CWT_SUB, sub],
  ]);
  const header = encodeCbor(
    new Map<number, Cbor>([
      [RFC9052_ALG, RFC9053_EDDSA],
      [RFC9052_KID, coseKeyThumbprint(key.publicKey)],
      [RFC9597_CWT_CLAIMS, claims],
      [RFC9942_VDS, RFC9942_RFC9162_SHA256],
    ]),
  );
  const proofs = new Map([[RFC9942_VDP, new Map([[kind, [encodeCbor(proof)]]])]]);
  const signature = ed25519Sign(key.privateKey, toBeSigned(header, root));
  return encodeCbor(new CborTag(RFC9052_COSE_SIGN1, [header, proofs, payload, signature]));
}

/** RFC 9052, 4.4: `Sig_structure`. */
function toBeSigned(header: Uint8Array, payload: Uint8Array): Uint8Array {
  return encodeCbor(['Signature1', header, new Uint8Array(), payload]);
}

interface CoseCheck {
  readonly name: 'form' | 'issuer' | 'log' | 'key' | 'path' | 'signature';
  /** Null for a comparison that nobody asked for. */
  readonly ok: boolean | null;
  readonly detail?: string;
}

export interface CoseResult {
  readonly valid: boolean;
  readonly checks: readonly CoseCheck[];
  readonly log: ReceiptLog;
  /** Size of the tree, and the place of the entry or the size of the older tree. The signature does not cover them. */
  readonly size: number;
  readonly at: number;
  readonly root: Uint8Array | null;
}

export interface CoseTrust {
  /** Raw public keys. */
  readonly keys: readonly Uint8Array[];
  /** What the receipt must say; a member that is left out is not compared, and its check says so. */
  readonly log?: Partial<ReceiptLog>;
}

/** Whether the receipt proves that the entry is in the log. Throws ProtocolError for bytes that are no such receipt. */
export function verifyInclusionReceipt(bytes: Uint8Array, entry: Uint8Array, trust: CoseTrust): CoseResult {
  const read = readReceipt(bytes, RFC9942_INCLUSION);
  if (read.payload !== null) throw malformed('the root is attached');
  const [size, at, path] = read.proof;
  const root = inclusionRoot({ index: at, size, leafHash: leafHash(entry), path });
  return judged(read, { size, at, root: root ?? null }, trust);
}

/** Whether the receipt proves that the newer tree starts with the older one, whose root the caller remembers. */
export function verifyConsistencyReceipt(bytes: Uint8Array, firstRoot: Uint8Array, trust: CoseTrust): CoseResult {
  const read = readReceipt(bytes, RFC9942_CONSISTENCY);
  const { payload: secondRoot } = read;
  if (secondRoot === null) throw malformed('the root is not attached');
  const [first, second, proof] = read.proof;
  const isGrown = verifyConsistency({ first, second, firstRoot, secondRoot, proof });
  return judged(read, { size: second, at: first, root: isGrown ? secondRoot : null }, trust);
}

interface ReadReceipt {
  readonly header: Uint8Array;
  readonly kid: Uint8Array;
  readonly log: ReceiptLog;
  readonly proof: readonly [number, number, readonly Uint8Array[]];
  readonly payload: Uint8Array | null;
  readonly signature: Uint8Array;
}

function judged(
  { header, kid, log, signature }: ReadReceipt,
  { size, at, root }: Pick<CoseResult, 'size' | 'at' | 'root'>,
  { keys, log: wanted = {} }: CoseTrust,
): CoseResult {
  const key = keys.find((one) => Buffer.compare(coseKeyThumbprint(one), kid) === 0);
  const isSigned = key !== undefined && root !== null && ed25519Verify(key, toBeSigned(header, root), signature);
  const checks: CoseCheck[] = [
    { name: 'form', ok: true },
    compared('issuer', wanted.iss, log.iss),
    compared('log', wanted.sub, log.sub),
    { name: 'key', ok: key !== undefined },
    { name: 'path', ok: root !== null },
    { name: 'signature', ok: isSigned },
  ];
  return { valid: checks.every(({ ok }) => ok !== false), checks, log, size, at, root };
}

function compared(name: 'issuer' | 'log', wanted: string | undefined, named: string): CoseCheck {
  return wanted === undefined
    ? { name, ok: null, detail: `no ${name} was asked about` }
    : { name, ok: wanted === named };
}

/** attacker-controlled: every member. */
function readReceipt(bytes: Uint8Array, kind: number): ReadReceipt {
  const value = decodeBounded(bytes, MAX_RECEIPT_BYTES);
  if (!(value instanceof CborTag) || value.tag !== RFC9052_COSE_SIGN1) throw malformed('no COSE_Sign1');
  const [header, unprotected, payload, signature] = listOf(value.value, 4);
  if (!(header instanceof Uint8Array) || !(signature instanceof Uint8Array)) throw malformed('no header or signature');
  if (payload !== null && !(payload instanceof Uint8Array)) throw malformed('the payload is not bytes');
  const members = mapOf(decodeCbor(header));
  const algorithm = members.get(RFC9052_ALG);
  if (algorithm !== RFC9053_EDDSA && algorithm !== RFC9864_ED25519) throw malformed('another algorithm');
  if (members.get(RFC9942_VDS) !== RFC9942_RFC9162_SHA256) throw malformed('another kind of tree');
  const kid = members.get(RFC9052_KID);
  if (!(kid instanceof Uint8Array)) throw malformed('no key id');
  const claims = mapOf(members.get(RFC9597_CWT_CLAIMS));
  const [iss, sub] = [claims.get(CWT_ISS), claims.get(CWT_SUB)];
  if (typeof iss !== 'string' || typeof sub !== 'string') throw malformed('no log is named');
  const proofs = mapOf(mapOf(unprotected).get(RFC9942_VDP)).get(kind);
  const [encoded] = listOf(proofs, 1);
  if (!(encoded instanceof Uint8Array)) throw malformed('no proof');
  return { header, kid, log: { iss, sub }, proof: proofOf(decodeCbor(encoded)), payload, signature };
}

function proofOf(value: Cbor): ReadReceipt['proof'] {
  const [one, other, path] = listOf(value, 3);
  const isPath = Array.isArray(path) && path.length > 0 && path.every((item) => item instanceof Uint8Array);
  if (typeof one !== 'number' || typeof other !== 'number' || !isPath) throw malformed('the proof has no path');
  return [one, other, path];
}

function decodeBounded(bytes: Uint8Array, most: number): Cbor {
  if (bytes instanceof Uint8Array && bytes.length > most) throw malformed('too long');
  return decodeCbor(bytes);
}

function listOf(value: Cbor | undefined, length: number): readonly Cbor[] {
  if (!Array.isArray(value) || value.length !== length) throw malformed(`no list of ${length}`);
  return value as readonly Cbor[];
}

function mapOf(value: Cbor | undefined): CborMap {
  if (!(value instanceof Map)) throw malformed('no map');
  return value as CborMap;
}

function malformed(detail: string): ProtocolError {
  return new ProtocolError('receipt_malformed', detail);
}
