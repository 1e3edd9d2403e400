import type { WitnessPolicy } from '#protocol/witness-policy.ts';
import { type KnownCheckpoint, type KnownLog, latestKnown, type WitnessReply } from './witness-client.ts';

/** What a witness of the policy remembers of a log. */
export interface WitnessMemory {
  readonly name: string;
  readonly answer: KnownCheckpoint | 'never' | 'unreachable';
}

/** What the start of a process could hold its log against: a data directory that was put back whole agrees with itself. */
export type Continuity = 'witness' | 'data_directory' | 'not_checked' | 'contradicted';

/** Asks every witness with an address what it cosigned last of a log. */
export function witnessMemories(
  policy: WitnessPolicy,
  log: KnownLog,
  get: (url: string) => Promise<WitnessReply>,
): Promise<WitnessMemory[]> {
  const targets = policy.witnesses.flatMap(({ name, key, url }) => (url === null ? [] : [{ name, key, url }]));
  return Promise.all(
    targets.map(async (target) => ({ name: target.name, answer: await latestKnown(target, log, get) })),
  );
}

/** A newer key may have been lost with the entries, so that the start is stopped all the same. */
const DOUBT =
  '. No key that is known here signed them: if this database is the newest, the witness is not honest, and its line in AVOUCH_WITNESS_POLICY_FILE has to go';

interface HeldLog {
  readonly origin: string;
  readonly size: number;
  /** The root of its first entries; undefined where that is not known. */
  readonly rootHexAt: (size: number) => string | undefined;
}

export interface Contradiction {
  readonly what: string;
  /** A key of this log has signed what the witness shows. */
  readonly isSigned: boolean;
}

/**
 * Why a log is not the one that witnesses remember; null where none says so. They sign what they show, so that more
 * entries, or other ones, were there once: to go on would give numbers and fences a second time.
 */
export function contradictionOf(memories: readonly WitnessMemory[], held: HeldLog): Contradiction | null {
  for (const { name, answer } of memories) {
    if (typeof answer === 'string') continue;
    const { known, rootHex, isSigned } = answer;
    const says = (what: string): Contradiction => ({
      what: `witness ${name} has cosigned ${what}`,
      isSigned: isSigned === true,
    });
    if (known > held.size) {
      const cure = 'restore the newest database, and serve no older copy of the data directory at the same time';
      const doubt = isSigned === false ? DOUBT : '';
      return says(`${known} entries of ${held.origin}, the database holds ${held.size}: ${cure}${doubt}`);
    }
    const own = held.rootHexAt(known);
    if (own !== undefined && own !== rootHex) {
      const cure = 'two copies of one data directory went on; serve the one that the witness knows';
      return says(`other first ${known} entries of ${held.origin} than the database holds: ${cure}`);
    }
  }
  return null;
}

/** How many witnesses remember something of the log. */
export function rememberedBy(memories: readonly WitnessMemory[]): string[] {
  return memories.filter(({ answer }) => typeof answer === 'object' && answer.known > 0).map(({ name }) => name);
}
