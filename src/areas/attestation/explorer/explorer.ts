import { DAY_MS, isoTime } from '#kernel/clock.ts';
import { FileResponse } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { LogHead, PublicLog, StoredEntry } from '#platform/log/public-log.ts';
import type { LeafEntry } from '#protocol/attestation/leaf-entry.ts';
import type { EntryAnswer, EntryRow, ExplorerAnswer, HeadsAnswer, VerifyAnswer } from './explorer-answers.ts';
import * as problems from '../problems.ts';
import { sealFacts } from '../facts.ts';
import { entryNotFound } from '../proof-file.ts';
import type { Verifications } from '../verifications.ts';

/** What a text refers to: the entry behind it, or where else more is said of it. */
type FindReference = (text: string) => Promise<{
  readonly kind: string;
  readonly found: { readonly entry: string | null; readonly url: string } | undefined;
}>;

export interface ExplorerOptions {
  readonly log: PublicLog;
  readonly verifications: Pick<Verifications, 'verify'>;
  readonly find: FindReference;
  readonly keys: () => readonly {
    readonly scope: string;
    readonly keyId: string;
    readonly publicKey: string;
    readonly role: 'root' | 'legacy';
  }[];
  readonly baseUrl: () => string;
}

const PAGE_ENTRIES = 25;
/** How many entries one page of a filtered list looks at. */
const SEARCHED_ENTRIES = 10_000;
/** How far back the sizes at which the log was signed are listed. */
const LISTED_BACK = 200;
const MAX_SIZES = 20;
const DIGEST = /^[0-9a-f]{64}$/;

interface ExplorerInput {
  readonly q?: string | undefined;
  readonly before?: number | undefined;
  readonly kind?: string | undefined;
  readonly verdict?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

type Filter = Omit<NonNullable<ExplorerAnswer['filter']>, 'searched'>;

/** The log as people read it. */
export class Explorer {
  readonly #options: ExplorerOptions;

  constructor(options: ExplorerOptions) {
    this.#options = options;
  }

  async show({ q, before, ...given }: ExplorerInput): Promise<ExplorerAnswer> {
    const { log } = this.#options;
    const head = await log.follow();
    const end = Math.min(before ?? head.size, head.size);
    const filter = filterOf(given);
    const text = q?.trim() ?? '';
    return {
      origin: log.origin,
      tree_size: head.size,
      root_hash: head.rootHex,
      timestamp: isoTime(await log.checkpointAtMs(head.size)),
      ...(filter === undefined ? await this.#newest(end) : await this.#filtered(filter, head.size, end)),
      search: text === '' ? null : await this.#search(text),
    };
  }

  async #newest(to: number): Promise<Pick<ExplorerAnswer, 'entries' | 'before'>> {
    const from = Math.max(0, to - PAGE_ENTRIES);
    const entries = await this.#options.log.entries(from, to);
    return { entries: entries.toReversed().map(rowOf), before: from === 0 ? null : from };
  }

  /** Searches a bounded part of the log, so that a rare kind costs no more than a common one. */
  async #filtered(filter: Filter, size: number, end: number) {
    const { log } = this.#options;
    const { kind, verdict, from, to } = filter;
    const first = from === null ? 0 : await this.#firstAtOrAfter(`${from}T00:00:00.000Z`, size);
    const last = to === null ? size : await this.#firstAtOrAfter(isoTime(Date.parse(to) + DAY_MS), size);
    const upTo = Math.max(first, Math.min(end, last));
    const start = Math.max(first, upTo - SEARCHED_ENTRIES);
    const isType = kind === 'mark' || kind === 'release';
    const members = isType ? { type: kind } : { schema_id: kind ?? undefined };
    const found = await log.entriesWith(start, upTo, { ...members, verdict: verdict ?? undefined });
    const shown = found.slice(0, PAGE_ENTRIES);
    const next = found.length > shown.length ? (shown.at(-1)?.seq ?? start) : start;
    return {
      entries: shown.map(rowOf),
      before: next > first ? next : null,
      filter: { ...filter, searched: { from_seq: next, to_seq: upTo } },
    };
  }

  /** The number of the first entry that was sealed at this time or later: times never decrease. */
  async #firstAtOrAfter(iso: string, size: number): Promise<number> {
    let [low, high] = [0, size];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [entry] = await this.#options.log.entries(middle, middle + 1);
      if ((JSON.parse(entry?.leaf ?? '{}') as LeafEntry).sealed_at < iso) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async entry(ref: string): Promise<EntryAnswer | Refusal> {
    const { log, verifications, baseUrl } = this.#options;
    const stored = ref.startsWith('ATT-') ? await log.entryOf(ref) : await this.#at(Number(ref));
    if (stored === undefined) return entryNotFound();
    const answer = await verifications.verify(stored.attestationId);
    if (answer instanceof Refusal) return answer;
    if (answer instanceof FileResponse) throw new Error('a verification came as a file');
    return {
      ...answer,
      leaf_hash: stored.leafHashHex,
      vkeys: log.allVkeys(),
      verify_url: `${baseUrl()}/api/attest/verify/${stored.attestationId}`,
    };
  }

  /** By default the newest head and the one that was signed before it. */
  async heads({ older, newer }: { older?: number | undefined; newer?: number | undefined }) {
    const { log } = this.#options;
    const { size } = await log.follow();
    const listed = await log.checkpoints(Math.max(0, size - LISTED_BACK), size);
    const sizes = [...listed.keys()].toSorted((a, b) => b - a);
    const second = newer ?? size;
    const first = older ?? sizes.find((one) => one < second) ?? second;
    const [from, to] = [Math.min(first, second), Math.max(first, second)];
    const heads = to > size ? [] : [await log.headOf(from), await log.headOf(to)];
    const [olderHead, newerHead] = heads;
    if (olderHead === undefined || newerHead === undefined) return this.#noCheckpoint(first, second, size);
    return {
      origin: log.origin,
      vkeys: log.allVkeys(),
      older: await this.#head(olderHead),
      newer: await this.#head(newerHead),
      hashes: log.consistencyProof(from, to),
      sizes: sizes.slice(0, MAX_SIZES),
    } satisfies HeadsAnswer;
  }

  async #noCheckpoint(older: number, newer: number, treeSize: number): Promise<Refusal> {
    const { log } = this.#options;
    const missing = [];
    for (const [name, size] of Object.entries({ older, newer })) {
      if (size <= treeSize && (await log.headOf(size)) !== undefined) continue;
      missing.push({ name, size, nearest: await log.signedSizesNextTo(size) });
    }
    const detail = missing
      .map(({ size, nearest }) => `The log was not signed at size ${size}. Nearest: ${nearest.join(' and ')}.`)
      .join(' ');
    return new Refusal(problems.noCheckpoint, { detail, members: { older, newer, tree_size: treeSize, missing } });
  }

  async verifyKeys(example?: NonNullable<VerifyAnswer['example']>['name']): Promise<VerifyAnswer> {
    const { log, keys, baseUrl } = this.#options;
    const text = example === undefined ? undefined : await this.#exampleText(example);
    return {
      origin: log.origin,
      vkeys: log.allVkeys(),
      receipt_keys: keys()
        .filter(({ scope }) => scope === 'receipts')
        .map(({ keyId, publicKey, role }) => ({ key_id: keyId, public_key: publicKey, role })),
      verifier: `${baseUrl()}/verify/avouch-verify.mjs`,
      ...(example !== undefined && text !== undefined && { example: { name: example, text } }),
    };
  }

  /** The first entry declares the log's key in clear, so every log has it and nothing in it is private. */
  async #exampleText(name: NonNullable<VerifyAnswer['example']>['name']): Promise<string> {
    const entry = await this.entry('0');
    if (entry instanceof Refusal) throw new Error('the log has no first entry');
    const { attestation_id, seq, type, schema_id, verdict, sealed_at, claim, inclusion, checkpoint } = entry;
    const facts = { attestation_id, seq, type, schema_id, verdict, sealed_at, claim };
    const file = { ...facts, entry: entry.entry, inclusion, checkpoint };
    return JSON.stringify(name === 'tampered' ? { ...file, ...backdated(file) } : file, null, 2);
  }

  async #search(text: string): Promise<NonNullable<ExplorerAnswer['search']>> {
    const { log, find } = this.#options;
    const digest = text.toLowerCase();
    if (DIGEST.test(digest)) {
      const entries = await log.entriesOfDigest(digest);
      return { q: text, kind: 'digest', found: entries.length > 0, entries: entries.map(rowOf), url: null };
    }
    const { kind, found } = await find(text);
    const entry = found?.entry == null ? undefined : await log.entryOf(found.entry);
    const url = entry === undefined && found !== undefined ? found.url : null;
    return { q: text, kind, found: found !== undefined, entries: entry === undefined ? [] : [rowOf(entry)], url };
  }

  async #at(seq: number): Promise<StoredEntry | undefined> {
    const { log } = this.#options;
    const { size } = await log.follow();
    return seq < size ? (await log.entries(seq, seq + 1))[0] : undefined;
  }

  async #head({ size, rootHex, checkpoint }: LogHead): Promise<HeadsAnswer['older']> {
    const timestamp = isoTime(await this.#options.log.checkpointAtMs(size));
    return { tree_size: size, root_hash: rootHex, timestamp, checkpoint };
  }
}

/** Undefined where nothing is filtered: `all` and blanks come from forms. */
function filterOf({ kind, verdict, from, to }: Omit<ExplorerInput, 'q' | 'before'>): Filter | undefined {
  const chosen = (text: string | undefined) => (text === undefined || text === '' || text === 'all' ? null : text);
  const filter = { kind: chosen(kind), verdict: chosen(verdict), from: chosen(from), to: chosen(to) };
  return Object.values(filter).some((value) => value !== null) ? (filter as Filter) : undefined;
}

/** The same entry with a date one year earlier, as somebody would write it who wants to have been first. */
function backdated({ entry, sealed_at: at }: Pick<EntryAnswer, 'entry' | 'sealed_at'>) {
  const earlier = String(at).replace(/^\d{4}/, (year) => String(Number(year) - 1));
  const text = Buffer.from(entry, 'base64').toString('utf8').replace(String(at), earlier);
  return { sealed_at: earlier, entry: Buffer.from(text).toString('base64') };
}

function rowOf({ seq, attestationId, leaf }: StoredEntry): EntryRow {
  const entry = JSON.parse(leaf) as LeafEntry;
  const { type, schema_id, verdict } = sealFacts(entry);
  return {
    seq,
    attestation_id: attestationId,
    type: type ?? 'seal',
    schema_id,
    verdict,
    sealed_at: entry.sealed_at,
  };
}
