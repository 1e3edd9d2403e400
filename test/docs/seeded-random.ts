// Makes everything that this process draws at random come out the same each time. Imported before the service.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** What stands in front of the seed in a private key of each kind, in PKCS #8. */
const SEED_PREFIXES: Readonly<Record<string, string>> = {
  ed25519: '302e020100300506032b657004220420',
  'ml-dsa-44': '3034020100300b060960864801650304031104228020',
};

let seed = '';
let drawn = 0;

/** From now on the draws are those of this seed. */
export function seedWith(text: string): void {
  seed = text;
  drawn = 0;
}

function draw(count: number): Buffer {
  const blocks: Buffer[] = [];
  for (let have = 0; have < count; have += 32) {
    blocks.push(crypto.createHash('sha256').update(`${seed} ${drawn}`).digest());
    drawn += 1;
  }
  return Buffer.concat(blocks).subarray(0, count);
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
