// Answers of a running service, and every text and bit that differs a little from them: the verifier refuses each.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type Result, verifyLedgerPage, verifySealAnswer, verifyTlogProof } from '../../../verify/avouch-verify.mjs';
import { BEGUN, publishedCheckpoint } from '../../support/log.ts';
import { TestService } from '../../support/service.ts';

export type Json = Record<string, unknown>;

export const CLAIM = { statement: 'seven boxes — €, "quoted"\n', evidence_digests: ['ab'.repeat(32)] };
const VAT = { country_code: 'DE', vat_number: '999001001' };

/** A log of a few entries, and what its service answered about them. */
export interface SealedAnswers extends AsyncDisposable {
  readonly service: TestService;
  readonly vkey: string;
  /** The key of another log. */
  readonly otherVkey: string;
  readonly olderCheckpoint: string;
  /** A seal with a path of several hashes, one with an observation, and one whose claim is public. */
  readonly sealed: Json;
  readonly observed: Json;
  readonly shown: Json;
  readonly releasedId: string;
}

export async function sealedAnswers(): Promise<SealedAnswers> {
  const service = await TestService.start();
  await using other = await TestService.start();
  for (let i = 0; i < 7; i += 1) await seal(service, 'record.integrity.v1', { statement: `before ${i}` });
  return {
    service,
    vkey: await vkeyOf(service),
    otherVkey: await vkeyOf(other),
    olderCheckpoint: (await publishedCheckpoint(service, BEGUN + 7)).text,
    sealed: await seal(service, 'record.integrity.v1', CLAIM),
    observed: await seal(service, 'vat.vies.v1', VAT),
    shown: await seal(service, 'record.integrity.v1', { statement: 'for everybody' }, 'public'),
    releasedId: await releasedIn(service),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

async function seal(service: TestService, schemaId: string, claim: Json, disclosure = 'holder'): Promise<Json> {
  const body = { schema_id: schemaId, claim, disclosure };
  const answer = await service.call('/api/attest/seal', { method: 'POST', body });
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

async function vkeyOf(service: TestService): Promise<string> {
  const { json } = await service.call('/api/astralock/sth');
  return (json['vkeys'] as [string])[0];
}

/** The id of the entry of a release. */
async function releasedIn(service: TestService): Promise<string> {
  const { json: claim } = await service.call('/v1/claim?key=k&agent=ab');
  const body = { lease: claim['lease'], token: claim['token'] };
  const released = await service.call('/v1/release', { method: 'POST', body });
  assert.equal(released.status, 200, released.text);
  const { json: page } = await service.call('/api/attest/ledger');
  const entries = page['entries'] as { type: string; attestation_id: string }[];
  return entries.find(({ type }) => type === 'release')?.attestation_id as string;
}

function failed({ checks }: Result): string[] {
  return checks.filter(({ ok }) => ok === false).map(({ name }) => name);
}

export function assertValid(result: Result): void {
  assert.deepEqual(failed(result), [], JSON.stringify(result.checks));
  assert.equal(result.valid, true);
}

export function assertRefused(result: Result, what: string, by?: string): void {
  assert.equal(result.valid, false, `accepted: ${what}`);
  if (by !== undefined) assert.ok(failed(result).includes(by), `${what}: ${JSON.stringify(result.checks)}`);
}

/** The answer without its proof file, which repeats the rest and would catch a lie in its stead. */
export function bare(answer: Json): Json {
  const { proof: _, ...rest } = answer;
  return rest;
}

/** The same in the form that `Prefer: return=minimal` asks for. */
export function minimal(answer: Json): Json {
  const { claim: _, entry: _entry, leaf_hash: _hash, inclusion: _path, checkpoint: _note, ...rest } = answer;
  const { promise: _promise, not_promised: _not, ...left } = rest;
  return left;
}

/** Every text that differs from this one in one character. */
function* respelt(text: string): Generator<string> {
  for (let i = 0; i < text.length; i += 1) {
    const other = text[i] === 'A' ? 'B' : 'A';
    yield text.slice(0, i) + other + text.slice(i + 1);
    yield text.slice(0, i) + text.slice(i + 1);
    yield `${text.slice(0, i)}\n${text.slice(i)}`;
  }
}

export function* flipped(bytes: Uint8Array): Generator<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const copy = Buffer.from(bytes);
    copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
    yield copy;
  }
}

/** Every so many of them; others have their turn between two. */
export async function* each<T>(changes: Iterable<T>, every: number): AsyncGenerator<T> {
  let number = 0;
  for (const change of changes) {
    if (number % every === 0) yield change;
    number += 1;
    if (number % 64 === 0) await setImmediate();
  }
}

export function idOf(entry: Uint8Array): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const hash = createHash('sha256').update(Uint8Array.of(0)).update(entry).digest();
  let number = BigInt(`0x${hash.toString('hex')}`) << 4n;
  let text = '';
  for (let i = 0; i < 52; i += 1, number >>= 5n) text = alphabet[Number(number & 31n)] + text;
  return `ATT-${text}`;
}

/** Tries every so many of the small changes; what shares no factor with 8 and 3 comes to every kind of them. */
export function smallChanges(answers: () => SealedAnswers, every: number): void {
  const which = every === 1 ? 'every small change' : `one in ${every} small changes`;
  suite(`${which} is refused`, () => {
    test('a bit of the entry, also when the id is recomputed to fit', async () => {
      const { sealed, vkey } = answers();
      const answer = bare(sealed);
      const text = sealed['proof'] as string;
      for await (const entry of each(flipped(Buffer.from(sealed['entry'] as string, 'base64')), every)) {
        const base64 = entry.toString('base64');
        assertRefused(await verifySealAnswer({ ...answer, entry: base64 }, vkey), `entry ${base64}`);
        const fitted = { ...answer, entry: base64, attestation_id: idOf(entry) };
        assertRefused(await verifySealAnswer(fitted, vkey, { ignoreClaim: true }), `entry ${base64}`);
        const file = text.replace(/^extra .*$/m, `extra ${base64}`);
        assertRefused(await verifyTlogProof(file, vkey), `proof file of ${base64}`);
      }
    });

    test('a bit of a hash of the proof, one too many, one too few, two swapped', async () => {
      const { sealed, vkey } = answers();
      const inclusion = sealed['inclusion'] as { hashes: string[] };
      const { hashes } = inclusion;
      assert.ok(hashes.length >= 2);
      const lies = [
        hashes.slice(1),
        hashes.slice(0, -1),
        [...hashes, hashes[0]],
        hashes.toReversed(),
        [],
      ] as string[][];
      for (const [i, hash] of hashes.entries()) {
        for await (const lie of each(flipped(Buffer.from(hash, 'base64')), every))
          lies.push(hashes.with(i, lie.toString('base64')));
      }
      for (const lie of lies) {
        const answer = { ...bare(sealed), inclusion: { ...inclusion, hashes: lie } };
        assertRefused(await verifySealAnswer(answer, vkey), `hashes ${lie.join()}`, 'inclusion');
      }
    });

    test('a character of the checkpoint', async () => {
      const { sealed, vkey } = answers();
      for await (const checkpoint of each(respelt(sealed['checkpoint'] as string), every)) {
        const result = await verifySealAnswer({ ...bare(sealed), checkpoint }, vkey);
        assertRefused(result, JSON.stringify(checkpoint), 'checkpoint_signature');
      }
    });

    test('a character of the proof file', async () => {
      const { sealed, vkey } = answers();
      const question = { attestationId: sealed['attestation_id'] as string };
      for await (const text of each(respelt(sealed['proof'] as string), every)) {
        assertRefused(await verifyTlogProof(text, vkey, question), JSON.stringify(text));
      }
    });

    test('a character of the claim, of a second claim with observations, and of what was observed', async () => {
      const { sealed, observed, vkey } = answers();
      for (const [answer, member] of [
        [sealed, 'claim'],
        [observed, 'claim'],
        [observed, 'observations'],
      ] as const) {
        const truth = JSON.stringify(answer[member]);
        let lies = 0;
        for await (const text of each(respelt(truth), every)) {
          let value: unknown;
          try {
            value = JSON.parse(text);
          } catch {
            continue;
          }
          // Space between the parts of a JSON text changes nothing.
          if (JSON.stringify(value) === truth) continue;
          lies += 1;
          assertRefused(await verifySealAnswer({ ...bare(answer), [member]: value }, vkey), text);
        }
        assert.ok(lies >= 20 / every, `${lies} lies about ${member}`);
      }
      const more = { ...CLAIM, more: 1 };
      assertRefused(await verifySealAnswer({ ...sealed, claim: more }, vkey), 'a field more', 'claim_commitment');
    });

    test('a character of the id or of the seed', async () => {
      const { sealed, vkey } = answers();
      for (const member of ['attestation_id', 'disclosure_seed']) {
        for await (const text of each(respelt(sealed[member] as string), every)) {
          assertRefused(await verifySealAnswer({ ...bare(sealed), [member]: text }, vkey), `${member} ${text}`);
        }
      }
    });

    test('a character of the key', async () => {
      const { service, sealed, vkey } = answers();
      const { json: page } = await service.call('/api/attest/ledger');
      for await (const key of each(respelt(vkey), every)) {
        assertRefused(await verifySealAnswer(sealed, key), `key ${key}`, 'checkpoint_signature');
        assertRefused(await verifyLedgerPage(page, key), `key ${key}`, 'checkpoint_signature');
        assertRefused(await verifyTlogProof(sealed['proof'], key), `key ${key}`, 'checkpoint_signature');
      }
    });
  });
}
