import { isoTime } from '#kernel/clock.ts';
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
/** How far back the sizes at which the log was signed are listed. */
const LISTED_BACK = 200;
const MAX_SIZES = 20;
const DIGEST = /^[0-9a-f]{64}$/;

/** The log as people read it. */
export class Explorer {
  readonly #options: ExplorerOptions;

  constructor(options: ExplorerOptions) {
    this.#options = options;
  }

  async show({ q, before }: { q?: string | undefined; before?: number | undefined }): Promise<ExplorerAnswer> {
    const { log } = this.#options;
    const head = await log.follow();
    const to = Math.min(before ?? head.size, head.size);
    const from = Math.max(0, to - PAGE_ENTRIES);
    const entries = await log.entries(from, to);
    const text = q?.trim() ?? '';
    return {
      origin: log.origin,
      tree_size: head.size,
      root_hash: head.rootHex,
      timestamp: isoTime(await log.checkpointAtMs(head.size)),
      entries: entries.toReversed().map(rowOf),
      before: from === 0 ? null : from,
      search: text === '' ? null : await this.#search(text),
    };
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
    if (olderHead === undefined || newerHead === undefined) {
      return new Refusal(problems.noCheckpoint, { detail: 'No checkpoint was signed at one of these sizes.' });
    }
    return {
      origin: log.origin,
      vkeys: log.allVkeys(),
      older: await this.#head(olderHead),
      newer: await this.#head(newerHead),
      hashes: log.consistencyProof(from, to),
      sizes: sizes.slice(0, MAX_SIZES),
    } satisfies HeadsAnswer;
  }

  verifyKeys(): VerifyAnswer {
    const { log, keys, baseUrl } = this.#options;
    return {
      origin: log.origin,
      vkeys: log.allVkeys(),
      receipt_keys: keys()
        .filter(({ scope }) => scope === 'receipts')
        .map(({ keyId, publicKey, role }) => ({ key_id: keyId, public_key: publicKey, role })),
      verifier: `${baseUrl()}/verify/avouch-verify.mjs`,
    };
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
