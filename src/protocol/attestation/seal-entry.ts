import { canonicalJson } from '#kernel/canonical-json.ts';
import { tokenHash } from '#kernel/ids.ts';
import type { AttestationId } from './attestation-id.ts';
import type { EntryLinks } from './attestation-schema.ts';
import { type Leaf, type LeafStamp, markLeaf, releaseLeaf, sealLeaf } from './leaf.ts';
import type { MarkKind, ReleaseOutcome } from './leaf-entry.ts';
import type { FullObservation } from './observation.ts';
import type { Claim } from './schema-document.ts';
import { schemaById } from './schemas.ts';
import { type PreparedSeal, prepareSeal } from './seal.ts';
import { commitClaim } from './commitment.ts';

/** Everything of a seal that is known before its place in the log: plain data, fit for a command. */
export interface SealDraft {
  readonly prepared: PreparedSeal;
  readonly claim: Claim;
  readonly observations: readonly FullObservation[];
  /** Base64url; the holder gets it, and with it can disclose or erase. */
  readonly seed: string;
  readonly disclosure: 'holder' | 'public';
  readonly nonce: string;
}

/** A leaf and what is kept beside it, off the log and erasable. */
export interface DraftedEntry {
  readonly type: 'seal' | 'mark' | 'release';
  readonly leaf: Leaf;
  readonly record: {
    readonly schemaId: string | null;
    readonly claim: string;
    readonly seed: string;
    readonly seedSha256: string;
    readonly observations: string;
    readonly disclosure: 'holder' | 'public';
  };
  readonly links?: readonly DraftedLink[];
}

interface DraftedLink {
  readonly kind: 'corrects' | 'follows_up';
  readonly toId: AttestationId;
}

type Moment = Omit<LeafStamp, 'nonce'>;

/** The log entry of a seal at its moment. */
export function sealEntry(given: SealDraft, moment: Moment): DraftedEntry {
  const draft = notLater(given, moment.sealedAt);
  const { prepared, claim, observations, seed, disclosure, nonce } = draft;
  return {
    type: 'seal',
    leaf: sealLeaf(prepared, { ...moment, nonce }),
    record: recordOf({ schemaId: prepared.schemaId, claim, observations, seed, disclosure }),
    links: linksOf(prepared),
  };
}

function linksOf({ corrects, followsUp }: EntryLinks): DraftedLink[] {
  return [
    ...(corrects === null ? [] : [{ kind: 'corrects', toId: corrects } as const]),
    ...(followsUp === null ? [] : [{ kind: 'follows_up', toId: followsUp } as const]),
  ];
}

export interface ReleaseDraft {
  readonly claim: Claim;
  readonly fence: number;
  readonly outcome: ReleaseOutcome | null;
  readonly seed: string;
  readonly nonce: string;
}

/** The log entry of a release; its text is public, because watchers of the key see the same. */
export function releaseEntry({ claim, fence, outcome, seed, nonce }: ReleaseDraft, moment: Moment): DraftedEntry {
  const { commitment } = commitClaim(claim, Buffer.from(seed, 'base64url'));
  return {
    type: 'release',
    leaf: releaseLeaf({ fence, outcome, claimCommitment: commitment }, { ...moment, nonce }),
    record: recordOf({ schemaId: null, claim, observations: [], seed, disclosure: 'public' }),
  };
}

export interface MarkDraft {
  readonly claim: Claim;
  readonly kind: MarkKind;
  readonly seed: string;
  readonly nonce: string;
}

/** The log entry of a mark; its text is public, because whoever looks at the key sees the same. */
export function markEntry({ claim, kind, seed, nonce }: MarkDraft, moment: Moment): DraftedEntry {
  const { commitment } = commitClaim(claim, Buffer.from(seed, 'base64url'));
  return {
    type: 'mark',
    leaf: markLeaf({ kind, claimCommitment: commitment }, { ...moment, nonce }),
    record: recordOf({ schemaId: null, claim, observations: [], seed, disclosure: 'public' }),
  };
}

function recordOf(kept: {
  schemaId: string | null;
  claim: Claim;
  observations: readonly FullObservation[];
  seed: string;
  disclosure: 'holder' | 'public';
}): DraftedEntry['record'] {
  return {
    schemaId: kept.schemaId,
    claim: canonicalJson(kept.claim),
    seed: kept.seed,
    seedSha256: tokenHash(kept.seed),
    observations: canonicalJson(kept.observations),
    disclosure: kept.disclosure,
  };
}

/** The clock of the database may be behind ours: what we observed cannot be later than the seal that says so. */
function notLater(draft: SealDraft, sealedAt: string): SealDraft {
  const { prepared, claim, observations, seed } = draft;
  if (observations.every((seen) => seen.observed_at <= sealedAt)) return draft;
  const clamped = observations.map((seen) =>
    seen.observed_at <= sealedAt ? seen : { ...seen, observed_at: sealedAt },
  );
  const schema = schemaById(prepared.schemaId);
  if (schema === undefined) throw new Error(`no schema ${prepared.schemaId}`);
  const origin = prepared.origin === null ? {} : { origin: prepared.origin };
  const again = prepareSeal({ schema, claim, observations: clamped, seed: Buffer.from(seed, 'base64url'), ...origin });
  return { ...draft, observations: clamped, prepared: again };
}
