import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headlineOf } from './status-headline.ts';

type Judged = Parameters<typeof headlineOf>[0];
type Status = Judged['components'][number]['status'];

const AT = '2026-11-15T10:00:00.000Z';

function component(id: string, status: Status, given: { required?: boolean; last_check?: string | null } = {}) {
  return { id, status, required: false, since: AT, last_check: AT, latency_ms: null, detail: null, ...given };
}

function register(id: string, status: Status): Judged['registers'][number] {
  const figures = { p50_ms: null, p95_ms: null, success_5m: null, success_60m: null, last_success: null };
  return { id, status, breaker: 'closed', ...figures };
}

const WELL = [component('storage', 'up', { required: true }), component('mail', 'up')];

const STATES: readonly (readonly [what: string, state: Judged, text: string, tone: string])[] = [
  ['all is well', { status: 'operational', components: WELL, registers: [] }, 'All systems operational', 'good'],
  [
    'a register is down, which no component shows',
    { status: 'operational', components: WELL, registers: [register('eu_fsf', 'down'), register('vies', 'up')] },
    'Operational, but EU sanctions list (FSF) is down',
    'warn',
  ],
  [
    'a component was not asked yet',
    {
      status: 'operational',
      components: [...WELL, component('search', 'degraded', { last_check: null })],
      registers: [],
    },
    'No problems known so far',
    'info',
  ],
  [
    'two components are ill',
    {
      status: 'degraded',
      components: [component('settlement', 'down'), component('mail', 'degraded')],
      registers: [register('eu_fsf', 'down')],
    },
    'Degraded: Settlement is down, and 1 more',
    'warn',
  ],
  [
    'what every write needs is down',
    { status: 'outage', components: [component('storage', 'down', { required: true })], registers: [] },
    'Outage: Database is down',
    'bad',
  ],
];

for (const [what, state, text, tone] of STATES) {
  test(`the headline where ${what}: ${text}`, () => {
    const headline = headlineOf(state);
    assert.deepEqual([headline.text, headline.tone], [text, tone]);
  });
}
