import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CAUSES } from '../../scripts/proof/causes.ts';
import { proofDocuments, readProof, ROWS } from '../../scripts/proof/documents.ts';
import { named } from '../../scripts/proof/machine.ts';
import { KILL_TARGETS } from '../chaos/kill-targets.ts';
import { joined, proofReadingOf, type ProofRow, type RunResult } from '../../scripts/proof/row.ts';

const RESULT: RunResult = {
  command: ['test/x.ts'],
  scale: 1,
  machine: 'A',
  at: '2026-11-15T00:00:00.000Z',
  seconds: 1,
  exit: 0,
  load: [0, 0],
  lines: [{}],
};

for (const [path, text] of Object.entries(proofDocuments(readProof()))) {
  test(`${path} is what docs/proof.json says`, () => {
    const committed = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    assert.equal(committed, text, `${path} is out of date: run node scripts/prove.ts --documents-only`);
  });
}

test('every row has an id of its own, and every result and every cause a row', () => {
  const ids = ROWS.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    [...Object.keys(readProof().results), ...Object.keys(CAUSES)].filter((id) => !ids.includes(id)),
    [],
  );
});

test('a run that failed, found no figures or ran out of time never meets its target', () => {
  const whole = ROWS.find(({ parts }) => parts === undefined) as ProofRow;
  const row = { ...whole, read: () => ({ figure: '1', met: true }) };
  assert.deepEqual(proofReadingOf(row, RESULT), { figure: '1', met: true, lacksOnlyParts: false });
  for (const broken of [{ exit: 1 }, { exit: null }, { lines: [] }]) {
    assert.equal(proofReadingOf(row, { ...RESULT, ...broken }).met, false);
  }
});

test('a run that left out an engine, a way to write or a referee names what it ran on, and never meets its target', () => {
  const read = (id: string, ...lines: readonly Record<string, unknown>[]) => {
    const row = ROWS.find((one) => one.id === id) as ProofRow;
    const { figure, met } = proofReadingOf(row, { ...RESULT, lines });
    return { met, ran: figure.slice(figure.indexOf('on ')) };
  };
  const race = { rounds: 1, one_answer_each: true };
  const [sqlite, postgres] = [{ engine: 'sqlite' }, { engine: 'postgres' }];
  assert.deepEqual(read('one-authorization', { ...race, ...sqlite }, { ...race, ...postgres }), {
    met: true,
    ran: 'on sqlite, postgres',
  });
  assert.deepEqual(read('one-authorization', { ...race, ...sqlite }), {
    met: false,
    ran: 'on sqlite; not run on postgres',
  });
  const jump = { seals: 1, violations: 0 };
  assert.equal(read('clock-jumps', { ...jump, ...sqlite }, { ...jump, ...postgres, clock: 'server' }).met, true);
  assert.equal(read('clock-jumps', { ...jump, ...sqlite }, { ...jump, ...postgres }).met, false);
  const kills = { rounds: 1, acknowledged: 1, lost: 0, duplicated: 0, violations: 0, ready_max_ms: 1 };
  const killed = KILL_TARGETS.map((target) => ({ ...kills, target }));
  assert.deepEqual(read('kills', ...killed), { met: true, ran: 'on sqlite, postgres, postgres-3, postgres-forward' });
  assert.equal(read('kills', ...killed.slice(0, -1)).met, false);
  const judged = { ok: true, size: 1 };
  assert.equal(read('referees', { ...judged, ...sqlite }, { ...judged, ...postgres }).met, true);
  const left = { ...judged, ...postgres, go: { ok: true, left_out: 'no go' } };
  assert.equal(read('referees', { ...judged, ...sqlite }, left).met, false);
  const cluster = { violations: [], late: [], services: [], changes: 1 };
  assert.equal(read('cluster-kill', cluster, { ...cluster, writer: 'forward' }).met, true);
  assert.deepEqual(read('cluster-kill', cluster), { met: false, ran: 'on direct; not run on forward' });
});

test('parts of a row on the same code add up, and one that failed is not forgotten', () => {
  const part = (more: Partial<RunResult>): RunResult => ({ ...RESULT, scale: 0.5, source: 'a', ...more });
  const first = part({ lines: [{ rounds: 1 }] });
  const both = joined(first, part({ lines: [{ rounds: 2 }] }));
  assert.deepEqual([both.scale, both.exit, both.seconds, both.lines], [1, 0, 2, [{ rounds: 1 }, { rounds: 2 }]]);
  assert.equal(joined(part({ exit: 1 }), first).exit, 1);
  const elsewhere = joined(joined(part({ machine: 'B', scale: 0.2 }), part({ scale: 0.2 })), part({ scale: 0.2 }));
  assert.deepEqual([elsewhere.machine, elsewhere.scale], ['A, B', 0.6]);
  for (const earlier of [undefined, part({ source: 'b' }), { ...RESULT, scale: 0.5 }, part({ scale: 1 })]) {
    assert.equal(joined(earlier, first), first);
  }
});

test('a machine keeps its name while its cores and memory stay, and another one gets the next', () => {
  const facts = (cores: string) => ({ cores, memory: '24 GiB' });
  const first = named({}, facts('Arm'));
  const second = named(first.machines, facts('x86'));
  const again = named(second.machines, { ...facts('Arm'), kernel: 'newer' });
  assert.deepEqual([first.name, second.name, again.name], ['A', 'B', 'A']);
  assert.deepEqual(again.machines, { A: { ...facts('Arm'), kernel: 'newer' }, B: facts('x86') });
});

test('what has no target stands neither under those that are met nor under those that are missed', () => {
  const lines = [{ after_commit_ms: { p99: 1 } }];
  const page = proofDocuments({ machines: {}, results: { watch: { ...RESULT, lines } } })['docs/performance.md'] ?? '';
  assert.match(page, /## Targets missed\n\nNone\.\n\n## Targets met\n\nNone\.\n\n## Measured without a target\n\n\|/);
});

test('what misses its target stands first, and what was not run says so', () => {
  const line = { rounds: 1, acknowledged: 1, lost: 1, duplicated: 0, violations: 0 };
  const page = proofDocuments({ machines: {}, results: { kills: { ...RESULT, lines: [line] } } })[
    'docs/reliability.md'
  ];
  const missed = page?.slice(0, page.indexOf('## Targets met')) ?? '';
  assert.match(missed, /\| kills \|.*lost 1/);
  assert.ok(missed.includes(`- **kills**: ${CAUSES['kills']}`));
  assert.ok(!page?.includes('- **soak**: '), 'no cause of what does not miss');
  assert.match(page ?? '', /- determinism: .*not run/);
});

test('a row that lacks a part says that the others hold only if they do', () => {
  const jump = { engine: 'sqlite', seals: 1 };
  const causeWith = (violations: number) => {
    const result = { ...RESULT, lines: [{ ...jump, violations }] };
    const page = proofDocuments({ machines: {}, results: { 'clock-jumps': result } })['docs/reliability.md'];
    return /- \*\*clock-jumps\*\*: (.*)/.exec(page ?? '')?.[1];
  };
  assert.deepEqual([causeWith(0), causeWith(1)], ['met in the parts that were run.', 'not analysed.']);
});
