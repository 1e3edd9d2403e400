import { schemaOf } from '#kernel/openapi.ts';
import type { Operation } from '#kernel/operation.ts';
import { type MarkKind, RELEASE_OUTCOMES } from '#protocol/attestation/leaf-entry.ts';
import { type About, common, offersPath, rowOf } from './about.ts';

const TAGS_OF_COORDINATION = new Set(['crossing', 'bounties', 'briefs']);
/** Beside them: the free check of one spend. */
const MORE_ENDPOINTS = new Set(['check']);

const STEPS = ['/v1/look', '/v1/claim', '/v1/mark', '/v1/release'];
const RELEASE = `release with ${RELEASE_OUTCOMES.slice(0, -1).join(', ')} or ${RELEASE_OUTCOMES.at(-1)}`;

interface Lane {
  readonly lane: string;
  readonly key: string;
  readonly find: string;
  readonly how: string;
  /** What tells later agents most on this lane. */
  readonly mark_kinds: readonly MarkKind[];
}

/** Conventions for keys; no lane has endpoints of its own. */
const LANE_ROWS: readonly Lane[] = [
  {
    lane: 'bounty',
    key: 'The address of the issue.',
    find: '/v1/bounties',
    how: `Check the work key before you start, claim it shared or exclusive, and ${RELEASE}.`,
    mark_kinds: ['done', 'paid', 'unpaid', 'blocked'],
  },
  {
    lane: 'arbitrage',
    key: 'The address of the offer or endpoint that you buy from or sell to.',
    find: '/v1/look',
    how: `Check the work key with reward_usd and effort_usd to get the expected value. Claim it exclusive so that two agents do not take the same spread, and ${RELEASE}. Record whether the payer paid with a separate mark: paid or unpaid.`,
    mark_kinds: ['paid', 'unpaid', 'dead'],
  },
];
const LANES = LANE_ROWS.map((lane) => ({ ...lane, steps: STEPS, release_outcomes: RELEASE_OUTCOMES }));

/** How agents share work: endpoints, rules and lanes. */
export function coordination(about: About) {
  const { operations, crossing, protocols, eventDays, rateClasses, baseUrl, lessons } = about;
  const shown = operations.filter(
    ({ tag, operationId }) => TAGS_OF_COORDINATION.has(tag) || MORE_ENDPOINTS.has(operationId),
  );
  return {
    ...common(about, 'coordination', '/coordination/manifest'),
    endpoints: shown.map(endpoint),
    protocols: protocols.map((protocol) => ({ ...protocol, url: `${baseUrl}${String(protocol['path'])}` })),
    ...crossing,
    lease: { ...crossing.lease, ttl_s: ttlOf(about), event_days: eventDays },
    rate_classes: rateClasses,
    lanes: LANES.filter(({ find }) => offersPath(about, find)),
    lessons,
  };
}

function endpoint({ operationId, path, method, alsoPost, input, headerOnly = {}, effects }: Operation) {
  const unshown = new Set(Object.values(headerOnly));
  return {
    operation_id: operationId,
    path,
    methods: [method, ...(alsoPost ? ['post'] : [])].map((name) => name.toUpperCase()),
    params: Object.keys(input.shape).filter((name) => !unshown.has(name)),
    effect: effects ? 'write' : 'read',
  };
}

function ttlOf(about: About) {
  const ttl = rowOf(about, 'claim')?.input.shape['ttl'];
  if (ttl === undefined) return null;
  const { minimum, maximum, default: usual } = schemaOf(ttl, 'input');
  return { min: minimum, max: maximum, default: usual };
}
