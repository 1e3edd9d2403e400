import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolboxOptions } from './toolbox.ts';

type OnSeal = NonNullable<ToolboxOptions['onSeal']>;

const ID = /^ATT-[A-Z2-7]{52}$/;

/** Each seal as the file that `verify` takes, for its owner only; no file is written over. */
export function sealFiles(folder: string): OnSeal {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return (seal) => {
    const { attestation_id: id, disclosure_seed: seed } = seal;
    if (!ID.test(id)) throw new TypeError('The seal has no attestation id.'); // attacker-controlled
    try {
      const text = `${JSON.stringify(seal, null, 2)}\n`;
      writeFileSync(join(folder, `${id}.seal.json`), text, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // A rejection that is answered again comes without its seed, which only the first file has.
      const isKept = (error as NodeJS.ErrnoException).code === 'EEXIST' && seed === undefined;
      if (!isKept) throw error;
    }
  };
}
