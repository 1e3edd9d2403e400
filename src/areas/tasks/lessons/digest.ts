import { statementDraft } from '#protocol/attestation/statement.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { isoTime } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import * as sql from './sql.ts';

/** A digest as documents show it. */
export type LessonDigest = Readonly<Record<string, unknown>> & { readonly sha256: string };

interface DigestCommand {
  readonly sha256: string;
  readonly body: string;
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

interface Kept {
  readonly sha256: string;
  readonly atMs: number;
  readonly attestationId: string;
  readonly body: string;
}

interface Digests {
  readonly known: ReadonlySet<string>;
  readonly made: readonly Kept[];
}

const reads = (commands: readonly DigestCommand[]) => ({
  known: listed(
    sql.DIGESTS_OF_HASHES,
    commands.map(({ sha256 }) => sha256),
  ),
});

/** Keeps a digest and seals its hash, once. */
const digestUnit: Unit<[DigestCommand, string | null], Digests, typeof reads> = {
  name: 'lesson_digest',
  reads,
  load: ({ known }) => ({ known: new Set(known.map(({ sha256 }) => sha256)), made: [] }),
  decide({ known, made }, atMs, _next, { sha256, body, draft, sandbox }) {
    if (known.has(sha256)) return { state: { known, made }, result: null };
    const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(atMs) });
    const attestationId = entry.leaf.id;
    const state = { known: new Set(known).add(sha256), made: [...made, { sha256, atMs, attestationId, body }] };
    return { state, result: attestationId, entries: [entry] };
  },
  writes: (_before, { made }) => [sql.DIGEST.insert(made)],
};

/** Makes and seals the digest of what several lessons say; null where nothing is new since the last. */
export async function consolidate(store: Store, sandbox: boolean): Promise<string | null> {
  const found = await store.read(sql.THEMES);
  if (found.length === 0) return null;
  const themes = await Promise.all(
    found.map(async ({ theme, lessons, firstAtMs, lastAtMs }) => ({
      theme,
      count: lessons,
      first_at: isoTime(firstAtMs),
      last_at: isoTime(lastAtMs),
      source: 'agent',
      untrusted_examples: (await store.read(sql.EXAMPLES, [theme])).map(({ body }) => body.text),
    })),
  );
  const body = canonicalJson({ themes });
  const sha256 = sha256Hex(body);
  return store.run(digestUnit, { sha256, body, sandbox, draft: statementDraft(`lessons.digest sha256:${sha256}`) });
}

/** The digest that was made last: the known one where that is it, null where there is none. */
export async function newestDigest(
  store: Pick<Store, 'read'>,
  known: LessonDigest | null,
): Promise<LessonDigest | null> {
  const [newest] = await store.read(sql.NEWEST_DIGEST);
  if (newest === undefined) return null;
  const { sha256, attestationId, atMs } = newest;
  if (sha256 === known?.sha256) return known;
  const [kept] = await store.read(sql.BODY_OF_DIGEST, [sha256]);
  return { sha256, attestation_id: attestationId, made_at: isoTime(atMs), themes: kept?.body.themes };
}
