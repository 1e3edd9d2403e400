// Writes src/platform/usage-rules/look-alikes.ts from the Unicode table of confusable characters (UTS #39).
//   npm pack unhomoglyph@1.0.6 && tar xzf unhomoglyph-1.0.6.tgz   # in a temporary folder
//   node scripts/generate-look-alikes.ts <folder>/package/data.json
import { readFileSync, writeFileSync } from 'node:fs';

const TARGET = new URL('../src/platform/usage-rules/look-alikes.ts', import.meta.url);
const [, , file] = process.argv;
if (file === undefined) throw new Error('give the path of data.json, a map from each character to what it looks like');
const prototypes = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;

/** Letters that the Unicode table keeps apart and a reader takes for these: small capitals, phonetic and Greek ones. */
const NEAR: Readonly<Record<string, string>> = {
  ...{
    ᴀ: 'a',
    ʙ: 'b',
    ᴅ: 'd',
    ᴇ: 'e',
    ɛ: 'e',
    ꞓ: 'e',
    ɢ: 'g',
    ʜ: 'h',
    ɪ: 'i',
    ᴊ: 'j',
    ᴋ: 'k',
    ĸ: 'k',
    ʟ: 'l',
    ᴍ: 'm',
    ʍ: 'm',
  },
  ...{
    ɴ: 'n',
    ᴎ: 'n',
    ᴘ: 'p',
    ʀ: 'r',
    ᴙ: 'r',
    ꜱ: 's',
    ᴛ: 't',
    ᴜ: 'u',
    ʏ: 'y',
    ᴢ: 'z',
    ɯ: 'w',
    ω: 'w',
    ѡ: 'w',
    ш: 'w',
    π: 'n',
    п: 'n',
  },
  ...{
    и: 'n',
    й: 'n',
    я: 'r',
    λ: 'l',
    μ: 'u',
    β: 'b',
    б: 'b',
    в: 'b',
    θ: 'o',
    δ: 'd',
    ζ: 'z',
    ξ: 'e',
    χ: 'x',
    κ: 'k',
    э: 'e',
    з: 'e',
  },
  ...{ ց: 'g', ե: 'e', ա: 'w', տ: 'u', ք: 'p', ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ı: 'i', ŧ: 't', ƙ: 'k', ɓ: 'b', ɗ: 'd' },
};

const letterOf = new Map<string, string>();
const characters = new Set(
  [...Object.keys(prototypes), ...Object.keys(NEAR)].flatMap((one) => [one, one.toLowerCase()]),
);
for (const character of characters) {
  // Case folding, compatibility forms and accents are taken off before the table is asked.
  if (
    Array.from(character).length !== 1 ||
    character.normalize('NFKD').toLowerCase() !== character ||
    character <= '\u007f'
  )
    continue;
  if (!/\p{L}|\p{N}|\p{S}/u.test(character)) continue;
  const letter = latin(character, 4);
  if (letter !== null) letterOf.set(character, letter);
}

function latin(character: string, steps: number): string | null {
  const like = NEAR[character] ?? prototypes[character] ?? prototypes[character.toUpperCase()];
  const plain = (like ?? character).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  if (/^[a-z]$/.test(plain)) return plain;
  return steps === 0 || like === undefined || Array.from(plain).length !== 1 ? null : latin(plain, steps - 1);
}

const rows = Object.groupBy(
  [...letterOf].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ([, letter]) => letter,
);
const lines = Object.entries(rows)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([letter, pairs = []]) => `  ${letter}: '${pairs.map(([character]) => character).join('')}',\n`);
writeFileSync(
  TARGET,
  `// Made by scripts/generate-look-alikes.ts. Source and licence: docs/dependencies.md.

/** Characters of lower case that a reader takes for a Latin letter. */
export const LOOK_ALIKES: Readonly<Record<string, string>> = {\n${lines.join('')}};\n`,
);
console.log(`${letterOf.size} characters`);
