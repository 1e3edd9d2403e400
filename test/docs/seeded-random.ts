// Makes everything that this process draws at random come out the same each time. Imported before the service.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** What stands in front of the seed in a private key of each kind, in PKCS #8. */
const SEED_PREFIXES: Readonly<Record<string, string>> = {
  ed25519: '302e020100300506032b657004220420',
  'ml-dsa-44': '3034020100300b060960864801650304031104228020',
};

/** Enough callers to tell what a call draws from what a job draws meanwhile. */
const CALLERS = 4;

let seed = '';
/** How often each place drew. */
const drawn = new Map<string, number>();

/** From now on the draws are those of this seed. */
export function seedWith(text: string): void {
  seed = text;
  drawn.clear();
}

/** Each place in the program has draws of its own: which of two draws first, when both may, depends on the machine. */
function draw(count: number): Buffer {
  const place = placeOf(new Error('a draw'));
  const blocks: Buffer[] = [];
  for (let have = 0; have < count; have += 32) {
    const turn = drawn.get(place) ?? 0;
    drawn.set(place, turn + 1);
    blocks.push(crypto.createHash('sha256').update(`${seed} ${place} ${turn}`).digest());
  }
  return Buffer.concat(blocks).subarray(0, count);
}

/** The functions that lead to a draw and their files, without folders and lines: those change with every edit. */
function placeOf({ stack = '' }: Error): string {
  const callers = stack.split('\n').slice(2, 2 + CALLERS);
  return callers.map((line) => line.replace(/\(?(?:file|node):(?:\S*\/)?([\w.-]+):\d+:\d+\)?/, '$1').trim()).join(' ');
}

function drawInt(from: number, to?: number): number {
  const [least, most] = to === undefined ? [0, from] : [from, to];
  return least + (draw(6).readUIntBE(0, 6) % (most - least));
}

function keyPair(type: string, ...options: unknown[]) {
  const prefix = SEED_PREFIXES[type];
  if (prefix === undefined) return generateKeyPairSync(type as 'ec', ...(options as [never]));
  const key = Buffer.concat([Buffer.from(prefix, 'hex'), draw(32)]);
  const privateKey = crypto.createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: crypto.createPublicKey(privateKey) };
}

const { generateKeyPairSync } = crypto;

Object.assign(crypto, {
  randomBytes: draw,
  randomInt: drawInt,
  randomUUID: () => {
    const hex = draw(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  },
  randomFillSync: (bytes: Uint8Array) => {
    bytes.set(draw(bytes.length));
    return bytes;
  },
  generateKeyPairSync: keyPair,
});
syncBuiltinESMExports();
