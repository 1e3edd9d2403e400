import { statementDraft } from '#protocol/attestation/statement.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { isoTime } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Store, Unit } from '#platform/storage/store.ts';

const MAX_THEMES = 50;
const MAX_EXAMPLES = 3;

const THEMES = `SELECT theme, COUNT(*) AS lessons, MIN(at) AS first_at, MAX(at) AS last_at FROM lesson
  GROUP BY theme HAVING COUNT(*) > 1 ORDER BY COUNT(*) DESC, theme LIMIT ${MAX_THEMES}`;
const EXAMPLES = `SELECT body FROM lesson WHERE theme = $1 ORDER BY at, id LIMIT ${MAX_EXAMPLES}`;
const KNOWN = 'SELECT sha256 FROM lesson_digest WHERE sha256 IN (...)';
const DIGEST_INSERT = 'INSERT INTO lesson_digest (sha256, at, attestation_id, body) VALUES ($1, $2, $3, $4)';

const NEWEST = 'SELECT sha256, at, attestation_id FROM lesson_digest ORDER BY at DESC, sha256 LIMIT 1';
const BODY = 'SELECT body FROM lesson_digest WHERE sha256 = $1';

/** A digest as documents show it. */
export type LessonDigest = Readonly<Record<string, unknown>> & { readonly sha256: string };

interface DigestCommand {
  readonly sha256: string;
  readonly body: string;
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

type Digests = ReadonlyMap<string, readonly [atMs: number, attestationId: string, body: string] | null>;

/** Keeps a digest and seals its hash, once. */
const digestUnit: Unit<[DigestCommand, string | null], Digests> = {
  name: 'lesson_digest',
  reads: (commands) => [{ sql: KNOWN, list: commands.map(({ sha256 }) => sha256) }],
  load: ([rows = []]) => new Map(rows.map((row) => [row['sha256'] as string, null])),
  decide(state, nowMs, _next, { sha256, body, draft, sandbox }) {
    if (state.has(sha256)) return { state, result: null };
    const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
    const kept = [nowMs, entry.leaf.id, body] as const;
    return { state: new Map(state).set(sha256, kept), result: entry.leaf.id, entries: [entry] };
  },
  writes: (_before, after) => [
    { sql: DIGEST_INSERT, rows: [...after].flatMap(([sha256, kept]) => (kept === null ? [] : [[sha256, ...kept]])) },
  ],
};

/** Makes and seals the digest of what several lessons say; null where nothing is new since the last. */
export async function consolidate(store: Store, sandbox: boolean): Promise<string | null> {
  const rows = await store.read(THEMES);
  if (rows.length === 0) return null;
  const themes = await Promise.all(
    rows.map(async (row) => ({
      theme: row['theme'],
      count: Number(row['lessons']),
      first_at: isoTime(Number(row['first_at'])),
      last_at: isoTime(Number(row['last_at'])),
      source: 'agent',
      untrusted_examples: (await store.read(EXAMPLES, [row['theme'] as string])).map(
        (one) => (JSON.parse(one['body'] as string) as { text: string }).text,
      ),
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
  const [newest] = await store.read(NEWEST);
  if (newest === undefined) return null;
  const sha256 = newest['sha256'] as string;
  if (sha256 === known?.sha256) return known;
  const [{ body = '{}' } = {}] = await store.read(BODY, [sha256]);
  const { themes } = JSON.parse(body as string) as { themes: unknown };
  return { sha256, attestation_id: newest['attestation_id'], made_at: isoTime(Number(newest['at'])), themes };
}
