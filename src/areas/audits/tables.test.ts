import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sha256Hex } from '#kernel/ids.ts';
import { BUDGET_CONTROLS, BUDGET_SCOPES } from './budget-controls.ts';
import { auditBudget } from './budget-audit.ts';
import { auditCoordination } from './coordination-audit.ts';
import { COORDINATION_CONTROLS, COORDINATION_SCOPES } from './coordination-controls.ts';
import { STEP_IDS } from './fuse-step.ts';
import { FUSE_STEPS } from './fuse.ts';
import { INCIDENTS } from './incidents.ts';
import { LOWERING_RULES } from './budget-lowering.ts';
import * as paid from './paid-operations.ts';
import { BUDGET_PROTOCOL_DOCUMENT, COORDINATION_PROTOCOL_DOCUMENT } from './protocol-documents.ts';
import type { Control } from './score.ts';
import { STUDIES } from './studies.ts';
import * as thresholds from './thresholds.ts';

function sums(controls: readonly Control[], scopes: readonly string[]): Record<string, readonly [number, number]> {
  const weigh = (rows: readonly Control[]) =>
    [rows.length, rows.reduce((sum, { severity }) => sum + thresholds.WEIGHTS[severity], 0)] as const;
  const ofScope = scopes.map((scope) => [scope, weigh(controls.filter((row) => row.scope.includes(scope)))] as const);
  return { all: weigh(controls), ...Object.fromEntries(ofScope) };
}

test('controls and weights add up as published, in all and per scope', () => {
  assert.deepEqual(sums(BUDGET_CONTROLS, BUDGET_SCOPES), {
    all: [18, 106],
    compute: [9, 50],
    payments: [13, 88],
    commerce: [12, 68],
    ops: [11, 70],
  });
  assert.deepEqual(sums(COORDINATION_CONTROLS, COORDINATION_SCOPES), {
    all: [16, 111],
    parallel: [7, 40],
    tools: [8, 58],
    handoff: [7, 51],
    market: [6, 45],
  });
});

test('every incident and study is used, has a status, a source and a date, and nothing else is cited', () => {
  const cited = new Set<string>([
    ...BUDGET_CONTROLS.flatMap(({ incidents }) => incidents),
    ...COORDINATION_CONTROLS.flatMap(({ sources }) => sources),
  ]);
  assert.deepEqual([...cited].toSorted(), [...Object.keys(INCIDENTS), ...Object.keys(STUDIES)].toSorted());
  for (const row of [...Object.values(INCIDENTS), ...Object.values(STUDIES)]) {
    assert.ok(row.status.length > 0 && row.source.length > 0);
    assert.equal(row.as_of, thresholds.EVIDENCE_AS_OF);
  }
});

/** The methods and the results with every finding, by the day that they carry. */
const TEXTS = { as_of: '2026-11-19', sha256: '46c7ac5ba2d93d0897554150c8e1ad70a1e3db47bf36afc94c146e4182189a32' };

test('a text of the methods changes only with the date that results carry', () => {
  const results = [auditBudget({ budget_period_usd: '100' }), auditCoordination({})];
  const sha256 = sha256Hex(JSON.stringify([BUDGET_PROTOCOL_DOCUMENT, COORDINATION_PROTOCOL_DOCUMENT, results]));
  // After a change: the day of the change becomes CATALOGUE_AS_OF, and stands here with the new digest.
  assert.deepEqual({ as_of: thresholds.CATALOGUE_AS_OF, sha256 }, TEXTS);
});

test('in an answer every incident carries its status and every measurement its sources', () => {
  const incidents = auditBudget({ budget_period_usd: '100' }).findings.flatMap((finding) => finding.incidents);
  assert.ok(incidents.length > 40 && incidents.every(({ status, source }) => status !== '' && source !== ''));
  for (const { measurement, sources } of auditCoordination({}).findings) {
    assert.ok(measurement !== '' && sources.length > 0);
    assert.ok(sources.every(({ status, source }) => status !== '' && source !== ''));
  }
});

test('the figure of the often told loop is never shown without its doubt', () => {
  assert.match(INCIDENTS.loop47k.status, /accounts conflict/);
  const hops = COORDINATION_CONTROLS.find(({ id }) => id === 'hop_limit');
  assert.match(hops?.measurement ?? '', /contradict/);
});

test('the protocol documents publish every threshold that the code has', () => {
  const published = BUDGET_PROTOCOL_DOCUMENT;
  assert.deepEqual(published.thresholds, thresholds.BUDGET_THRESHOLDS);
  assert.deepEqual(published.fuse.thresholds, thresholds.FUSE_THRESHOLDS);
  assert.deepEqual(COORDINATION_PROTOCOL_DOCUMENT.thresholds, thresholds.SCORE_THRESHOLDS);
  for (const document of [BUDGET_PROTOCOL_DOCUMENT, COORDINATION_PROTOCOL_DOCUMENT]) {
    assert.deepEqual(document.weights, thresholds.WEIGHTS);
    assert.deepEqual(document.credits, thresholds.ANSWER_CREDITS);
    assert.deepEqual(document.grade_rules, thresholds.GRADE_RULES);
  }
});

test('rules and steps have no figure of their own beside the published ones', () => {
  const files = [
    'verdict-rules',
    'budget-lowering',
    'fuse-steps-mandate',
    'fuse-steps-worth',
    'fuse-steps-safety',
    'fuse',
  ];
  for (const file of files) {
    const text = readFileSync(new URL(`${file}.ts`, import.meta.url), 'utf8');
    const code = text.replaceAll(/'[^'\n]*'|`[^`]*`|\/\/.*|\/\*[\s\S]*?\*\//g, '');
    const figures = [...code.matchAll(/(?<![\w.])\d[\d_.]*n?\b/g)].map(([figure]) => figure);
    const ranks = file === 'budget-lowering' ? ['2', '1'] : [];
    assert.deepEqual(
      figures.filter((figure) => figure !== '0' && figure !== '0n' && !ranks.includes(figure)),
      [],
      file,
    );
  }
});

test('the fuse has ten steps in order, each with stable codes and a last row that always holds', () => {
  assert.deepEqual(
    FUSE_STEPS.map(({ step }) => step),
    STEP_IDS,
  );
  assert.deepEqual(
    FUSE_STEPS.map(({ name }) => name).join(', '),
    'instruction source, envelope, duplicate intent, counterparty, price sanity, expected value, stop-loss, irreversibility, delivery binding, record',
  );
  assert.deepEqual(
    FUSE_STEPS.map(({ checkName }) => checkName).join(', '),
    'instruction source, envelope, repeat, counterparty, price, expected value, stop-loss, irreversibility, delivery, receipt',
  );
  for (const { step, rows } of FUSE_STEPS) {
    assert.equal(new Set(rows.map(({ code }) => code)).size, rows.length, step);
    assert.equal(rows.at(-1)?.when, 'otherwise', step);
  }
});

test('the evidence that a move of coordination names is what a mark takes: a link or a digest', () => {
  const moves = COORDINATION_CONTROLS.map((row) => row.crossing_move).filter((move) =>
    /with evidence\b.{3}/.test(move),
  );
  assert.deepEqual(moves, ['release or mark with evidence: a link or a digest']);
});

test('a lowering rule names a control that exists', () => {
  const ids = BUDGET_CONTROLS.map(({ id }) => id);
  assert.ok(LOWERING_RULES.every(({ control }) => ids.includes(control)));
});

test('the paid rows carry their price, and their examples fit their schemas', () => {
  const rows = [paid.agentBudgetAudit, paid.agentCoordinationAudit, paid.spendFuse] as const;
  assert.deepEqual(
    rows.map(({ operationId, path, price }) => [operationId, path, price?.usdc, price?.atomic]),
    [
      ['agent_budget_audit', '/v1/agent-budget-audit', '0.05', '50000'],
      ['agent_coordination_audit', '/v1/agent-coordination-audit', '0.05', '50000'],
      ['spend_fuse', '/v1/spend-fuse', '0.002', '2000'],
    ],
  );
  for (const { input, output, examples } of rows) {
    for (const example of examples) {
      input.parse(example.input);
      output.parse(example.output);
    }
  }
});
