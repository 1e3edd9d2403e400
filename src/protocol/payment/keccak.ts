const RATE_BYTES = 136;
const WORDS = 50;

/** Rotations of rho in the order in which pi visits the lanes, and those lanes (FIPS 202 sections 3.2.2 and 3.2.3). */
const ROTATIONS = Int32Array.of(
  ...[1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44],
);
const LANES = Int32Array.of(...[10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1]);
const ROUND_CONSTANTS = roundConstants();

// A typed array never gives undefined inside its bounds; the cast spares a check per step of the permutation.
type Words = number[];
const buffer = new ArrayBuffer(WORDS * 4);
const state = new Int32Array(buffer) as unknown as Words;
const stateBytes = new Uint8Array(buffer);
const column = new Int32Array(10) as unknown as Words;
const rotations = ROTATIONS as unknown as Words;
const lanes = LANES as unknown as Words;

/** Keccak-256 as Ethereum uses it: the padding of the contest, not that of SHA-3. Little-endian machines only. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('keccak256 takes bytes');
  stateBytes.fill(0);
  let used = 0;
  for (let i = 0; i < bytes.length; i++) {
    stateBytes[used] = (stateBytes[used] as number) ^ (bytes[i] as number);
    used += 1;
    if (used === RATE_BYTES) {
      permute(state, column);
      used = 0;
    }
  }
  stateBytes[used] = (stateBytes[used] as number) ^ 1;
  stateBytes[RATE_BYTES - 1] = (stateBytes[RATE_BYTES - 1] as number) ^ 0x80;
  permute(state, column);
  return stateBytes.slice(0, 32);
}

function permute(s: Words, c: Words): void {
  for (let round = 0; round < 48; round += 2) {
    theta(s, c);
    rhoAndPi(s);
    chi(s);
    s[0]! ^= ROUND_CONSTANTS[round]!;
    s[1]! ^= ROUND_CONSTANTS[round + 1]!;
  }
}

function theta(s: Words, c: Words): void {
  for (let x = 0; x < 10; x++) c[x] = s[x]! ^ s[x + 10]! ^ s[x + 20]! ^ s[x + 30]! ^ s[x + 40]!;
  for (let x = 0; x < 10; x += 2) {
    const before = x === 0 ? 8 : x - 2;
    const after = x === 8 ? 0 : x + 2;
    const low = c[before]! ^ ((c[after]! << 1) | (c[after + 1]! >>> 31));
    const high = c[before + 1]! ^ ((c[after + 1]! << 1) | (c[after]! >>> 31));
    for (let y = x; y < WORDS; y += 10) {
      s[y]! ^= low;
      s[y + 1]! ^= high;
    }
  }
}

function rhoAndPi(s: Words): void {
  let low = s[2]!;
  let high = s[3]!;
  for (let i = 0; i < 24; i++) {
    const lane = lanes[i]! * 2;
    const bits = rotations[i]!;
    const by = bits & 31;
    const first = bits < 32 ? low : high;
    const second = bits < 32 ? high : low;
    low = s[lane]!;
    high = s[lane + 1]!;
    s[lane] = (first << by) | (second >>> (32 - by));
    s[lane + 1] = (second << by) | (first >>> (32 - by));
  }
}

function chi(s: Words): void {
  for (let plane = 0; plane < WORDS; plane += 10) {
    for (let y = plane; y < plane + 2; y++) {
      const a = s[y]!;
      const b = s[y + 2]!;
      const c = s[y + 4]!;
      const d = s[y + 6]!;
      const e = s[y + 8]!;
      s[y] = a ^ (~b & c);
      s[y + 2] = b ^ (~c & d);
      s[y + 4] = c ^ (~d & e);
      s[y + 6] = d ^ (~e & a);
      s[y + 8] = e ^ (~a & b);
    }
  }
}

/** The linear feedback register of FIPS 202 section 3.2.5. */
function roundConstants(): Int32Array {
  const constants = new Int32Array(48);
  let register = 1;
  for (let round = 0; round < 24; round++) {
    let value = 0n;
    for (let j = 0; j < 7; j++) {
      if ((register & 1) === 1) value |= 1n << BigInt(2 ** j - 1);
      register = register & 0x80 ? (register << 1) ^ 0x171 : register << 1;
    }
    constants[round * 2] = Number(BigInt.asIntN(32, value));
    constants[round * 2 + 1] = Number(BigInt.asIntN(32, value >> 32n));
  }
  return constants;
}
