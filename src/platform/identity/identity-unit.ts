import { DAY_MS } from '#kernel/clock.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Unit } from '#platform/storage/store.ts';
import { as, integer, listed, table, text } from '#platform/storage/table.ts';

/** Since when an agent signs its calls without breaking a usage rule. */
interface SignedIdentity {
  readonly agentUrl: string;
  readonly sinceMs: number;
  readonly seenMs: number;
}

export interface SeenIdentity {
  readonly agentUrl: string;
  /** It broke a usage rule: its time begins anew. */
  readonly restarts: boolean;
}

const IDENTITY = table(
  'signed_identity',
  { agent_url: as('agentUrl', text()), since: as('sinceMs', integer()), seen: as('seenMs', integer()) },
  { key: ['agent_url'], changes: ['since', 'seen'] },
);
const IDENTITIES_OF = IDENTITY.select('WHERE agent_url IN (...)');
export const IDENTITY_EXPIRY = IDENTITY.expiring({ by: ['seen'], keptMs: 30 * DAY_MS });

type State = VersionedMap<string, SignedIdentity>;

const reads = (commands: readonly SeenIdentity[]) => ({
  identities: listed(IDENTITIES_OF, new Set(commands.map(({ agentUrl }) => agentUrl))),
});

/** Gives since when the identity is known. */
export const identityUnit: Unit<[SeenIdentity, number], State, typeof reads> = {
  name: 'identity',
  reads,
  load: ({ identities }) => VersionedMap.by(identities, ({ agentUrl }) => agentUrl),
  decide(state, nowMs, _next, { agentUrl, restarts }) {
    const known = restarts ? undefined : state.get(agentUrl);
    const sinceMs = known?.sinceMs ?? nowMs;
    return { state: state.with(agentUrl, { agentUrl, sinceMs, seenMs: nowMs }), result: sinceMs };
  },
  writes: (before, after) => IDENTITY.diff(before, after),
};
