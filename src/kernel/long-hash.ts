import { runningSha256, sha256Hex } from './ids.ts';

/** So much is hashed in a millisecond or two. */
const TURN_BYTES = 1_048_576;

/** As `sha256Hex`, of a text that may be megabytes: other calls have their turns in between. */
export async function sha256HexInTurns(text: string): Promise<string> {
  if (text.length <= TURN_BYTES) return sha256Hex(text);
  const bytes = Buffer.from(text);
  const digest = runningSha256();
  for (let from = 0; from < bytes.length; from += TURN_BYTES) {
    digest.update(bytes.subarray(from, from + TURN_BYTES));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return digest.hex();
}
