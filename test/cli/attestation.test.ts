// The commands around seals: seal, verify by id, erase, fees; beside a running service.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import { runCommand } from '../support/command.ts';
import { CutProxy } from '../support/cut-proxy.ts';
import { ENGINES, hasPostgres } from '../support/databases.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv, TestService } from '../support/service.ts';
import {
  assertContinues,
  exportLedger,
  policyOf,
  postSeal,
  sealCorrection,
  sealRecord,
  tamper,
  treeHead,
} from '../support/log.ts';
import { asked, mandate, mandateBody, registered } from '../support/mandates.ts';
import { registeredAgent } from '../support/wallet.ts';

const root = await temporaryDirectory();
after(() => rm(root, { recursive: true, force: true }));
/** What the suites below share; each test seals statements of its own. */
let service: TestService;
let other: TestService;
before(async () => {
  [service, other] = [await TestService.start(), await TestService.start()];
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});
const UNKNOWN_ID = `ATT-${'A'.repeat(52)}`;

function file(name: string, content: string | Uint8Array): string {
  const path = join(root, name);
  writeFileSync(path, content);
  return path;
}

function bundleIn(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
}

suite('seal', () => {
  test('seals the digest of a file, keeps the bundle for its user alone and prints the id', async () => {
    const bytes = Buffer.from([0, 255, 1, 254]);
    const path = file('picture', bytes);
    const { code, stdout, stderr } = await runCommand(['seal', path, '--url', service.url]);
    assert.equal(code, 0, stderr);
    const bundle = bundleIn(`${path}.seal.json`);
    assert.equal(stdout, `${String(bundle['attestation_id'])}\n`);
    assert.match(stderr, /Sealed the digest of .*: ACCEPT/);
    const digest = createHash('sha256').update(bytes).digest('hex');
    assert.deepEqual(bundle['claim'], { statement: `sha256 ${digest}`, evidence_digests: [digest] });
    assert.equal(statSync(`${path}.seal.json`).mode & 0o777, 0o600);
    const vkey = (await treeHead(service)).vkeys[0] as string;
    const verified = await runCommand(['verify', `${path}.seal.json`, '--vkey', vkey]);
    assert.equal(verified.code, 0, verified.stdout);
  });

  test('seals claims and requests in JSON, and a REJECT is done too', async () => {
    const claim = file('claim.json', '{"statement":"seven boxes"}');
    const vat = file('vat.json', '{"country_code":"NL","vat_number":"000099998B57"}');
    const request = file('request.json', '{"schema_id":"record.integrity.v1","claim":{"statement":""}}');
    const vkey = (await treeHead(service)).vkeys[0] as string;
    const key = ['--url', service.url, '--vkey', vkey];
    const sealed = await runCommand(['seal', claim, '--public', ...key]);
    assert.equal(sealed.code, 0, sealed.stderr);
    const id = sealed.stdout.trim();
    const { json } = await service.call(`/api/attest/verify/${id}`);
    assert.deepEqual(json['claim'], { statement: 'seven boxes' });
    const out = join(root, 'elsewhere.json');
    const observed = await runCommand(['seal', vat, '--schema', 'vat.vies.v1', '--out', out, ...key]);
    assert.equal(observed.code, 0, observed.stderr);
    assert.deepEqual([bundleIn(out)['schema_id'], bundleIn(out)['verdict']], ['vat.vies.v1', 'ACCEPT']);
    const rejected = await runCommand(['seal', request, ...key]);
    assert.equal(rejected.code, 0, rejected.stderr);
    assert.match(rejected.stderr, /Sealed the request of .*: REJECT claim_empty/);
    const replayed = await runCommand(['seal', request, '--out', join(root, 'again.json'), ...key]);
    assert.deepEqual([replayed.code, replayed.stdout], [0, rejected.stdout], replayed.stderr);
    assert.match(replayed.stderr, /rejected before\. .* has the proof of that seal, without its disclosure seed/);
  });

  test('what the service refuses leaves no file, and its words are shown', async () => {
    const path = file('refused.json', '{"statement":"x","other":1}');
    const { tree_size: size } = await treeHead(service);
    const { code, stdout, stderr } = await runCommand(['seal', path, '--url', service.url]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^avouch seal: claim\/other: /m);
    assert.throws(() => statSync(`${path}.seal.json`), { code: 'ENOENT' });
    assert.equal((await treeHead(service)).tree_size, size);
  });

  test('a bundle is never written over, and nothing is sealed then', async () => {
    const path = file('kept', 'x');
    const { tree_size: size } = await treeHead(service);
    const kept = file('kept.seal.json', 'the seed of before');
    const { code, stderr } = await runCommand(['seal', path, '--url', service.url]);
    assert.equal(code, 1);
    assert.match(stderr, /already exists\. Move it away, or pass --out <file>\./);
    assert.equal(readFileSync(kept, 'utf8'), 'the seed of before');
    assert.equal((await treeHead(service)).tree_size, size);
  });

  test('an answer that another key signed is not called done, and is kept', async () => {
    const vkey = (await treeHead(other)).vkeys[0] as string;
    const path = file('mistrusted', 'x');
    const { code, stdout, stderr } = await runCommand(['seal', path, '--url', service.url, '--vkey', vkey]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /does not verify \(checkpoint_signature/);
    assert.ok(bundleIn(`${path}.seal.json`)['disclosure_seed']);
  });

  test('a seal whose answer is lost is repeated under the key that is named, and sealed once', async () => {
    const path = file('lost.json', '{"statement":"sealed once"}');
    const { tree_size: size, vkeys } = await treeHead(service);
    let left = 1;
    await using proxy = await CutProxy.to(service.url, () => left-- > 0);
    const seal = (...args: string[]) =>
      runCommand(['seal', path, '--url', proxy.url, '--vkey', vkeys[0] as string, ...args]);
    const lost = await seal();
    assert.equal(lost.code, 1);
    const [, key = ''] =
      /^Repeat it with --idempotency-key (\S{16,}): it is sealed at most once\.$/m.exec(lost.stderr) ?? [];
    assert.throws(() => statSync(`${path}.seal.json`), { code: 'ENOENT' });
    const { code, stderr } = await seal('--idempotency-key', key);
    assert.equal(code, 0, stderr);
    assert.ok(bundleIn(`${path}.seal.json`)['disclosure_seed']);
    assert.equal((await treeHead(service)).tree_size, size + 1);
  });

  test('wrong usage ends with 2, and a service that is not there with 1', async () => {
    const path = file('plain', 'x');
    for (const [args, expected] of [
      [[path, '--idempotency-key', 'short'], 2],
      [[], 2],
      [[path, path], 2],
      [[path, '--other'], 2],
      [[join(root, 'missing')], 1],
      [[path, '--schema', 'x'], 1],
    ] as const) {
      const { code } = await runCommand(['seal', ...args, '--url', 'http://127.0.0.1:1']);
      assert.equal(code, expected, args.join(' '));
    }
    const { code, stderr } = await runCommand(['seal', path, '--url', 'http://127.0.0.1:1']);
    assert.equal(code, 1);
    assert.match(stderr, /Cannot reach /);
  });
});

suite('verify by id', () => {
  test('the answer is fetched and then verified offline, with the corrections that followed', async () => {
    const claim = { statement: 'for everybody' };
    const { json } = await postSeal(service, { schema_id: 'record.integrity.v1', claim, disclosure: 'public' });
    const id = String(json['attestation_id']);
    const alone = await runCommand(['verify', id, '--url', service.url]);
    assert.equal(alone.code, 0, alone.stdout + alone.stderr);
    assert.match(alone.stdout, new RegExp(`^Verified: ${id} is in log `, 'm'));
    assert.doesNotMatch(alone.stdout, /Superseded/);
    const correction = await sealCorrection(service, id);
    const further = await sealCorrection(service, correction);
    const vkey = (await treeHead(service)).vkeys[0] as string;
    const corrected = await runCommand(['verify', id, '--vkey', vkey], { BASE_URL: service.url });
    assert.equal(corrected.code, 0, corrected.stderr);
    assert.match(corrected.stdout, new RegExp(`^Superseded by: ${correction}, ${further}$`, 'm'));
  });

  test('an entry that was changed, another key and an unknown id end with 1', async () => {
    await using spoilt = await TestService.start();
    const { json } = await sealRecord(spoilt, 'x');
    const id = String(json['attestation_id']);
    const vkey = (await treeHead(other)).vkeys[0] as string;
    const mistrusted = await runCommand(['verify', id, '--url', spoilt.url, '--vkey', vkey]);
    assert.deepEqual([mistrusted.code, /^Verification failed$/m.test(mistrusted.stdout)], [1, true]);
    await tamper(
      spoilt,
      `UPDATE entries SET leaf = replace(leaf, '"sandbox":true', '"sandbox":false') WHERE seq = ${Number(json['seq'])}`,
    );
    assert.equal((await runCommand(['verify', id, '--url', spoilt.url])).code, 1);
    const unknown = await runCommand(['verify', UNKNOWN_ID, '--url', spoilt.url]);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /404 attestation_not_found/);
    assert.equal((await runCommand(['verify', id, '--id', id, '--url', spoilt.url])).code, 2);
    assert.equal((await runCommand(['verify', id], { PORT: '0' })).code, 2);
  });

  test('an erased claim is said to be erased', async () => {
    const { json } = await sealRecord(service, 'x');
    const body = { attestation_id: json['attestation_id'], disclosure_seed: json['disclosure_seed'] };
    await service.call('/api/attest/erase', { method: 'POST', body });
    const { code, stdout } = await runCommand(['verify', String(json['attestation_id']), '--url', service.url]);
    assert.equal(code, 0);
    assert.match(stdout, /claim_commitment: the service says that the claim was erased/);
  });
});

for (const engine of ENGINES) {
  suite(`erase beside a service on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    let sealing: TestService;
    let env: Record<string, string>;
    before(async () => {
      sealing = await TestService.start({ engine });
      env = serviceEnv(sealing.dataDir, sealing.databaseUrl);
    });
    after(() => sealing[Symbol.asyncDispose]());

    test('the claim goes, the log stays whole, and a second call says that it was done', async () => {
      const { json } = await sealRecord(sealing, 'to be forgotten');
      const id = String(json['attestation_id']);
      const { checkpoint, tree_size: size } = await treeHead(sealing);
      const { json: earlier } = await sealing.call('/api/astralock/audit');
      const first = await runCommand(['erase', id, '--reason', 'legal'], env);
      assert.equal(first.code, 0, first.stderr);
      const [, statement] = /^Statement: (ATT-\S+)$/m.exec(first.stdout) ?? [];
      const { json: said } = await sealing.call(`/api/attest/verify/${statement}`);
      assert.deepEqual(said['claim'], { statement: `attest.erased ${id} by operator: legal` });
      const { json: erased } = await sealing.call(`/api/attest/verify/${id}`);
      assert.equal(erased['valid'], true);
      const rows = await sealing.service.store.read(
        `SELECT claim, seed, observations FROM records WHERE seq = ${Number(json['seq'])}`,
      );
      assert.deepEqual({ ...rows[0] }, { claim: null, seed: null, observations: null });
      const again = await runCommand(['erase', id, '--reason', 'request'], env);
      assert.equal(again.code, 0, again.stderr);
      assert.match(again.stdout, new RegExp(`^Already erased: ${id} at .*\nStatement: ${statement}\n$`));
      await assertContinues(sealing, checkpoint);
      assert.equal((await exportLedger(sealing, await policyOf(sealing))).length, size + 1);
      const body = { attestation_id: id, disclosure_seed: json['disclosure_seed'] };
      const holder = await sealing.call('/api/attest/erase', { method: 'POST', body });
      assert.deepEqual([holder.json['again'], holder.json['statement']], [true, statement]);
      const { json: audit } = await sealing.call('/api/astralock/audit');
      assert.deepEqual([audit['ok'], audit['erased']], [true, Number(earlier['erased']) + 1]);
    });

    test('a release is erased with the events of its lease, and other events stay', async () => {
      for (const agent of ['kept', 'gone']) {
        const { json } = await sealing.call(`/v1/claim?key=k&agent=agent-${agent}`);
        const body = { lease: json['lease'], token: json['token'] };
        assert.equal((await sealing.call('/v1/release', { method: 'POST', body })).status, 200);
      }
      const entries = await exportLedger(sealing, await policyOf(sealing));
      const id = entries.at(-1)?.attestation_id ?? '';
      const { code, stdout, stderr } = await runCommand(['erase', id, '--reason', 'request'], env);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^Events deleted: 2\.$/m);
      const events = await sealing.service.store.read('SELECT type, body FROM event ORDER BY rev');
      assert.deepEqual(
        events.map((row) => [row['type'], /agent-\w+/.exec(String(row['body']))?.[0]]),
        [
          ['claim', 'agent-kept'],
          ['release', 'agent-kept'],
        ],
      );
      const again = await runCommand(['erase', id, '--reason', 'request'], env);
      assert.deepEqual([again.code, /^Already erased/.test(again.stdout)], [0, true]);
      const { json } = await sealing.call('/api/astralock/audit');
      assert.equal(json['ok'], true);
    });

    test('of a handshake the references are erased too, from the files as well', async () => {
      const shop = await registered(sealing);
      const made = await mandate(sealing, mandateBody(sealing.now()));
      const { json: verified } = await shop.verify(asked(made.mandate_id, 100, 'order 1'));
      const { json } = await shop.seal(verified['verify_ref'], 'placed', { external_ref: 'order-zephyr-4711' });
      const { code, stderr } = await runCommand(['erase', String(json['attestation_id']), '--reason', 'request'], env);
      assert.equal(code, 0, stderr);
      const kept = await sealing.service.store.read('SELECT external_ref, answer FROM amh_seal');
      assert.equal(JSON.stringify(kept.map((row) => ({ ...row }))).includes('zephyr'), false);
      const again = await shop.seal(verified['verify_ref'], 'placed', { external_ref: 'order-zephyr-4711' });
      assert.deepEqual([again.status, again.json['disclosure_seed']], [200, null]);
      for (const name of readdirSync(sealing.dataDir).filter((one) => one.includes('.db'))) {
        assert.ok(!readFileSync(join(sealing.dataDir, name)).includes('order-zephyr-4711'), name);
      }
    });

    test('a mandate is erased by its id, from the files as well, and once more for what was sealed since', async () => {
      const shop = await registered(sealing);
      const made = await mandate(sealing, mandateBody(sealing.now(), { principal: 'Mistral Principal BV' }));
      const { json: verified } = await shop.verify(
        asked(made.mandate_id, 100, 'order 1', { counterparty: 'mistral-2' }),
      );
      const run = (...args: readonly string[]) => runCommand(['erase', ...args, '--reason', 'request'], env);
      const first = await run(made.mandate_id);
      assert.equal(first.code, 0, first.stderr);
      assert.match(first.stdout, /^Erased: mnd_\w+ at .*Z\.\nStatement: ATT-\w+\nEntries erased: 1\.\n$/);
      const path = `/api/amh/mandate/${made.mandate_id}`;
      assert.equal((await sealing.call(path)).json['code'], 'mandate_not_found', 'the running service knows at once');
      const placed = await shop.seal(verified['verify_ref'], 'placed', { external_ref: 'order-mistral-3' });
      assert.equal(placed.status, 200, placed.text);
      const again = await run(made.mandate_id, '--json');
      assert.deepEqual(
        Object.entries(JSON.parse(again.stdout) as object).filter(
          ([name]) => !['erased_at', 'statement'].includes(name),
        ),
        [
          ['mandate_id', made.mandate_id],
          ['again', true],
          ['entries_erased', 1],
        ],
      );
      for (const name of readdirSync(sealing.dataDir).filter((one) => one.includes('.db'))) {
        assert.ok(!/[Mm]istral/.test(readFileSync(join(sealing.dataDir, name), 'latin1')), name);
      }
      const unknown = await run('mnd_0123456789abcdefghjkmnpqrs');
      assert.deepEqual([unknown.code, /No mandate has this id\./.test(unknown.stderr)], [1, true], unknown.stderr);
      assert.equal((await run('mnd_0')).code, 2);
    });

    test('erasing while seals go on loses none of them', async () => {
      const { json } = await sealRecord(sealing, 'to be forgotten');
      const { tree_size: size } = await treeHead(sealing);
      const over = new AbortController();
      let seals = 0;
      const callers = Array.from({ length: 2 }, async (_, caller) => {
        for (let number = 0; !over.signal.aborted; number += 1) {
          assert.equal((await sealRecord(sealing, `${caller} ${number}`)).status, 201);
          seals += 1;
        }
      });
      const { code, stderr } = await runCommand(['erase', String(json['attestation_id']), '--reason', 'mistake'], env);
      over.abort();
      await Promise.all(callers);
      assert.equal(code, 0, stderr);
      assert.equal((await exportLedger(sealing, await policyOf(sealing))).length, size + seals + 1);
    });
  });
}

test('erase refuses claims in clear, unknown ids and wrong usage', async () => {
  const env = serviceEnv(other.dataDir, undefined);
  const { tree_size: size } = await treeHead(other);
  const [first] = await exportLedger(other, await policyOf(other));
  const clear = await runCommand(['erase', first?.attestation_id ?? '', '--reason', 'legal'], env);
  assert.equal(clear.code, 1);
  assert.match(clear.stderr, /in clear text in the signed log and cannot be erased/);
  const unknown = await runCommand(['erase', UNKNOWN_ID, '--reason', 'legal'], env);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /No log entry has this id/);
  for (const args of [[], [UNKNOWN_ID], [UNKNOWN_ID, '--reason', 'other'], ['x', '--reason', 'legal']]) {
    assert.equal((await runCommand(['erase', ...args], env)).code, 2, args.join(' '));
  }
  assert.equal((await treeHead(other)).tree_size, size);
  const nowhere = await runCommand(['erase', UNKNOWN_ID, '--reason', 'legal'], { DATA_DIR: join(root, 'nowhere') });
  assert.deepEqual([nowhere.code, /There is no database/.test(nowhere.stderr)], [1, true]);
});

test('fees export lists every fee of the days with a total, beside a running service', async () => {
  const env = serviceEnv(other.dataDir, undefined);
  const { json } = await sealRecord(other, 'x');
  await postSeal(other, { schema_id: 'kvk.liveness.v1', claim: { kvk_number: '90000001' } });
  await sealRecord(other, '');
  const agent = await registeredAgent(other);
  const claim = { statement: 'y' };
  assert.equal((await agent.post('/api/attest/seal', { schema_id: 'record.integrity.v1', claim })).status, 201);
  const day = String(json['sealed_at']).slice(0, 10);
  const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
  const listed = await runCommand(['fees', 'export', '--from', day, '--to', next], env);
  assert.deepEqual([listed.code, listed.stderr], [0, '']);
  const all = listed.stdout.trimEnd().split('\r\n');
  const lines = all.filter((line) => !line.startsWith(agent.id));
  assert.deepEqual(
    all.filter((line) => line.startsWith(agent.id)).map((line) => line.split(',').slice(-2)),
    [
      ['25', 'invoiced_separately'],
      ['25', 'platform_fee_eurocents=1'],
    ],
  );
  assert.equal(lines.length, 4);
  assert.equal(
    lines[1],
    `anonymous,${String(json['attestation_id'])},record.integrity.v1,${String(json['sealed_at'])},25,invoiced_separately`,
  );
  assert.equal(lines[3], 'anonymous,total,,,75,not_invoiced');
  const older = await runCommand(['fees', 'export', '--from', '2020-01-01', '--to', '2020-01-31'], env);
  assert.equal(older.stdout.trimEnd().split('\r\n').length, 1);
  for (const args of [
    [],
    ['export'],
    ['export', '--from', day],
    ['export', '--from', '2026-02-30', '--to', day],
    ['export', '--from', 'x', '--to', day],
    ['export', '--from', next, '--to', day],
    ['list', '--from', day, '--to', day],
  ]) {
    assert.equal((await runCommand(['fees', ...args], env)).code, 2, args.join(' '));
  }
});
