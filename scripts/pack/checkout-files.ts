import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

export type Versions = Readonly<Record<string, string>>;

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly type: 'module';
  readonly dependencies?: Versions | undefined;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions | undefined;
  readonly peerDependencies?: Versions | undefined;
}

export function rootManifest(): Manifest {
  return JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as Manifest;
}
