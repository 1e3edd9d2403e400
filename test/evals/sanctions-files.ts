// Sets of the sanctions evaluation that lie in files: pairs, names in their original script, a mangler, innocents.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { readCsv } from '#kernel/csv.ts';
import type { SanctionsList } from '#platform/screening/fsf-list.ts';
import { Dice } from '#platform/screening/quality/common-names.ts';
import type { ListedQuery } from '#platform/screening/quality/quality.ts';
import type { LabelledPair } from './sanctions-data.ts';

const PairsFile = z.object({
  pairs: z.array(
    z.object({ id: z.string(), class: z.string(), query: z.string(), listed: z.string(), same: z.boolean() }),
  ),
});
const NamesFile = z.object({ names: z.array(z.string()) });

function json(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Which part of a set a row belongs to: 70 of 100 may be looked at while rules are written, the others follow or do not. */
export function partOf(id: string): 'seen' | 'unseen' {
  return createHash('sha256').update(id).digest().readUInt16BE(0) % 10 < 7 ? 'seen' : 'unseen';
}

export function pairsOfFile(file: string): (LabelledPair & { readonly id: string })[] {
  return PairsFile.parse(json(file)).pairs.map((pair) => ({
    id: pair.id,
    left: pair.query,
    right: pair.listed,
    isMatch: pair.same,
    group: pair.class,
  }));
}

export function namesOfFile(file: string): string[] {
  return NamesFile.parse(json(file)).names;
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Names as their bearers write them, with the entities of the list that bear the Latin name beside it. */
export function originalNames(directory: string, list: SanctionsList): Map<string, ListedQuery[]> {
  const file = join(directory, 'original-scripts', 'un-names-dev.csv');
  const sets = new Map<string, ListedQuery[]>();
  if (!existsSync(file)) return sets;
  const idsByName = new Map<string, string>();
  for (const { id, names } of list.entities)
    for (const { name } of names) if (id.startsWith('UN.')) idsByName.set(lettersOf(name), id);
  for (const [kind = '', original = '', latin = ''] of readCsv(readFileSync(file, 'utf8')).rows.slice(1)) {
    const id = idsByName.get(lettersOf(latin));
    if (id === undefined) throw new Error(`The list has no ${latin}`);
    const set = sets.get(kind) ?? [];
    set.push({ text: original, id, kind: partOf(original) });
    sets.set(kind, set);
  }
  return sets;
}

/** A module that changes names in ways of its own: undefined, or the name as it was, where a way does not fit. */
interface Mangler {
  readonly KINDS: readonly string[] | Readonly<Record<string, unknown>>;
  readonly mangle: (name: string, kind: string, random: () => number) => string | null | undefined;
}

const TRIES_PER_QUERY = 40;

/** Up to `count` different listed names of two words or more per kind of change. */
export async function mangledBy(file: string, list: SanctionsList, seed: number, count: number) {
  const { KINDS, mangle } = (await import(pathToFileURL(resolve(file)).href)) as Mangler;
  const entities = list.entities
    .map(({ id, names }) => ({ id, names: names.filter(({ name, isWeak }) => !isWeak && /\S\s+\S/.test(name)) }))
    .filter(({ names }) => names.length > 0);
  const dice = new Dice(seed);
  const queries: ListedQuery[] = [];
  for (const kind of Array.isArray(KINDS) ? (KINDS as readonly string[]) : Object.keys(KINDS)) {
    const made = new Map<string, ListedQuery>();
    for (let turn = 0; turn < count * TRIES_PER_QUERY && made.size < count; turn += 1) {
      const { id, names } = dice.of(entities);
      const { name } = dice.of(names);
      const text = mangle(name, kind, () => dice.next());
      if (typeof text === 'string' && text.trim() !== '' && text !== name)
        made.set(`${id} ${text}`, { text, id, kind });
    }
    queries.push(...made.values());
  }
  return queries;
}
