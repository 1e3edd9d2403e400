import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createKeyFile } from '#platform/keys/key-file.ts';
import { type Cosigner, ed25519Cosigner } from '#protocol/cosignature.ts';
import { formatVkey } from '#protocol/note-key.ts';
import { WitnessDataError, WitnessState } from './state.ts';

export interface WitnessData {
  readonly state: WitnessState;
  readonly cosigner: Cosigner;
}

const KEY = 'witness';

/**
 * Opens the data directory of a witness, or makes a new one. Key and state belong together: a key that has lost its
 * state would cosign what it has refused, so neither is ever made where the other is.
 */
export function openWitnessData(directory: string, name: string): WitnessData {
  const hasKey = existsSync(join(directory, `${KEY}.pem`));
  const state = WitnessState.open(directory);
  try {
    const recorded = state.vkey();
    if (hasKey !== (recorded !== undefined)) throw new WitnessDataError(halfMissing(directory, recorded));
    const cosigner = ed25519Cosigner(name, createKeyFile(directory, KEY, undefined).privateKey);
    const vkey = formatVkey(cosigner.key);
    if (recorded === undefined) state.recordVkey(vkey);
    else if (recorded !== vkey)
      throw new WitnessDataError(`${directory} belongs to ${recorded}, and not to ${vkey}: give its own name and key`);
    return { state, cosigner };
  } catch (error) {
    state[Symbol.dispose]();
    throw error;
  }
}

function halfMissing(directory: string, recorded: string | undefined): string {
  const lost =
    recorded === undefined
      ? `${directory} holds a key and no record of what it has cosigned`
      : `${directory} holds no ${KEY}.pem, the key of ${recorded}`;
  return `${lost}: bring back the file as it last was, or start a new witness in an empty directory`;
}
