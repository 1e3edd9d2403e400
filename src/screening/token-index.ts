import { HashedKeys, keyHash, neighbourHashes } from './hashed-keys.ts';
import type { Token } from './parsed-name.ts';
import { koreanKey } from './sound-keys.ts';
import { likenessOf } from './token-similarity.ts';

export interface SimilarToken {
  readonly token: number;
  readonly similarity: number;
}

const CACHE_SIZE = 50_000;
const MIN_SKELETON = 3;
const PREFIX_LETTERS = 4;
const KOREAN_LETTERS = 6;
/** Longer words are compared by their beginning only; the limit keeps hostile words cheap. */
const LONGEST_KEY = 18;

function isVowelless({ script }: Token): boolean {
  return script === 'arabic' || script === 'hebrew';
}

/** Equal hashes mean that some rule may see a likeness; without one no rule does. */
function hashesOf(token: Token): number[] {
  if (token.kind === 'initial') return [keyHash('i', token.text)];
  const text = token.text.slice(0, LONGEST_KEY);
  const sound = token.sound.slice(0, LONGEST_KEY);
  const hashes = [...neighbourHashes('t', text, 1), ...neighbourHashes('s', sound, sound.length > 3 ? 2 : 1)];
  if (token.symbol !== undefined) hashes.push(keyHash('n', token.symbol));
  if (token.skeleton.length >= MIN_SKELETON) hashes.push(keyHash('k', token.skeleton));
  if (token.text.length >= PREFIX_LETTERS) hashes.push(keyHash('p', token.text.slice(0, PREFIX_LETTERS)));
  if (token.script === 'hangul' || token.text.length <= KOREAN_LETTERS)
    hashes.push(keyHash('h', koreanKey(token.text)));
  if (token.text.startsWith('abd')) hashes.push(keyHash('t', token.text.slice(3)));
  return hashes;
}

function consonantHashes(token: Token, kind: string): number[] {
  return token.consonants.flatMap((key) => neighbourHashes(kind, key.slice(0, LONGEST_KEY), 1));
}

/** Finds the listed words that are like a queried one. */
export class TokenIndex {
  readonly #tokens: readonly Token[];
  readonly #keys: HashedKeys;
  readonly #cache = new Map<string, readonly SimilarToken[]>();

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#keys = new HashedKeys(
      tokens.map((token, number) => {
        const own = consonantHashes(token, isVowelless(token) ? 'v' : 'l');
        return [[...hashesOf(token), ...own], number] as const;
      }),
    );
  }

  similarTo(token: Token): readonly SimilarToken[] {
    const cacheKey = `${token.kind} ${token.script} ${token.text} ${token.consonants[0]}`;
    const cached = this.#cache.get(cacheKey);
    if (cached !== undefined) return cached;
    const similar = this.#search(token);
    if (this.#cache.size >= CACHE_SIZE) this.#cache.delete(this.#cache.keys().next().value as string);
    this.#cache.set(cacheKey, similar);
    return similar;
  }

  #search(token: Token): SimilarToken[] {
    const candidates = new Set<number>();
    const add = (number: number) => void candidates.add(number);
    for (const hash of hashesOf(token)) this.#keys.each(hash, add);
    this.#keys.each(keyHash('i', token.text.slice(0, 1)), add);
    for (const hash of consonantHashes(token, isVowelless(token) ? 'l' : 'v')) this.#keys.each(hash, add);
    const found: SimilarToken[] = [];
    for (const number of candidates) {
      const likeness = likenessOf(token, this.#tokens[number] as Token);
      if (likeness !== undefined) found.push({ token: number, similarity: likeness.similarity });
    }
    return found.sort((a, b) => b.similarity - a.similarity || a.token - b.token);
  }
}
