import { isoTime } from '#kernel/clock.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import { statementDraft } from '#protocol/attestation/statement.ts';
import { RULES_VERSION } from '#platform/usage-rules/version.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import * as sql from './sql.ts';
import { rulesSha256 } from './usage-rules.ts';

interface RulesSealCommand {
  readonly version: string;
  readonly sha256: string;
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

interface Seal {
  readonly version: string;
  readonly sha256: string;
  readonly attestationId: string;
  readonly atMs: number;
}

interface Seals {
  readonly known: ReadonlySet<string>;
  readonly made: readonly Seal[];
}

const reads = (commands: readonly RulesSealCommand[]) => ({
  known: listed(
    sql.SEALED_VERSIONS,
    commands.map(({ version }) => version),
  ),
});

/** Seals the digest of a version of the rules, once for all processes and starts. */
const rulesSealUnit: Unit<[RulesSealCommand, null], Seals, typeof reads> = {
  name: 'rules_seal',
  reads,
  load: ({ known }) => ({ known: new Set(known.map(({ version }) => version)), made: [] }),
  decide({ known, made }, atMs, _next, { version, sha256, draft, sandbox }) {
    if (known.has(version)) return { state: { known, made }, result: null };
    const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(atMs) });
    const seal = { version, sha256, attestationId: entry.leaf.id, atMs };
    const state = { known: new Set(known).add(version), made: [...made, seal] };
    return { state, result: null, entries: [entry] };
  },
  writes: (_before, { made }) => [sql.RULES_SEAL.insert(made)],
};

/** Puts the digest of the rules in force into the public log, unless it stands there. */
export async function sealRules(store: Pick<Store, 'read' | 'run'>, sandbox: boolean): Promise<void> {
  const version = RULES_VERSION;
  const known = await store.read(sql.SEALED_VERSION, [version]);
  if (known.length > 0) return;
  const sha256 = rulesSha256(version);
  const draft = statementDraft(`usage.rules ${version} sha256:${sha256}`);
  await store.run(rulesSealUnit, { version, sha256, sandbox, draft });
}
