// The log before judges that share no code with it: Go's sumdb packages and the verifier of sigstore.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ed25519Cosigner } from '#protocol/cosignature.ts';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';
import { formatVkey } from '#protocol/note-key.ts';
import { goIsMissing, GoReferee } from './go.ts';
import { ENGINES, hasPostgres } from '../support/databases.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { TestService } from '../support/service.ts';
import { exportLog, type LogExport, type Witness } from './log-export.ts';
import { fillLog, LogCaller, type SealAnswer } from './log-traffic.ts';
import { nowSeconds } from '../support/log.ts';
import { checkWithSigstore } from './sigstore.ts';

const SEALS = { sqlite: 1_500, postgres: 600 } as const;
const RELEASES = 40;
const FLIPS_OF_A_FILE = 4;
const missing = goIsMissing();

function newWitness(name: string, cosignName = name): Witness {
  const seed = randomBytes(32);
  const cosigner = ed25519Cosigner(name, ed25519PrivateKeyFromSeed(seed));
  const signed = ed25519Cosigner(cosignName, ed25519PrivateKeyFromSeed(seed));
  return { vkey: formatVkey(cosigner.key), cosign: (text) => signed.cosign(text, nowSeconds()) };
}

for (const engine of ENGINES) {
  suite(`referees of the log on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    let service: TestService;
    let caller: LogCaller;
    let folder: string;
    let older: string;
    let vkey: string;
    const seals: SealAnswer[] = [];

    before(async () => {
      folder = await temporaryDirectory();
      service = await TestService.start({ engine });
      caller = new LogCaller(service.url);
      const onSeal = (answer: SealAnswer) => seals.push(answer);
      await fillLog(caller, { seals: 333, releases: 0, connections: 16, onSeal });
      const head = await caller.read<{ checkpoint: string; vkeys: [string] }>('/api/astralock/sth');
      older = head.checkpoint;
      [vkey] = head.vkeys;
      await fillLog(caller, { seals: SEALS[engine] - 333, releases: RELEASES, connections: 64, onSeal });
    });
    after(async () => {
      caller[Symbol.dispose]();
      await service[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    suite('the sumdb packages of Go', { skip: missing ?? false }, () => {
      let referee: GoReferee;
      let directory: string;
      let exported: LogExport;

      before(async () => {
        referee = GoReferee.build(folder);
        directory = join(folder, 'export');
        const releases = await proofsOfReleases(caller);
        const witnesses = [newWitness('witness.example/w1'), newWitness('witness.example/w2')];
        const answers = [...seals, ...releases];
        exported = await exportLog({ url: service.url, directory, older, answers, witnesses });
      });

      test('accept every entry, tile, proof, checkpoint and cosignature', () => {
        const result = referee.check(directory);
        assert.ok(result.ok, result.ok ? '' : result.reason);
        const { report } = result;
        assert.ok(exported.size > SEALS[engine] * 0.9, `only ${exported.size} entries`);
        assert.deepEqual(
          { ...report, checkpoints: report.checkpoints > 10 },
          {
            size: exported.size,
            old_size: Number(older.split('\n')[1]),
            entries: exported.size,
            bundles: exported.files.bundles.length,
            hash_tiles: exported.files.hashTiles.length,
            proofs: exported.files.proofs.length,
            checkpoints: true,
            signatures: 4,
          },
        );
      });

      test('refuse each kind of file with one byte changed', () => {
        for (const [kind, paths] of Object.entries({ ...exported.files, keys: ['vkeys'] })) {
          const chosen = kind === 'entries' || kind === 'proofs' ? [paths[0], paths.at(-1)] : paths;
          for (const path of chosen) {
            const file = join(directory, path as string);
            const whole = readFileSync(file);
            const judged = kind === 'checkpoints' ? judgedBytes(whole) : [...whole.keys()];
            for (const place of spread(judged.length, FLIPS_OF_A_FILE)) {
              const at = judged[place] as number;
              writeFileSync(file, whole.with(at, (whole[at] as number) ^ 1));
              assert.equal(referee.check(directory).ok, false, `byte ${at} of ${path}`);
            }
            writeFileSync(file, whole);
          }
        }
        assert.equal(referee.check(directory).ok, true, 'the export is whole again');
      });

      test('refuse a bundle with a byte after its last entry, and a tile that is shorter', () => {
        const [bundle, tile] = [exported.files.bundles.at(-1), exported.files.hashTiles[0]] as [string, string];
        const changes: [string, (whole: Buffer) => Buffer][] = [
          [bundle, (whole) => Buffer.concat([whole, Buffer.alloc(1)])],
          [tile, (whole) => whole.subarray(32)],
        ];
        for (const [path, change] of changes) {
          const whole = readFileSync(join(directory, path));
          writeFileSync(join(directory, path), change(whole));
          assert.equal(referee.check(directory).ok, false, path);
          writeFileSync(join(directory, path), whole);
        }
      });

      test('refuse a checkpoint that lacks the cosignature of a listed witness', async () => {
        const lone = join(folder, 'lone');
        // It signs under another name, so that its key is not found in the note.
        const witnesses = [newWitness('witness.example/w1', 'witness.example/other')];
        await exportLog({ url: service.url, directory: lone, older, answers: seals.slice(0, 1), witnesses });
        const result = referee.check(lone);
        assert.deepEqual(result, { ok: false, reason: 'FAIL checkpoint: 1 verified signatures, want 2' });
      });
    });

    test('sigstore accepts checkpoint and inclusion of every seal', () => {
      for (const seal of seals) checkWithSigstore(sigstoreProof(seal), vkey);
    });

    test('sigstore refuses them with one byte changed', () => {
      const proof = sigstoreProof(seals.at(-1) as SealAnswer);
      const flipped = (bytes: Uint8Array, at: number) => Buffer.from(bytes.with(at, (bytes[at] as number) ^ 1));
      const text = Buffer.from(proof.checkpoint);
      // The last character before the padding has bits that sigstore does not read.
      for (let at = 0; at < text.length - 4; at += 1) {
        assert.throws(() => checkWithSigstore({ ...proof, checkpoint: flipped(text, at).toString() }, vkey), `${at}`);
      }
      for (const at of proof.entry.keys()) {
        assert.throws(() => checkWithSigstore({ ...proof, entry: flipped(proof.entry, at) }, vkey));
      }
      for (const [i, hash] of proof.hashes.entries()) {
        const hashes = proof.hashes.with(i, flipped(hash, i));
        assert.throws(() => checkWithSigstore({ ...proof, hashes }, vkey));
      }
      assert.throws(() => checkWithSigstore({ ...proof, index: proof.index ^ 1 }, vkey));
      assert.throws(() => checkWithSigstore({ ...proof, hashes: proof.hashes.slice(1) }, vkey));
    });
  });
}

function sigstoreProof({ entry, seq, inclusion, checkpoint }: SealAnswer): Parameters<typeof checkWithSigstore>[0] {
  const hashes = inclusion.hashes.map((hash) => Buffer.from(hash, 'base64'));
  return { entry: Buffer.from(entry, 'base64'), index: seq, hashes, checkpoint };
}

async function proofsOfReleases(caller: LogCaller): Promise<{ entry: string; proof: string }[]> {
  interface Page {
    readonly next_seq: number;
    readonly tree_size: number;
    readonly entries: readonly { readonly type: string; readonly attestation_id: string }[];
  }
  const ids: string[] = [];
  for (let from = 0, size = 1; from < size; ) {
    const page = await caller.read<Page>(`/api/attest/ledger?from_seq=${from}&limit=1024`);
    ids.push(...page.entries.filter(({ type }) => type === 'release').map((row) => row.attestation_id));
    [from, size] = [page.next_seq, page.tree_size];
  }
  assert.ok(ids.length >= RELEASES / 2, `only ${ids.length} releases`);
  return Promise.all(ids.map((id) => caller.read<{ entry: string; proof: string }>(`/api/attest/verify/${id}`)));
}

/** The places outside the ML-DSA signature, a line of a kind that the referee must pass over. */
function judgedBytes(checkpoint: Buffer): number[] {
  const [line] = /^— .{1000,}\n/mu.exec(String(checkpoint)) ?? [''];
  const start = checkpoint.indexOf(line);
  const end = line === '' ? start : start + Buffer.byteLength(line);
  return [...checkpoint.keys()].filter((at) => at < start || at >= end);
}

/** Places from the first byte to the last. */
function spread(length: number, places: number): number[] {
  return Array.from({ length: places }, (_, n) => Math.floor((n * (length - 1)) / (places - 1)));
}
