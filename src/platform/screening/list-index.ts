import type { ListedEntity, ListedName, SanctionsList } from './fsf-list.ts';
import { keyHash, type KeyTable, keyTable } from './hashed-keys.ts';
import { isFull, isLooseScript, isRepeated } from './name-score.ts';
import { type NameWord, type ParsedName, parseNames } from './parsed-name.ts';
import { soundKey } from './sound-keys.ts';
import { wordTable } from './word-hashes.ts';
import { MAX_JOINED, MIN_JOINED_LETTERS } from './word-pairings.ts';
import { LEGAL_FORM_KINDS } from './word-tables.ts';

type Numbers = Int32Array<ArrayBuffer>;
type Flags = Uint8Array<ArrayBuffer>;

/** Texts in one string: text n ends at ends[n], where the next one starts. */
export interface PackedTexts {
  readonly text: string;
  readonly ends: Numbers;
}

/** Rows of numbers in one array: row n goes from starts[n] to starts[n + 1]. */
interface PackedRows {
  readonly starts: Numbers;
  readonly numbers: Numbers;
}

/** A list made searchable. Few large arrays, so that another thread can make it and hand it over without a copy. */
export interface ListIndex {
  readonly generationDate: string | null;
  /** JSON of each entity. */
  readonly entities: PackedTexts;
  /** JSON of each different word: what `tokenOf` takes. */
  readonly words: PackedTexts;
  readonly wordWeights: Float64Array<ArrayBuffer>;
  readonly firstLetters: Numbers;
  readonly letterCounts: Numbers;
  readonly masks: Numbers;
  readonly soundMasks: Numbers;
  readonly byKey: KeyTable;
  readonly bySound: KeyTable;
  /** Names that have a word. */
  readonly namesOfWord: PackedRows;
  readonly wordsOfName: PackedRows;
  /** Per word of a name: 1 when it counts against the name unless it is matched. */
  readonly isCounted: Flags;
  readonly entityOfName: Numbers;
  /** As the list writes them. */
  readonly names: PackedTexts;
  readonly isWeak: Flags;
  readonly isLoose: Flags;
  /** A bit per kind of legal form. */
  readonly legalForms: Numbers;
  readonly byJoined: KeyTable;
}

const MIN_WHOLE = 8;

/** The memory that an index lies in, to be handed over with it. */
export function buffersOf(index: ListIndex): ArrayBuffer[] {
  return Object.values(index)
    .flatMap((part: unknown) =>
      ArrayBuffer.isView(part) || typeof part !== 'object' ? [part] : Object.values(part ?? {}),
    )
    .filter((part): part is Int32Array<ArrayBuffer> => ArrayBuffer.isView(part))
    .map(({ buffer }) => buffer);
}

function packed(texts: readonly string[]): PackedTexts {
  const ends = new Int32Array(texts.length);
  let end = 0;
  for (const [at, text] of texts.entries()) {
    end += text.length;
    ends[at] = end;
  }
  return { text: texts.join(''), ends };
}

export function textAt({ text, ends }: PackedTexts, number: number): string {
  return text.slice(number === 0 ? 0 : ends[number - 1], ends[number]);
}

/** The entities of a list, read back from its index. */
export function listedEntities(texts: PackedTexts): ListedEntity[] {
  return Array.from(texts.ends, (_, number) => JSON.parse(textAt(texts, number)) as ListedEntity);
}

function packedRows(rows: readonly (readonly number[])[]): PackedRows {
  const starts = new Int32Array(rows.length + 1);
  for (const [at, row] of rows.entries()) starts[at + 1] = (starts[at] as number) + row.length;
  const numbers = new Int32Array(starts[rows.length] as number);
  for (const [at, row] of rows.entries()) numbers.set(row, starts[at]);
  return { starts, numbers };
}

/** Neighbouring words written as one: how they sound, and which they are. */
export function joinedWords(tokens: readonly NameWord[]): { sound: string; parts: readonly NameWord[] }[] {
  const words: { sound: string; parts: readonly NameWord[] }[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    let text = (tokens[at] as NameWord).spelt;
    for (let count = 2; count <= MAX_JOINED && at + count <= tokens.length; count += 1) {
      text += (tokens[at + count - 1] as NameWord).spelt;
      if (text.length >= MIN_JOINED_LETTERS) words.push({ sound: soundKey(text), parts: tokens.slice(at, at + count) });
    }
  }
  return words;
}

/** An edit leaves the beginning or the end of the whole name as it was. */
function halfHashes(joined: string, length: number): number[] {
  const half = Math.floor(length / 2) - 1;
  return [
    keyHash('b', `${length} ${joined.slice(0, half)}`),
    keyHash('e', `${length} ${joined.slice(joined.length - half)}`),
  ];
}

/** The hash by which a query as one word finds names that sound so. */
export function wholeHash({ joined }: ParsedName): number {
  return keyHash('j', soundKey(joined));
}

/** Hashes by which a query as one word finds names that may be one letter apart. */
export function nearHashes({ joined }: ParsedName): number[] {
  if (joined.length < MIN_WHOLE) return [];
  return [joined.length - 1, joined.length, joined.length + 1].flatMap((length) => halfHashes(joined, length));
}

function listedHashes({ tokens, joined }: ParsedName): number[] {
  const hashes = joinedWords(tokens).map(({ sound }) => keyHash('j', sound));
  hashes.push(keyHash('j', soundKey(joined)));
  if (joined.length >= MIN_WHOLE - 1) hashes.push(...halfHashes(joined, joined.length));
  return hashes;
}

interface Word {
  readonly token: NameWord;
  readonly number: number;
  readonly names: number[];
}

class IndexBuilder {
  readonly words: Word[] = [];
  readonly names: ParsedName[] = [];
  readonly wordsOfName: number[][] = [];
  readonly isCounted: number[] = [];
  readonly #known = new Map<NameWord, Word>();

  add(name: ParsedName): void {
    const numbers: number[] = [];
    for (const token of name.tokens) {
      const word = this.#word(token);
      numbers.push(word.number);
      if (word.names.at(-1) !== this.names.length) word.names.push(this.names.length);
      this.isCounted.push(isFull(token) && !isRepeated(name, token) ? 1 : 0);
    }
    this.wordsOfName.push(numbers);
    this.names.push(name);
  }

  #word(token: NameWord): Word {
    let word = this.#known.get(token);
    if (word === undefined) {
      word = { token, number: this.words.length, names: [] };
      this.#known.set(token, word);
      this.words.push(word);
    }
    return word;
  }
}

export function listIndex(list: SanctionsList): ListIndex {
  const builder = new IndexBuilder();
  const entityOfName: number[] = [];
  const listed: ListedName[] = [];
  for (const [entity, { names }] of list.entities.entries()) {
    for (const name of names) {
      for (const parsed of parseNames(name.name)) {
        builder.add(parsed);
        entityOfName.push(entity);
        listed.push(name);
      }
    }
  }
  const { names } = builder;
  const tokens = builder.words.map(({ token }) => token);
  return {
    generationDate: list.generationDate,
    entities: packed(list.entities.map((entity) => JSON.stringify(entity satisfies ListedEntity))),
    words: packed(
      tokens.map(({ text, script, original, kind, weight }) => JSON.stringify([text, script, original, kind, weight])),
    ),
    wordWeights: Float64Array.from(tokens, ({ weight }) => weight),
    firstLetters: Int32Array.from(tokens, ({ text }) => text.charCodeAt(0)),
    letterCounts: Int32Array.from(tokens, ({ spelt }) => spelt.length),
    masks: Int32Array.from(tokens, ({ mask }) => mask),
    soundMasks: Int32Array.from(tokens, ({ soundMask }) => soundMask),
    byKey: wordTable(tokens),
    bySound: keyTable(tokens.length, (number) => [keyHash('j', (tokens[number] as NameWord).sound)]),
    namesOfWord: packedRows(builder.words.map((word) => word.names)),
    wordsOfName: packedRows(builder.wordsOfName),
    isCounted: Uint8Array.from(builder.isCounted),
    entityOfName: Int32Array.from(entityOfName),
    names: packed(listed.map(({ name }) => name)),
    isWeak: Uint8Array.from(listed, ({ isWeak }) => (isWeak ? 1 : 0)),
    isLoose: Uint8Array.from(names, (name) => (isLooseScript(name) ? 1 : 0)),
    legalForms: Int32Array.from(names, ({ legalForms }) =>
      legalForms.reduce((bits, form) => bits | (1 << LEGAL_FORM_KINDS.indexOf(form)), 0),
    ),
    byJoined: keyTable(names.length, (number) => listedHashes(names[number] as ParsedName)),
  };
}
