import { isoTime } from '#kernel/clock.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import { statementDraft } from '#protocol/attestation/statement.ts';
import { RULES_VERSION } from '#platform/usage-rules/version.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import { rulesSha256 } from './usage-rules.ts';

const SEALED = 'SELECT version FROM rules_seal WHERE version IN (...)';
const SEAL_INSERT = 'INSERT INTO rules_seal (version, sha256, attestation_id, at) VALUES ($1, $2, $3, $4)';

interface RulesSealCommand {
  readonly version: string;
  readonly sha256: string;
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

type Sealed = ReadonlyMap<string, readonly [sha256: string, attestationId: string, atMs: number] | null>;

/** Seals the digest of a version of the rules, once for all processes and starts. */
const rulesSealUnit: Unit<[RulesSealCommand, null], Sealed> = {
  name: 'rules_seal',
  reads: (commands) => [{ sql: SEALED, list: commands.map(({ version }) => version) }],
  load: ([rows = []]) => new Map(rows.map((row) => [row['version'] as string, null])),
  decide(state, nowMs, _next, { version, sha256, draft, sandbox }) {
    if (state.has(version)) return { state, result: null };
    const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
    const kept = [sha256, entry.leaf.id, nowMs] as const;
    return { state: new Map(state).set(version, kept), result: null, entries: [entry] };
  },
  writes: (_before, after) => [
    { sql: SEAL_INSERT, rows: [...after].flatMap(([version, kept]) => (kept === null ? [] : [[version, ...kept]])) },
  ],
};

/** Puts the digest of the rules in force into the public log, unless it stands there. */
export async function sealRules(store: Pick<Store, 'read' | 'run'>, sandbox: boolean): Promise<void> {
  const version = RULES_VERSION;
  const known = await store.read('SELECT version FROM rules_seal WHERE version = $1', [version]);
  if (known.length > 0) return;
  const sha256 = rulesSha256(version);
  const draft = statementDraft(`usage.rules ${version} sha256:${sha256}`);
  await store.run(rulesSealUnit, { version, sha256, sandbox, draft });
}
