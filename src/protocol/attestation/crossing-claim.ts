import type { Claim } from './schema-document.ts';

/** What the entry of a mark commits to: note and evidence only as far as they were given. */
export function markClaim(mark: { key: string; agent: string; note: string | null; evidence: string | null }): Claim {
  return {
    key: mark.key,
    agent: mark.agent,
    ...(mark.note === null ? {} : { note: mark.note }),
    ...(mark.evidence === null ? {} : { evidence: mark.evidence }),
  };
}

/** What the entry of a release commits to. */
export function releaseClaim(release: { key: string; agent: string; lease: string }): Claim {
  return { key: release.key, agent: release.agent, lease: release.lease };
}
