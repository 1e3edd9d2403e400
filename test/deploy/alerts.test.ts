// Each alert on the figures of the fault that it is for, as Prometheus evaluates it; and none of them without a fault.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { seal } from '#areas/attestation/operations.ts';
import { mark } from '#areas/crossing/mark/mark-operation.ts';
import { missingTools } from '../../scripts/release/installed.ts';
import { ROOT } from '../support/child-service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const ALERTS = join(ROOT, 'deploy', 'alerts.yml');
const NAMES = [...readFileSync(ALERTS, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name as string);

/** Minutes between two samples: the shortest range of a rule has three. */
const STEP = 2;
/** Long enough for every range and `for` but those of memory. */
const STEPS = 65;
const MEMORY_STEPS = 185;

/** Series by their name and labels: `a+bxn` begins with a, and n times adds b. */
type Series = Readonly<Record<string, string>>;

const growing = (from: number, perMinute: number, steps = STEPS) => `${from}+${perMinute * STEP}x${steps}`;
const constant = (value: number) => growing(value, 0);
const perMinute = (count: number) => growing(0, count);

function calls(op: string, status: number | undefined): string {
  return `avouch_calls_total{job="avouch",instance="a",op="${op}",status="${status ?? 200}"}`;
}

const component = (id: string) => `avouch_component_up{job="avouch",instance="a",id="${id}"}`;
const problems = (code: string) => `avouch_problems_total{job="avouch",instance="a",code="${code}"}`;
const bucket = (le: string) => `avouch_call_seconds_bucket{job="avouch",instance="a",op="look",le="${le}"}`;
const own = (name: string, labels = '') => `${name}{job="avouch",instance="a"${labels}}`;

const UP: Series = { [own('up')]: constant(1) };
const ANSWERED: Series = { ...UP, [calls('look', 200)]: perMinute(6_000) };
const SEALED = calls('attest_seal', seal.successStatus);
const MARKED = calls('mark', mark.successStatus);

const HEALTHY: Series = {
  ...ANSWERED,
  ...Object.fromEntries(
    ['storage', 'signer', 'audit_trail', 'settlement', 'log', 'witnesses'].map((id) => [component(id), constant(1)]),
  ),
  [SEALED]: perMinute(60),
  [MARKED]: perMinute(60),
  [own('avouch_log_entries')]: growing(100, 120),
  [calls('look', 503)]: perMinute(6),
  [problems('slow_down')]: perMinute(6),
  [problems('storage_unavailable')]: perMinute(6),
  [bucket('0.005')]: perMinute(6_000),
  [bucket('+Inf')]: perMinute(6_000),
  [own('avouch_storage_durable')]: constant(1),
  [own('avouch_beat_age_seconds')]: constant(3),
  [own('avouch_commit_queue')]: constant(5),
  [own('avouch_oldest_unknown_seconds')]: constant(0),
  [own('avouch_refunds_due')]: constant(0),
  [own('avouch_settler_balance_eth')]: constant(0.1),
  [own('avouch_settler_min_eth')]: constant(0.01),
  [own('avouch_trail_lines_lost')]: constant(0),
  [own('avouch_register_up', ',register="vies"')]: constant(1),
  [own('nodejs_eventloop_lag_seconds', ',quantile="0.99"')]: constant(0.01),
  [own('process_resident_memory_bytes')]: constant(200_000_000),
  [own('process_open_fds')]: constant(100),
};

/** What is seen of each fault. */
const FAULTS: readonly (readonly [alert: string, series: Series])[] = [
  ['AvouchDown', { [own('up')]: constant(0) }],
  ['AvouchComponentDown', { [component('storage')]: constant(0) }],
  ['AvouchSettlementDown', { [component('settlement')]: constant(0) }],
  [
    'AvouchSettlerGas',
    { [own('avouch_settler_balance_eth')]: constant(0.001), [own('avouch_settler_min_eth')]: constant(0.01) },
  ],
  ['AvouchLogAudit', { [component('log')]: constant(0) }],
  ['AvouchLogUnsound', { [problems('log_unsound')]: constant(1) }],
  ['AvouchNotDurable', { [own('avouch_storage_durable')]: constant(0) }],
  ['AvouchBeatLate', { [own('avouch_beat_age_seconds')]: perMinute(60) }],
  ['AvouchCommitQueue', { [own('avouch_commit_queue')]: constant(3_000) }],
  ['AvouchFaults', { ...ANSWERED, [calls('claim', 503)]: perMinute(120) }],
  [
    'AvouchSlow',
    { [bucket('0.005')]: perMinute(5_000), [bucket('1')]: perMinute(6_000), [bucket('+Inf')]: perMinute(6_000) },
  ],
  ['AvouchLoopLag', { [own('nodejs_eventloop_lag_seconds', ',quantile="0.99"')]: constant(0.3) }],
  ['AvouchUnknownSettlement', { [own('avouch_oldest_unknown_seconds')]: constant(4_000) }],
  ['AvouchRefundsDue', { [own('avouch_refunds_due')]: constant(1) }],
  ['AvouchTrailLost', { [own('avouch_trail_lines_lost')]: perMinute(1) }],
  ['AvouchRegisterDown', { [own('avouch_register_up', ',register="vies"')]: constant(0) }],
  ['AvouchWitnesses', { [component('witnesses')]: constant(0.5) }],
  ['AvouchLogStill', { [own('avouch_log_entries')]: constant(100), [SEALED]: perMinute(1) }],
  ['AvouchLogStill', { [own('avouch_log_entries')]: constant(100), [MARKED]: perMinute(1) }],
  ['AvouchMemory', { [own('process_resident_memory_bytes')]: growing(200_000_000, 600_000, MEMORY_STEPS) }],
  ['AvouchFiles', { [own('process_open_fds')]: constant(60_000) }],
  ['AvouchRefusedRate', { ...ANSWERED, [problems('slow_down')]: perMinute(3_000) }],
  ['AvouchSuspended', { [problems('suspended')]: perMinute(60) }],
];

/** Nothing is wrong with any of these. */
const SOUND: readonly (readonly [what: string, series: Series])[] = [
  ['a service that is used', HEALTHY],
  ['a log that nobody writes to', { ...ANSWERED, [own('avouch_log_entries')]: constant(100) }],
  [
    'a log that is still beside another service whose log grows',
    {
      [own('avouch_log_entries')]: constant(100),
      'avouch_log_entries{job="other",instance="b"}': growing(100, 60),
      [SEALED.replace('job="avouch"', 'job="other"')]: perMinute(60),
    },
  ],
];

function minutesOf(series: Series): number {
  return Math.max(...Object.values(series).map((values) => STEP * Number(values.split('x')[1])));
}

suite('the alerts of deploy/', { skip: missingTools('promtool') }, () => {
  let directory: string;
  before(async () => {
    directory = await temporaryDirectory();
  });
  after(() => rm(directory, { recursive: true, force: true }));

  /** Passes where exactly these alerts fire in the end. */
  function fires(cases: readonly (readonly [alerts: readonly string[], series: Series])[]): void {
    const tests = cases.map(([alerts, series]) => ({
      interval: `${STEP}m`,
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: `${minutesOf(series)}m`,
          exp_samples: alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
        },
      ],
    }));
    const file = join(directory, 'alerts.json');
    writeFileSync(file, JSON.stringify({ rule_files: [ALERTS], evaluation_interval: `${STEP}m`, tests }));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  }

  test('each fires for its fault, and no other one does', () => {
    assert.deepEqual([...new Set(FAULTS.map(([alert]) => alert))], NAMES);
    fires(FAULTS.map(([alert, series]) => [[alert], series]));
  });

  test('none fires where nothing is wrong', () => {
    fires(SOUND.map(([, series]) => [[], series]));
  });
});
