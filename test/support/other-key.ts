// The second public key that an ECDSA signature fits: whoever has a signed text can make it, without any private key.
import { hash } from 'node:crypto';
import type { P256Jwk } from '#protocol/ap2/es256.ts';

const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const G: Point = [
  0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
];

type Point = readonly [bigint, bigint];

const mod = (value: bigint, by: bigint) => ((value % by) + by) % by;

function power(base: bigint, exponent: bigint, by: bigint): bigint {
  let result = 1n;
  for (let b = mod(base, by), e = exponent; e > 0n; e >>= 1n, b = (b * b) % by) if (e & 1n) result = (result * b) % by;
  return result;
}

const inverse = (value: bigint, by: bigint) => power(value, by - 2n, by);

function add(a: Point | null, b: Point | null): Point | null {
  if (a === null || b === null) return a ?? b;
  if (a[0] === b[0] && mod(a[1] + b[1], P) === 0n) return null;
  const slope =
    a[0] === b[0] ? (3n * a[0] * a[0] - 3n) * inverse(2n * a[1], P) : (b[1] - a[1]) * inverse(mod(b[0] - a[0], P), P);
  const x = mod(slope * slope - a[0] - b[0], P);
  return [x, mod(slope * (a[0] - x) - a[1], P)];
}

function times(factor: bigint, point: Point): Point | null {
  let result: Point | null = null;
  for (let f = mod(factor, N), p: Point | null = point; f > 0n; f >>= 1n, p = add(p, p))
    if (f & 1n) result = add(result, p);
  return result;
}

/** The key other than the given one that verifies the signature of this JWT. */
export function otherKeyOf(jwt: string, signer: P256Jwk): P256Jwk {
  const [header, payload, tail = ''] = jwt.split('.');
  const bytes = Buffer.from(tail, 'base64url').toString('hex');
  const [r, s] = [BigInt(`0x${bytes.slice(0, 64)}`), BigInt(`0x${bytes.slice(64)}`)];
  const z = BigInt(`0x${hash('sha256', `${header}.${payload}`, 'hex')}`);
  const y = power(r * r * r - 3n * r + B, (P + 1n) / 4n, P);
  const rInverse = inverse(r, N);
  const keys = [y, P - y].map((one) => add(times(s * rInverse, [r, one]), times(-z * rInverse, G)));
  const part = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toString('base64url');
  const found = keys.flatMap((key) =>
    key === null ? [] : [{ kty: 'EC', crv: 'P-256', x: part(key[0]), y: part(key[1]) } as const],
  );
  const other = found.find(({ x }) => x !== signer.x);
  if (other === undefined) throw new Error('there is no other key');
  return other;
}
