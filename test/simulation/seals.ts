// Seals with Idempotency-Keys, each with a proof that must hold.
import { ANSWER_RETENTION_MS, type AttestationResult, attestationUnit, useExpiry } from '#areas/attestation/unit.ts';
import { HOUR_MS } from '#kernel/clock.ts';
import { newCommandId, newToken } from '#kernel/ids.ts';
import { expire } from '#platform/storage/expiry.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import { verifyInclusion } from '#protocol/merkle.ts';
import type { Proven } from '#platform/storage/store.ts';
import type { Chance } from './time.ts';
import { LOST, type Part, type World } from './world.ts';

const CALLERS = 2;
const schema = schemaById('record.integrity.v1');

interface Told {
  readonly key: string;
  readonly seq: number;
  readonly id: string;
}

export function simulateSeals(world: World): Part {
  const told: Told[] = [];
  world.onBirth((process) => {
    world.every(process, HOUR_MS, () => expire(process, useExpiry));
  });
  const running = Array.from({ length: CALLERS }, async (_, index) => {
    const chance = world.chance.of(`sealer ${index}`);
    while (!world.isCalm) {
      await world.think(chance);
      await seal(world, chance, told);
    }
  });
  const check = async () => {
    const idOf = new Map(
      world.rows('SELECT seq, attestation_id FROM entries').map((row) => [row['seq'], row['attestation_id']]),
    );
    return told.filter(({ seq, id }) => idOf.get(seq) !== id).map(({ id }) => `the seal ${id} is not in the log`);
  };
  return { check, stop: async () => void (await Promise.all(running)) };
}

async function seal(world: World, chance: Chance, told: Told[]): Promise<void> {
  const key = newCommandId();
  const startedMs = world.newestClock();
  const ask = () => world.insist(chance, ({ store }) => store.runProven(attestationUnit, command(key)));
  const first = await ask();
  if (first === LOST) return;
  const seq = judged(world, first);
  world.told(`seal ${first.result.outcome}`, key, seq);
  if (seq === undefined) return;
  const [row] = world.rows('SELECT attestation_id FROM entries WHERE seq = $1', [seq]);
  told.push({ key, seq, id: String(row?.['attestation_id']) });
  if (!chance.happens(0.3)) return;
  const again = await ask();
  // The answer to a key is kept for a day.
  if (again === LOST || world.newestClock() >= startedMs + ANSWER_RETENTION_MS) return;
  const { result } = again;
  if (result.outcome !== 'replayed' || result.seq !== seq) {
    world.violation(`the seal under ${key} is entry ${seq} and then ${JSON.stringify(result)}`);
  }
}

/** The number of the entry, whose proof must hold where it was made now. */
function judged(world: World, { result, proofs }: Proven<AttestationResult>): number | undefined {
  if (result.outcome === 'replayed') return result.seq;
  const [proof] = proofs;
  if (result.outcome !== 'sealed' || proof === undefined) {
    world.violation(`a seal was answered ${result.outcome}`);
    return undefined;
  }
  const { seq, treeSize, path, checkpoint } = proof;
  const root = Buffer.from(checkpoint.split('\n')[2] ?? '', 'base64');
  const claim = {
    index: seq,
    size: treeSize,
    leafHash: Buffer.from(result.leafHashHex, 'hex'),
    root,
    path: path.map((hash) => Buffer.from(hash, 'base64')),
  };
  if (!verifyInclusion(claim)) world.violation(`the proof of entry ${seq} does not hold`);
  return seq;
}

function command(key: string) {
  if (schema === undefined) throw new Error('no such schema');
  const seed = newToken();
  const claim = { statement: key };
  const prepared = prepareSeal({ schema, claim, observations: [], seed: Buffer.from(seed, 'base64url') });
  const draft = { prepared, claim, observations: [], seed, disclosure: 'holder' as const, nonce: newCommandId() };
  const repeatable = { keyHash: key, fingerprint: key, reservation: newCommandId() };
  return { type: 'seal' as const, draft, sandbox: true, owner: 'anonymous', rejectKey: null, lookups: [], repeatable };
}
