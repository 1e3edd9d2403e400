import type { z } from 'zod';
import { tlogProofLines } from '#protocol/tlog-proof.ts';
import type { Seal } from './operations.ts';

const BEYOND_ASCII = /[\u007f-\uffff]/g;

/**
 * The answer of a seal as JSON. The dash of a signed note would make all of it text of two bytes a character, which takes
 * twice as long to write and to send; so it is escaped, in the two members that hold the checkpoint.
 */
export function sealText(seal: z.output<typeof Seal>): string {
  const { entry, seq, inclusion, checkpoint } = seal;
  const note = asciiText(checkpoint);
  const others = JSON.stringify({ ...seal, checkpoint: undefined, proof: undefined }).slice(0, -1);
  const lines = tlogProofLines(entry, seq, inclusion.hashes).join('\\n');
  return `${others},"checkpoint":"${note}","proof":"${lines}${note}"}`;
}

let known = '';
let knownText = '';

/** The inside of a JSON string. All seals of one commit have the same checkpoint, so the last text is kept. */
function asciiText(checkpoint: string): string {
  if (checkpoint !== known) {
    const text = JSON.stringify(checkpoint).slice(1, -1);
    knownText = text.replace(BEYOND_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    known = checkpoint;
  }
  return knownText;
}
