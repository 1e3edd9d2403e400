// The verifier that others run, against answers of the running service and against every small lie about them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { disclose } from '#protocol/attestation/disclosure.ts';
import {
  verifyConsistency,
  verifyLedgerPage,
  verifyLedgerStream,
  verifySealAnswer,
  verifyTlogProof,
} from '../../../verify/avouch-verify.mjs';
import { ROOT } from '../../support/child-service.ts';
import { runCommand } from '../../support/command.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { BEGUN } from '../../support/log.ts';
import {
  assertRefused,
  assertValid,
  bare,
  CLAIM,
  each,
  flipped,
  idOf,
  type Json,
  minimal,
  type SealedAnswers,
  sealedAnswers,
  smallChanges,
} from './small-changes.ts';

const VERIFIER = join(ROOT, 'verify/avouch-verify.mjs');

let answers: SealedAnswers;
let folder: string;
before(async () => {
  folder = await temporaryDirectory();
  answers = await sealedAnswers();
});
after(async () => {
  await answers[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

suite('answers of the service are valid', () => {
  test('a seal, with every check made', async () => {
    const { vkey, sealed } = answers;
    const result = await verifySealAnswer(sealed, vkey, { attestationId: sealed['attestation_id'] as string });
    assertValid(result);
    assert.deepEqual(
      result.checks.map(({ name, ok }) => [name, ok]),
      [
        ['entry', true],
        ['id_matches_entry', true],
        ['answer_matches_entry', true],
        ['bundle_root', true],
        ['disclosure_seed', true],
        ['claim_commitment', true],
        ['observation_commitments', true],
        ['claim_sha256', true],
        ['checkpoint_signature', true],
        ['inclusion', true],
        ['proof_file', true],
      ],
    );
    assert.equal(result.attestationId, sealed['attestation_id']);
    assert.equal(result.attestationId, idOf(Buffer.from(sealed['entry'] as string, 'base64')));
  });

  test('a minimal seal, by the parts that stand in its proof alone', async () => {
    const { vkey, sealed, observed } = answers;
    const claimless = minimal(sealed);
    const whole = await verifySealAnswer({ ...claimless, claim: CLAIM }, vkey);
    assert.deepEqual(whole.checks, (await verifySealAnswer(sealed, vkey)).checks);
    for (const answer of [claimless, minimal(observed)]) assertValid(await verifySealAnswer(answer, vkey));
    for (const [member, value] of Object.entries({
      verdict: 'REJECT',
      seq: 0,
      attestation_id: observed['attestation_id'],
      proof: observed['proof'],
      claim_commitment: '00'.repeat(32),
      entry: sealed['entry'],
      checkpoint: sealed['checkpoint'],
    })) {
      assertRefused(await verifySealAnswer({ ...claimless, [member]: value }, vkey), member);
    }
    const proof = sealed['proof'] as string;
    for (const lie of [
      '',
      '\n\n',
      proof.replace('extra ', 'other '),
      proof.replace('index ', 'other '),
      `${proof}\n`,
    ]) {
      assertRefused(await verifySealAnswer({ ...claimless, proof: lie }, vkey), lie);
    }
  });

  test('the same with WebCrypto, where there is no Node', async (t) => {
    const { vkey, sealed, observed } = answers;
    t.mock.property(process, 'getBuiltinModule', undefined);
    const url = `${pathToFileURL(VERIFIER).href}?browser`;
    const inBrowser = (await import(url)) as typeof import('../../../verify/avouch-verify.mjs');
    const digest = t.mock.method(globalThis.crypto.subtle, 'digest');
    assertValid(await inBrowser.verifySealAnswer(sealed, vkey));
    assertRefused(await inBrowser.verifySealAnswer({ ...sealed, checkpoint: observed['checkpoint'] }, vkey), 'another');
    assert.ok(digest.mock.callCount() > 0);
  });

  test('a seal with observations, and any of several keys', async () => {
    const { vkey, otherVkey, observed } = answers;
    assert.equal((observed['observations'] as []).length, 1);
    assertValid(await verifySealAnswer(observed, [otherVkey, vkey]));
  });

  test('every entry as verify answers it: seals, the key declaration in clear, a release', async () => {
    const { service, vkey, releasedId } = answers;
    const { json } = await service.call('/api/attest/ledger');
    const ids = (json['entries'] as { attestation_id: string }[]).map(({ attestation_id: id }) => id);
    assert.ok(ids.includes(releasedId));
    for (const id of ids) {
      const { json: answer } = await service.call(`/api/attest/verify/${id}`);
      assertValid(await verifySealAnswer(answer, vkey, { attestationId: id, ignoreClaim: true }));
      const text = answer['proof'] as string;
      assertValid(await verifyTlogProof(text, vkey, { attestationId: id }));
    }
    const { json: first } = await service.call(`/api/attest/verify/${ids[0]}`);
    const result = await verifySealAnswer(first, vkey);
    assertValid(result);
    assert.ok(result.checks.some(({ name, ok }) => name === 'claim_in_clear' && ok));
    const lie = { ...first, claim: { ...(first['claim'] as Json), role: 'legacy' } };
    assertRefused(await verifySealAnswer(lie, vkey), 'a claim that is not the one in clear', 'claim_in_clear');
  });

  test('single fields of a claim, and none of the others', async () => {
    const { vkey, sealed } = answers;
    const { claim: _, disclosure_seed: seed, claim_sha256: _digest, ...rest } = sealed;
    const shownFields = disclose(CLAIM, Buffer.from(seed as string, 'base64'), ['statement']);
    const { commitments, disclosed } = shownFields;
    const result = await verifySealAnswer({ ...rest, commitments, disclosed }, vkey);
    assertValid(result);
    assert.ok(result.checks.some(({ name, ok }) => name === 'disclosure' && ok));
    const { statement } = disclosed as { statement: { value: unknown; salt: string } };
    const other = 'ab'.repeat(32);
    for (const [what, lie] of Object.entries({
      'another value': { commitments, disclosed: { statement: { ...statement, value: 'eight boxes' } } },
      'another salt': { commitments, disclosed: { statement: { ...statement, salt: other } } },
      'no salt': { commitments, disclosed: { statement: { value: statement.value } } },
      'a salt of another spelling': {
        commitments,
        disclosed: { statement: { ...statement, salt: statement.salt.toUpperCase() } },
      },
      'another field': { commitments, disclosed: { evidence_digests: statement } },
      'a field that is none': { commitments, disclosed: { toString: statement } },
      'another map': { commitments: { ...commitments, statement: other }, disclosed },
      'a shorter map': { commitments: { statement: commitments['statement'] }, disclosed },
      'a wrong map': { commitments: { ...commitments, statement: 5 }, disclosed },
      'no map': { disclosed },
      'no fields': { commitments },
    })) {
      assertRefused(await verifySealAnswer({ ...rest, ...lie }, vkey), what, 'disclosure');
    }
  });

  test('a proof file, with the entry given or its own', async () => {
    const { vkey, sealed } = answers;
    const text = sealed['proof'] as string;
    const entry = Buffer.from(sealed['entry'] as string, 'base64');
    assertValid(await verifyTlogProof(text, vkey, { entry }));
    const bareFile = text.replace(/^extra .*\n/m, '');
    assertValid(await verifyTlogProof(bareFile, vkey, { entry }));
    const unasked = await verifyTlogProof(text, vkey);
    assertValid(unasked);
    assert.deepEqual(
      [unasked.attestationId, unasked.index],
      [sealed['attestation_id'], BigInt(sealed['seq'] as number)],
    );
    assertRefused(await verifyTlogProof(bareFile, vkey), 'no entry at all', 'entry');
  });

  test('every page of the ledger, the empty one too', async () => {
    const { service, vkey } = answers;
    const { tree_size: size } = (await service.call('/api/attest/ledger')).json as { tree_size: number };
    for (let from = 0; from <= size; from += 1) {
      for (const limit of [1, 2, 3, 256]) {
        const { json } = await service.call(`/api/attest/ledger?from_seq=${from}&limit=${limit}`);
        assertValid(await verifyLedgerPage(json, vkey));
      }
    }
  });

  test('the whole ledger as lines, from every start and of every length', async () => {
    const { service, vkey } = answers;
    const { tree_size: size } = (await service.call('/api/attest/ledger')).json as { tree_size: number };
    for (let from = 0; from <= size; from += 1) {
      for (const query of ['', '&limit=1', '&limit=2']) {
        const lines = await ledgerLines(`?from_seq=${from}${query}`);
        assertValid(await verifyLedgerStream(lines, vkey));
      }
    }
  });

  test('every consistency proof', async () => {
    const { service, vkey, olderCheckpoint } = answers;
    for (let first = 1; first <= BEGUN + 7; first += 1) {
      const { json } = await service.call(`/api/astralock/sth?first=${first}`);
      const { hashes } = json['consistency'] as { hashes: string[] };
      const newer = json['checkpoint'] as string;
      if (first === BEGUN + 7) assertValid(await verifyConsistency({ older: olderCheckpoint, newer, hashes }, vkey));
      else assertRefused(await verifyConsistency({ older: olderCheckpoint, newer, hashes }, vkey), 'another size');
      assertValid(await verifyConsistency({ older: newer, newer, hashes: [] }, vkey));
      assertRefused(await verifyConsistency({ older: newer, newer: olderCheckpoint, hashes }, vkey), 'back in time');
      for (const [i, hash] of hashes.entries()) {
        const [lie] = flipped(Buffer.from(hash, 'base64'));
        const changed = hashes.with(i, (lie as Buffer).toString('base64'));
        assertRefused(await verifyConsistency({ older: olderCheckpoint, newer, hashes: changed }, vkey), `hash ${i}`);
      }
    }
  });
});

smallChanges(() => answers, 7);

suite('a small lie is refused', () => {
  test('a member that says something else than the entry', async () => {
    const { vkey, sealed, observed } = answers;
    for (const [member, value] of Object.entries({
      schema_id: 'vat.vies.v1',
      evidence_class: 'A',
      verdict: 'REJECT',
      code: 'x',
      sandbox: false,
      sealed_at: '2020-01-01T00:00:00.000Z',
      seq: 0,
      claim_sha256: '00'.repeat(32),
      claim_commitment: '00'.repeat(32),
      leaf_hash: '00'.repeat(32),
      fee: { fee_eurocents: 1 },
      inclusion: { ...(sealed['inclusion'] as Json), tree_size: 1 },
      proof: observed['proof'],
    })) {
      assertRefused(await verifySealAnswer({ ...sealed, [member]: value }, vkey), member);
    }
    assertRefused(await verifySealAnswer({ ...bare(sealed), seq: 0 }, vkey), 'seq alone', 'inclusion');
    const unsigned = (sealed['proof'] as string).replace(/\u2014 [^]*$/, '');
    assertRefused(await verifySealAnswer({ ...sealed, proof: unsigned }, vkey), 'unsigned', 'proof_file');
  });

  test('a second spelling of the same hash', async () => {
    const { vkey, sealed } = answers;
    const inclusion = sealed['inclusion'] as { hashes: string[] };
    const [first = '', ...rest] = inclusion.hashes;
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    // The last digit before the padding carries two bits that mean nothing.
    const stray = `${first.slice(0, 42)}${alphabet[alphabet.indexOf(first[42] as string) + 1]}=`;
    assert.deepEqual(Buffer.from(stray, 'base64'), Buffer.from(first, 'base64'));
    const answer = { ...bare(sealed), inclusion: { ...inclusion, hashes: [stray, ...rest] } };
    assertRefused(await verifySealAnswer(answer, vkey), stray, 'inclusion');
  });

  test('a ledger page with an entry changed, left out, moved or added, or a wrong proof', async () => {
    const { service, vkey, olderCheckpoint } = answers;
    const { json: page } = await service.call('/api/attest/ledger?from_seq=3&limit=4');
    const rows = page['entries'] as Json[];
    const proof = page['range_proof'] as { left: string[]; right: string[] };
    const [one, two] = rows as [Json, Json];
    const lies: Json[] = [
      { ...page, entries: rows.slice(1) },
      { ...page, entries: rows.slice(0, -1), next_seq: 6 },
      { ...page, entries: rows.slice(1), from_seq: 4 },
      { ...page, entries: [two, one, ...rows.slice(2)] },
      { ...page, entries: [{ ...two, seq: one['seq'] }, { ...one, seq: two['seq'] }, ...rows.slice(2)] },
      { ...page, entries: [...rows, { ...one, seq: 7 }], next_seq: 8 },
      { ...page, from_seq: 4, next_seq: 8 },
      { ...page, tree_size: 5 },
      { ...page, entries: [{ ...one, type: 'mark' }, ...rows.slice(1)] },
      { ...page, range_proof: { ...proof, left: proof.left.toReversed() } },
      { ...page, range_proof: { ...proof, left: proof.left.slice(1) } },
      { ...page, range_proof: { ...proof, right: [] } },
      { ...page, checkpoint: olderCheckpoint },
      ...Object.keys(one).map((member) => ({
        ...page,
        entries: [{ ...one, [member]: two[member] }, ...rows.slice(1)],
      })),
    ];
    // Both rows are seals, so that this change is none.
    assert.equal(one['type'], two['type']);
    for (const lie of lies.filter((made) => JSON.stringify(made) !== JSON.stringify(page))) {
      assertRefused(await verifyLedgerPage(lie, vkey), JSON.stringify(lie));
    }
    const bytes = Buffer.from(one['entry_b64'] as string, 'base64');
    // A bit of every few bytes, in turn: all others are flipped above, in a seal answer.
    for await (const entry of each(flipped(bytes), 27)) {
      const row = { ...one, entry_b64: entry.toString('base64') };
      const lie = { ...page, entries: [row, ...rows.slice(1)] };
      assertRefused(await verifyLedgerPage(lie, vkey), row.entry_b64);
    }
  });
});

suite('lines of the ledger', () => {
  test('and a page are refused with parts of a seal in them, which nobody verified', async () => {
    const { service, vkey, sealed } = answers;
    const { json: page } = await service.call('/api/attest/ledger?from_seq=1&limit=4');
    const { entries: _, ...frame } = page;
    const lines = (await ledgerLines('?from_seq=1&limit=4')).slice(0, -1);
    for (const part of ['entry', 'attestation_id', 'claim', 'inclusion', 'proof']) {
      const seal = { [part]: sealed[part] };
      assertRefused(await verifyLedgerPage({ ...page, ...seal }, vkey), part, 'range_proof');
      const stream = [...lines, JSON.stringify({ ...frame, ...seal })];
      assertRefused(await verifyLedgerStream(stream, vkey), part, 'range_proof');
    }
    assertRefused(await verifyLedgerPage({ ...page, claim: null }, vkey), 'claim', 'range_proof');
    assertValid(await verifyLedgerStream([...lines, JSON.stringify(frame)], vkey));
  });

  test('that are missing, added, changed or out of order are refused', async () => {
    const { vkey, otherVkey, olderCheckpoint } = answers;
    const lines = await ledgerLines('?from_seq=1&limit=4');
    const [one = '', two = '', three = '', four = '', last = ''] = lines;
    const frame = JSON.parse(last) as Record<string, unknown>;
    const wrongFrames = [
      { ...frame, from_seq: 0 },
      { ...frame, from_seq: '1' },
      { ...frame, next_seq: 4 },
      { ...frame, tree_size: 4 },
      { ...frame, checkpoint: olderCheckpoint },
      { ...frame, range_proof: { left: [], right: [] } },
    ].map((wrong) => [one, two, three, four, JSON.stringify(wrong)]);
    const lies: unknown[][] = [
      ...[[], [last], [one], [one, two, three, four], [one, two, three, last], [two, three, four, last]],
      ...[
        [one, three, two, four, last],
        [one, one, two, three, four, last],
        [one, two, last, three, four],
      ],
      ...[
        [one, two, three, four, last, last],
        [one, two, three, four, last, ''],
        ['', ...lines],
        ['null', ...lines],
      ],
      ...[
        [...lines, undefined],
        [1, ...lines],
        [one.replace('"seq":1', '"seq":1.5'), two, three, four, last],
      ],
      ...wrongFrames,
    ];
    for (const lie of lies) {
      assertRefused(await verifyLedgerStream(lie, vkey), JSON.stringify(lie).slice(0, 300));
    }
    for (const key of [otherVkey, '', []]) assertRefused(await verifyLedgerStream(lines, key), 'key');
  });
});

suite('a proof answers only its own question', () => {
  test('the key of another log and no key are refused', async () => {
    const { service, otherVkey, sealed } = answers;
    const { json: page } = await service.call('/api/attest/ledger');
    for (const key of [otherVkey, '', [], undefined as unknown as string]) {
      assertRefused(await verifySealAnswer(sealed, key), `key ${String(key)}`, 'checkpoint_signature');
      assertRefused(await verifyLedgerPage(page, key), `key ${String(key)}`, 'checkpoint_signature');
      const file = await verifyTlogProof(sealed['proof'], key);
      assertRefused(file, `key ${String(key)}`, 'checkpoint_signature');
    }
  });

  test('a good bundle about another id is refused', async () => {
    const { vkey, sealed, observed } = answers;
    const attestationId = sealed['attestation_id'] as string;
    assertValid(await verifySealAnswer(observed, vkey));
    assertRefused(await verifySealAnswer(observed, vkey, { attestationId }), 'another', 'id_matches_entry');
    const renamed = { ...observed, attestation_id: attestationId };
    assertRefused(await verifySealAnswer(renamed, vkey, { attestationId }), 'renamed', 'id_matches_entry');
    const file = await verifyTlogProof(observed['proof'], vkey, { attestationId });
    assertRefused(file, 'the file of another', 'id_matches_entry');
    const entry = Buffer.from(sealed['entry'] as string, 'base64');
    assertRefused(await verifyTlogProof(observed['proof'], vkey, { entry }), 'another entry', 'entry');
    const stripped = (observed['proof'] as string).replace(/^extra .*\n/m, '');
    assertRefused(await verifyTlogProof(stripped, vkey, { entry }), 'another entry', 'inclusion');
  });

  test('a claim without the seed that ties it to the entry is refused, unless it is not asked about', async () => {
    const { service, vkey, shown } = answers;
    const { json: answer } = await service.call(`/api/attest/verify/${shown['attestation_id'] as string}`);
    assert.deepEqual(answer['claim'], { statement: 'for everybody' });
    const lie = { ...answer, claim: { statement: 'for nobody' } };
    for (const loose of [answer, lie]) assertRefused(await verifySealAnswer(loose, vkey), 'loose', 'disclosure_seed');
    assertValid(await verifySealAnswer({ ...answer, disclosure_seed: shown['disclosure_seed'] }, vkey));
    const ignored = await verifySealAnswer(lie, vkey, { ignoreClaim: true });
    assertValid(ignored);
    assert.ok(ignored.checks.some(({ name, ok }) => name === 'claim_commitment' && ok === null));
  });

  test('whatever stands in place of a member, nothing is thrown and nothing accepted', async () => {
    const { service, vkey, sealed } = answers;
    const { json: page } = await service.call('/api/attest/ledger?from_seq=1&limit=2');
    const strange = [
      null,
      0,
      -1,
      1.5,
      2 ** 60,
      true,
      '',
      'x',
      '\ud800',
      [],
      [null],
      {},
      { hashes: [5] },
      'A'.repeat(2e6),
    ];
    const needed = ['attestation_id', 'entry', 'inclusion', 'checkpoint', 'proof', 'seq', 'disclosure_seed'];
    for (const value of strange) {
      for (const member of needed) {
        assertRefused(await verifySealAnswer({ ...sealed, [member]: value }, vkey), `${member}: ${typeof value}`);
      }
      for (const member of Object.keys(page)) {
        assertRefused(await verifyLedgerPage({ ...page, [member]: value }, vkey), `${member}: ${typeof value}`);
      }
      for (const member of ['attestation_id', 'proof', 'seq']) {
        assertRefused(await verifySealAnswer({ ...minimal(sealed), [member]: value }, vkey), `minimal: ${member}`);
      }
      assertRefused(await verifySealAnswer(value, vkey), 'no answer');
      assertRefused(await verifyLedgerPage(value, vkey), 'no page');
      assertRefused(await verifyTlogProof(value, vkey), 'no file');
      assertRefused(await verifyConsistency({ older: value, newer: value, hashes: value }, vkey), 'no notes');
    }
    let deep: unknown = 1;
    for (let i = 0; i < 5000; i += 1) deep = [deep];
    assertRefused(await verifySealAnswer({ ...sealed, claim: { statement: deep } }, vkey), 'deep');
  });
});

suite('a log that signs what it should not', () => {
  const ORIGIN = 'log.example/own';
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const typed = Buffer.concat([
    Buffer.of(1),
    Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url'),
  ]);
  const keyId = createHash('sha256').update(`${ORIGIN}\n`).update(typed).digest().subarray(0, 4);
  const ownVkey = `${ORIGIN}+${keyId.toString('hex')}+${typed.toString('base64')}`;
  const ENTRY = Buffer.from('{"type":"mark","v":1}');
  const LEFT = Buffer.alloc(32, 7);
  const FAR = 2n ** 62n;

  const hashOf = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  function signed(text: string): string {
    const blob = Buffer.concat([keyId, sign(null, Buffer.from(text), privateKey)]).toString('base64');
    return `${text}\n— ${ORIGIN} ${blob}\n`;
  }
  /** The entry as the last one of a tree of 2^62 + 1, whose left half has one hash. */
  function proofOf(entry: Buffer, { index = FAR, text = (root: string) => `${ORIGIN}\n${FAR + 1n}\n${root}\n` } = {}) {
    const root = hashOf(Buffer.of(1), LEFT, hashOf(Buffer.of(0), entry)).toString('base64');
    const head = `c2sp.org/tlog-proof@v1\nextra ${entry.toString('base64')}\nindex ${index}\n`;
    return `${head}${LEFT.toString('base64')}\n\n${signed(text(root))}`;
  }

  test('places beyond the numbers of JavaScript are exact', async () => {
    const result = await verifyTlogProof(proofOf(ENTRY), ownVkey);
    assertValid(result);
    assert.deepEqual([result.index, result.checkpoint?.size], [FAR, FAR + 1n]);
    for (const index of [FAR - 1n, FAR + 1n, 0n]) {
      assertRefused(await verifyTlogProof(proofOf(ENTRY, { index }), ownVkey), `index ${index}`, 'inclusion');
    }
  });

  test('checkpoints of another form or origin are refused though the signature is good', async () => {
    for (const text of [
      (root: string) => `${ORIGIN}\n${FAR + 1n}\n${root}\nmore\n`,
      (root: string) => `other.example\n${FAR + 1n}\n${root}\n`,
      (root: string) => `${ORIGIN}\n0${FAR + 1n}\n${root}\n`,
      (root: string) => `${ORIGIN}\n+${FAR + 1n}\n${root}\n`,
      (root: string) => `${ORIGIN}\n${2n ** 63n}\n${root}\n`,
      (root: string) => `${ORIGIN}\n${FAR + 1n}\n${root} \n`,
      () => `${ORIGIN}\n${FAR + 1n}\n\n`,
    ]) {
      assertRefused(await verifyTlogProof(proofOf(ENTRY, { text }), ownVkey), text('root'), 'checkpoint_signature');
    }
  });

  test('entries in another spelling are refused though they are in the log', async () => {
    for (const entry of [
      '{"v":1,"type":"mark"}',
      '{"type":"mark", "v":1}',
      '{"type":"mark","type":"mark","v":1}',
      '{"type":"mark","v":1.0}',
      '{"type":"\\u006dark","v":1}',
      '\ufeff{"type":"mark","v":1}',
      '{"type":"mark","v":2}',
      '{"type":"other","v":1}',
      '[]',
      'null',
    ]) {
      assertRefused(await verifyTlogProof(proofOf(Buffer.from(entry)), ownVkey), entry, 'entry');
    }
    const notUtf8 = Buffer.concat([ENTRY.subarray(0, 9), Buffer.of(0xff), ENTRY.subarray(9)]);
    assertRefused(await verifyTlogProof(proofOf(notUtf8), ownVkey), 'not UTF-8', 'entry');
  });

  test('two histories are told apart', async () => {
    const leaves = ['a', 'b', 'c'].map((text) => hashOf(Buffer.of(0), Buffer.from(text))) as [Buffer, Buffer, Buffer];
    const [a, b, c] = leaves;
    const two = hashOf(Buffer.of(1), a, b);
    const noteOf = (size: number, root: Buffer) => signed(`${ORIGIN}\n${size}\n${root.toString('base64')}\n`);
    const newer = noteOf(3, hashOf(Buffer.of(1), two, c));
    const hashes = [c.toString('base64')];
    assertValid(await verifyConsistency({ older: noteOf(2, two), newer, hashes }, ownVkey));
    const four = noteOf(4, hashOf(Buffer.of(1), two, hashOf(Buffer.of(1), c, a)));
    const fromThree = [c, a, two].map((hash) => hash.toString('base64'));
    assertValid(await verifyConsistency({ older: newer, newer: four, hashes: fromThree }, ownVkey));
    const forked = { older: noteOf(3, two), newer: four, hashes: fromThree };
    assertRefused(await verifyConsistency(forked, ownVkey), 'another history of three', 'consistency');
    const emptyLog = noteOf(0, hashOf());
    assertValid(await verifyConsistency({ older: emptyLog, newer, hashes: [] }, ownVkey));
    for (const [older, proof] of [
      [noteOf(2, hashOf(Buffer.of(1), b, a)), hashes],
      [noteOf(2, two), []],
      [noteOf(2, two), [...hashes, ...hashes]],
      [noteOf(3, two), []],
      [noteOf(0, two), []],
      [emptyLog, hashes],
    ] as const) {
      assertRefused(await verifyConsistency({ older, newer, hashes: proof }, ownVkey), older, 'consistency');
    }
  });
});

suite('outside of the service', () => {
  test('the file imports nothing, and asks for what Node has where there may be none', () => {
    const [text = '', command = ''] = readFileSync(VERIFIER, 'utf8')
      .replace("globalThis.process?.getBuiltinModule?.('node:crypto')", '')
      .split('const started = globalThis.process?.');
    assert.match(command, /^argv\?\.[^]*\nif \(started !== undefined && [^\n]+\{\n(?: {2}[^\n]+\n)+\}\n$/);
    assert.doesNotMatch(text, /\bimport\b[^s]*['"(]|\brequire\(|\bBuffer\b|\bprocess\b|node:/);
  });

  const version = /^v(\d+)/.exec(spawnSync('/usr/bin/env', ['node', '--version'], { encoding: 'utf8' }).stdout)?.[1];
  const isOldEnough = Number(version ?? 0) >= 20;
  test('it runs in the node of the system', { skip: isOldEnough ? false : 'no node 20 or later' }, () => {
    const { vkey, otherVkey, observed } = answers;
    const program = `
      import { verifySealAnswer, verifyTlogProof } from ${JSON.stringify(VERIFIER)};
      const { answer, vkey, otherVkey } = JSON.parse(await new Promise((resolve) => {
        let text = '';
        process.stdin.on('data', (part) => (text += part)).on('end', () => resolve(text));
      }));
      const good = await verifySealAnswer(answer, vkey);
      const file = await verifyTlogProof(answer.proof, vkey, { attestationId: answer.attestation_id });
      const bad = await verifySealAnswer({ ...answer, claim: { ...answer.claim, vat_number: '1' } }, vkey);
      const foreign = await verifySealAnswer(answer, otherVkey);
      console.log(JSON.stringify([good, file, bad, foreign].map(({ valid }) => valid)));`;
    const input = JSON.stringify({ answer: observed, vkey, otherVkey });
    const run = spawnSync('/usr/bin/env', ['node', '--input-type=module', '-e', program], { input, encoding: 'utf8' });
    assert.equal(run.stdout, '[true,true,false,false]\n', run.stderr);
  });
});

suite('avouch verify', () => {
  function fileOf(name: string, content: unknown): string {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  test('says each check and ends with 0 for a seal, a proof file and a page', async () => {
    const { service, vkey, sealed } = answers;
    const { json: page } = await service.call('/api/attest/ledger');
    const id = sealed['attestation_id'] as string;
    for (const [file, last, ...args] of [
      [fileOf('seal.json', sealed), id],
      [fileOf('seal.json', sealed), id, '--id', id],
      [fileOf('seal.tlog-proof', sealed['proof']), id, '--id', id],
      [fileOf('page.json', page), 'the ledger page'],
    ] as [string, string, ...string[]][]) {
      const { code, stdout, stderr } = await runCommand(['verify', file, '--vkey', vkey, ...args]);
      assert.deepEqual([code, stderr], [0, ''], stdout);
      assert.ok(stdout.startsWith(`key: ${vkey}\nok `), stdout);
      assert.match(stdout, /^ok +checkpoint_signature$/m);
      assert.match(
        stdout,
        new RegExp(`^Verified: ${last} is in log sandbox\\.invalid/\\S+ \\(\\d+ entries\\)\n$`, 'm'),
      );
    }
  });

  test('takes the key of the service where none is given, and says so', async () => {
    const { service, vkey, sealed } = answers;
    const { code, stdout, stderr } = await runCommand(['verify', fileOf('a.json', sealed), '--url', service.url]);
    assert.deepEqual(
      [code, stderr],
      [0, 'Warning: this key came from the service itself. Pass --vkey with a key you trust.\n'],
    );
    assert.ok(stdout.startsWith(`key: ${vkey}\n`));
  });

  test('names what fails and ends with 1', async () => {
    const { vkey, sealed, observed } = answers;
    const lie = fileOf('lie.json', { ...sealed, claim: { statement: 'eight boxes' } });
    const { code, stdout } = await runCommand(['verify', lie, '--vkey', vkey]);
    assert.equal(code, 1);
    assert.match(stdout, /^FAILED +claim_commitment: the claim is not the one that the entry commits to$/m);
    assert.match(stdout, /^Verification failed\n$/m);
    assert.equal((await runCommand(['verify', lie, '--vkey', vkey, '--ignore-claim'])).code, 0);
    const other = await runCommand([
      'verify',
      fileOf('b.json', observed),
      '--vkey',
      vkey,
      '--id',
      sealed['attestation_id'] as string,
    ]);
    assert.equal(other.code, 1);
    assert.match(other.stdout, /^FAILED +id_matches_entry: the entry is ATT-/m);
    const junk = await runCommand(['verify', fileOf('junk', 'junk'), '--vkey', vkey]);
    assert.deepEqual([junk.code, junk.stdout], [1, `key: ${vkey}\n`]);
    assert.match(junk.stderr, /^avouch verify: The file is neither JSON nor a proof file\. .*\n$/);
  });

  test('never says ok for a seal within a ledger page, or for a member that is there twice', async () => {
    const { service, vkey, sealed } = answers;
    const { json: page } = await service.call('/api/attest/ledger');
    const mixed = fileOf('mixed.json', { ...sealed, claim: { statement: 'eight boxes' }, ...page });
    const { code, stdout } = await runCommand(['verify', mixed, '--vkey', vkey]);
    assert.deepEqual([code, /^FAILED +range_proof: /m.test(stdout)], [1, true], stdout);
    const text = JSON.stringify(sealed).replace('{', '{"claim":{"statement":"eight boxes"},');
    const twice = await runCommand(['verify', fileOf('twice.json', text), '--vkey', vkey]);
    assert.deepEqual([twice.code, twice.stdout], [1, `key: ${vkey}\n`]);
    assert.match(twice.stderr, /twice\.json is ambiguous: #\/claim /);
  });

  test('ends with 2 for wrong usage', async () => {
    const { service, vkey, sealed } = answers;
    const file = fileOf('c.json', sealed);
    const page = fileOf('page.json', (await service.call('/api/attest/ledger')).json);
    for (const args of [
      [],
      [file],
      [file, '--vkey'],
      [file, '--vkey', vkey, '--url', service.url],
      [file, 'more', '--vkey', vkey],
      [file, '--vkey', vkey, '--no-such'],
      [file, '--url', 'ftp://x'],
      [page, '--vkey', vkey, '--id', 'ATT-x'],
    ]) {
      const { code, stderr } = await runCommand(['verify', ...args]);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /^avouch verify: [^\n]*\nRun `avouch verify --help`\.\n$/);
    }
    const missing = await runCommand(['verify', join(folder, 'missing'), '--vkey', vkey]);
    assert.deepEqual([missing.code, missing.stderr], [1, `avouch verify: Cannot read ${join(folder, 'missing')}.\n`]);
  });
});

async function ledgerLines(query: string): Promise<string[]> {
  const { service } = answers;
  const headers = { accept: 'application/x-ndjson' };
  const { text } = await service.call(`/api/attest/ledger${query}`, { headers });
  assert.ok(text.endsWith('\n'));
  return text.slice(0, -1).split('\n');
}
