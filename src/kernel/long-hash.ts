import { runningHash, sha256Hex } from './ids.ts';

/** So much is hashed in a millisecond or two. */
const TURN_LENGTH = 1_048_576;

/** The SHA-256 of bytes, or of a text as UTF-8, that may be megabytes: other calls have their turns in between. */
export async function sha256HexInTurns(content: string | Uint8Array): Promise<string> {
  if (typeof content === 'string' && content.length <= TURN_LENGTH) return sha256Hex(content);
  return hexInTurns('sha256', content);
}

/** As sha256HexInTurns, by either algorithm. */
export async function hexInTurns(algorithm: 'sha256' | 'sha512', content: string | Uint8Array): Promise<string> {
  const digest = runningHash(algorithm);
  for (let from = 0, to = 0; from < content.length; from = to) {
    to = endOfTurn(content, from);
    digest.update(typeof content === 'string' ? Buffer.from(content.slice(from, to)) : content.subarray(from, to));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return digest.hex();
}

/** A character of two code units is not taken apart. */
function endOfTurn(content: string | Uint8Array, from: number): number {
  const end = from + TURN_LENGTH;
  const isWithin = typeof content === 'string' && (content.codePointAt(end - 1) ?? 0) > 0xffff;
  return isWithin ? end + 1 : end;
}
