// A verifier of COSE receipts that shares nothing with ours: Debian's cbor2 and cryptography for Python.
import { spawnSync } from 'node:child_process';

const PROGRAM = new URL('cose-judge.py', import.meta.url).pathname;
const PYTHON = ['python3', '/usr/bin/python3'].find(
  (python) => spawnSync(python, ['-c', 'import cbor2, cryptography']).status === 0,
);

export const COSE_JUDGE_SKIP =
  PYTHON === undefined && 'python3-cbor2 and python3-cryptography are not installed: the Python judge is not asked';

export interface CoseCase {
  readonly receipt: string;
  /** A COSE_Key set. */
  readonly keys: string;
  readonly iss: string;
  readonly sub: string;
  /** Of an inclusion receipt. */
  readonly entry?: string;
  /** The older root, for a consistency receipt. */
  readonly root?: string;
}

export function pythonVerdicts(cases: readonly CoseCase[]): boolean[] {
  const input = cases.map((one) => JSON.stringify(one)).join('\n');
  const { stdout, stderr, status } = spawnSync(PYTHON ?? '', [PROGRAM], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the Python judge failed: ${stderr}`);
  return JSON.parse(stdout) as boolean[];
}
