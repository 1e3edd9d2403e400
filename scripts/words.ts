// node scripts/words.ts [part of a path ...]: phrases that readers stumble over, in documents and in what the program says.
import { EXCEPTIONS } from './words/exceptions.ts';
import { findingsIn } from './words/findings.ts';
import { documentTexts, programTexts } from './words/texts.ts';

const wanted = process.argv.slice(2);
const texts = [...documentTexts(), ...programTexts()].filter(
  ({ place }) => wanted.length === 0 || wanted.some((part) => place.includes(part)),
);
const { findings, unused } = findingsIn(texts, EXCEPTIONS);
for (const { place, phrase, instead, text } of findings) {
  console.log(`${place}: "${phrase}" (better: ${instead}): ${text.trim().replaceAll(/\s+/g, ' ').slice(0, 160)}`);
}
const stale = wanted.length === 0 ? unused : [];
for (const { place, text } of stale) console.log(`${place}: the exception for "${text}" is not needed any more`);
console.log(`words: ${texts.length} texts, ${findings.length} findings`);
process.exitCode = findings.length + stale.length === 0 ? 0 : 1;
