// A witness in a few lines, and the file that makes a service ask it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCheckpoint } from '#protocol/checkpoint.ts';
import { type Cosigner, ed25519Cosigner } from '#protocol/cosignature.ts';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';
import { verifyConsistency } from '#protocol/merkle.ts';
import { parseNote } from '#protocol/note.ts';
import { formatVkey } from '#protocol/note-key.ts';
import type { WitnessOutcome } from '#platform/log/witness-client.ts';
import type { AskWitness, WitnessQuestion } from '#platform/log/witnessing.ts';

/** Cosigns whatever continues what it saw last; `mood` makes it misbehave. */
export class TestWitness {
  readonly vkey: string;
  readonly name: string;
  mood: 'well' | 'silent' | 'lying' = 'well';
  #seen: { size: bigint; root: Uint8Array } = { size: 0n, root: new Uint8Array(32) };
  readonly #cosigner: Cosigner;

  constructor(number: number) {
    this.name = `w${number}`;
    this.#cosigner = ed25519Cosigner(`w${number}.example`, ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(number)));
    this.vkey = formatVkey(this.#cosigner.key);
  }

  answer({ checkpoint, rememberedSize, consistencyProof, nowSeconds }: WitnessQuestion): WitnessOutcome {
    if (this.mood === 'silent') throw new Error('no answer');
    const { text } = parseNote(checkpoint);
    const { size, root } = parseCheckpoint(text);
    const { size: first, root: firstRoot } = this.#seen;
    if (BigInt(rememberedSize) !== first) return { outcome: 'behind', detail: '409', knownSize: Number(first) };
    const proof =
      first === 0n ? [] : consistencyProof(rememberedSize, Number(size)).map((hash) => Buffer.from(hash, 'base64'));
    const isSame = first === 0n || verifyConsistency({ first, second: size, firstRoot, secondRoot: root, proof });
    if (!isSame) return { outcome: 'refused', detail: '422' };
    this.#seen = { size, root };
    const signature = this.#cosigner.cosign(this.mood === 'lying' ? text.replace('\n', 'x\n') : text, nowSeconds);
    return { outcome: 'cosigned', signature, timeSeconds: BigInt(nowSeconds), size: Number(size) };
  }
}

/** What a service needs to be witnessed: the policy file as a setting, and the way to ask. */
export function witnessedBy(
  directory: string,
  witnesses: readonly TestWitness[],
  quorum: number,
): { env: Record<string, string>; askWitness: AskWitness } {
  const file = join(directory, 'witness-policy');
  const lines = witnesses.map(({ name, vkey }) => `witness ${name} ${vkey} https://${name}.example/`);
  const names = witnesses.map(({ name }) => name).join(' ');
  writeFileSync(file, `# witnesses\n${lines.join('\n')}\ngroup g ${quorum} ${names}\nquorum g\n`);
  return {
    env: { AVOUCH_WITNESS_POLICY_FILE: file, AVOUCH_WITNESS_EVERY_S: '1' },
    askWitness: async (question) => {
      const witness = witnesses.find(({ name }) => name === question.target.name);
      if (witness === undefined) throw new Error('no such witness');
      return witness.answer(question);
    },
  };
}
