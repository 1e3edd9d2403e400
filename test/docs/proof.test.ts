import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { proofDocuments, readProof, ROWS } from '../../scripts/proof/documents.ts';
import { named } from '../../scripts/proof/machine.ts';
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

test('every row has an id of its own, and every result a row', () => {
  const ids = ROWS.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    Object.keys(readProof().results).filter((id) => !ids.includes(id)),
    [],
  );
});

test('a run that failed, found no figures or ran out of time never meets its target', () => {
  const row = { ...(ROWS[0] as ProofRow), read: () => ({ figure: '1', met: true }) };
  assert.deepEqual(proofReadingOf(row, RESULT), { figure: '1', met: true });
  for (const broken of [{ exit: 1 }, { exit: null }, { lines: [] }]) {
    assert.equal(proofReadingOf(row, { ...RESULT, ...broken }).met, false);
  }
});

test('parts of a row on the same code and machine add up, and one that failed is not forgotten', () => {
  const part = (more: Partial<RunResult>): RunResult => ({ ...RESULT, scale: 0.5, source: 'a', ...more });
  const first = part({ lines: [{ rounds: 1 }] });
  const both = joined(first, part({ lines: [{ rounds: 2 }] }));
  assert.deepEqual([both.scale, both.exit, both.seconds, both.lines], [1, 0, 2, [{ rounds: 1 }, { rounds: 2 }]]);
  assert.equal(joined(part({ exit: 1 }), first).exit, 1);
  for (const earlier of [
    undefined,
    part({ source: 'b' }),
    { ...RESULT, scale: 0.5 },
    part({ scale: 1 }),
    part({ machine: 'B' }),
  ]) {
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

test('what misses its target stands first, and what was not run says so', () => {
  const line = { rounds: 1, acknowledged: 1, lost: 1, duplicated: 0, violations: 0 };
  const page = proofDocuments({ machines: {}, results: { kills: { ...RESULT, lines: [line] } } })[
    'docs/reliability.md'
  ];
  const missed = page?.slice(0, page.indexOf('## Targets met')) ?? '';
  assert.match(missed, /\| kills \|.*lost 1/);
  assert.match(page ?? '', /- determinism: .*not run/);
});
