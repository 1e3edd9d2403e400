import { readFile } from 'node:fs/promises';
import {
  coseKeysIn,
  type CoseResult,
  verifyConsistencyReceipt,
  verifyInclusionReceipt,
} from '#protocol/cose-receipt.ts';
import { cleanText } from '#kernel/foreign-text.ts';
import { ProtocolError } from '#protocol/protocol-error.ts';
import { tellChecks } from './checks.ts';
import type { Output } from './line/output.ts';
import { InputError, UsageError } from './line/spec.ts';

type Values = Readonly<Record<string, string | undefined>>;

/** Verifies a COSE receipt offline, with the bytes and keys that the caller has. */
export async function verifyCose(file: string, values: Values, output: Output): Promise<number> {
  const { entry, root, key, issuer: iss, log: sub } = values;
  if (key === undefined) throw new UsageError('Missing --key <file>: the COSE keys that you trust.');
  if ((entry === undefined) === (root === undefined)) throw new UsageError('Pass --entry or --root, not both.');
  if (root !== undefined && !/^[0-9a-f]{64}$/i.test(root)) throw new UsageError('--root must be 64 hex digits.');
  const receipt = await bytesOf(file);
  const log = { ...(iss !== undefined && { iss }), ...(sub !== undefined && { sub }) };
  const trust = { keys: read(key, await bytesOf(key), coseKeysIn), log };
  const verify = await verifier(entry, root);
  return tell(
    read(file, receipt, (bytes) => verify(bytes, trust)),
    output,
  );
}

async function verifier(entry: string | undefined, root: string | undefined) {
  if (entry === undefined) {
    const older = Buffer.from(root ?? '', 'hex');
    return (bytes: Uint8Array, trust: Trust) => verifyConsistencyReceipt(bytes, older, trust);
  }
  const leaf = await bytesOf(entry);
  return (bytes: Uint8Array, trust: Trust) => verifyInclusionReceipt(bytes, leaf, trust);
}

type Trust = Parameters<typeof verifyInclusionReceipt>[2];

function read<T>(file: string, bytes: Uint8Array, reader: (bytes: Uint8Array) => T): T {
  try {
    return reader(bytes);
  } catch (error) {
    if (error instanceof ProtocolError) throw new InputError(`${file} cannot be read: ${error.message}.`);
    throw error;
  }
}

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch {
    throw new InputError(`Cannot read ${file}.`);
  }
}

function tell({ valid, checks, log, size, at }: CoseResult, output: Output): number {
  tellChecks(checks, output);
  const name = `${cleanText(log.sub)} of ${cleanText(log.iss)} (${size} entries; the signature does not cover the size)`;
  output.result({ valid, log, size, at, checks }, valid ? `Verified: log ${name}\n` : 'Verification failed\n');
  return valid ? 0 : 1;
}
