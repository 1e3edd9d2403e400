import { isAttestationId } from '#protocol/attestation/attestation-id.ts';
import { walkChain } from '#protocol/attestation/correction-chain.ts';
import { type EntryResult, verifyLedgerPage, verifySealAnswer, verifyTlogProof } from '../../verify/avouch-verify.mjs';
import { KEY_OF_SERVICE, tellChecks } from './checks.ts';
import { exactObjectIn, textOfFile } from './input-file.ts';
import type { Output } from './line/output.ts';
import { type Run, UsageError } from './line/spec.ts';
import { verifyCose } from './verify-cose.ts';
import { callOperation, logKeysOf } from './log-client.ts';
import { serviceUrl } from './service-url.ts';

interface Question {
  readonly file: string;
  readonly vkeys: readonly string[];
  readonly attestationId: string | undefined;
  readonly ignoreClaim: boolean;
}

interface Request {
  readonly subject: string;
  readonly vkey: string | undefined;
  readonly url: string | undefined;
  readonly id: string | undefined;
  readonly ignoreClaim: boolean;
}

const COSE_OPTIONS = ['entry', 'root', 'key', 'issuer', 'log'];
const OTHER_OPTIONS = ['vkey', 'url', 'id', 'ignore-claim'];

export const verify: Run = async ({ operands, values, flags }, output) => {
  const [subject] = operands as [string];
  const { vkey, url, id } = values;
  const isGiven = (name: string) => values[name] !== undefined || flags.has(name);
  if (flags.has('cose')) {
    const misplaced = OTHER_OPTIONS.find(isGiven);
    if (misplaced !== undefined) throw new UsageError(`--${misplaced} does not belong to --cose.`);
    return verifyCose(subject, values, output);
  }
  const misplaced = COSE_OPTIONS.find(isGiven);
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} belongs to --cose.`);
  const request = { subject, vkey, url, id, ignoreClaim: flags.has('ignore-claim') };
  return isAttestationId(subject) ? verifyId(request, output) : verifyFile(request, output);
};

async function verifyFile({ subject: file, vkey, url, id, ignoreClaim }: Request, output: Output): Promise<number> {
  if (vkey === undefined && url === undefined) {
    throw new UsageError('Missing --vkey <vkey> (a key you trust), or --url <url> to fetch the key.');
  }
  if (vkey !== undefined && url !== undefined) throw new UsageError('Pass --vkey or --url, not both.');
  const text = await textOfFile(file);
  const vkeys = await keysOf(vkey, url as string, output);
  const result = await resultOf(text, { file, vkeys, attestationId: id, ignoreClaim });
  return tell(result, { vkeys, corrections: [], isCut: false }, output);
}

/** The response is fetched, and then believed as little as one that came in a file. */
async function verifyId({ subject: id, vkey, url: given, id: other }: Request, output: Output): Promise<number> {
  if (other !== undefined) throw new UsageError('--id belongs to a file. Leave it out.');
  const url = serviceUrl(given, output.env);
  const fetched = (one: string) => callOperation(url, 'attest_verify', { attestation_id: one });
  const answer = await fetched(id);
  const vkeys = await keysOf(vkey, url, output);
  // A public claim comes without its seed, which only its holder has.
  const result = await verifySealAnswer(answer, vkeys, { attestationId: id, ignoreClaim: true });
  const { ids, isCut } = await walkChain(id, async (one) => {
    return correctionIn(one === id ? answer : await fetched(one));
  });
  return tell(result, { vkeys, corrections: ids.slice(1), isCut }, output);
}

/** The newest of the corrections, by the word of the service: each can be verified by its own id. */
function correctionIn({ superseded_by: list }: Record<string, unknown>): string | undefined {
  const newest: unknown = Array.isArray(list) ? list.at(-1) : undefined;
  return isAttestationId(newest) ? newest : undefined;
}

async function keysOf(vkey: string | undefined, url: string, output: Output): Promise<readonly string[]> {
  const vkeys = vkey === undefined ? await logKeysOf(url) : [vkey];
  if (vkey === undefined) output.warn(KEY_OF_SERVICE('--vkey'));
  for (const key of vkeys) output.line(`key: ${key}`);
  return vkeys;
}

const NOT_JSON = 'The file is neither JSON nor a proof file. Use the output of `avouch seal` or a .tlog-proof file.';

async function resultOf(text: string, { file, vkeys, attestationId, ignoreClaim }: Question): Promise<EntryResult> {
  if (text.startsWith('c2sp.org/tlog-proof')) return verifyTlogProof(text, vkeys, { attestationId });
  const answer = exactObjectIn(text, { file, notJson: NOT_JSON });
  if (!('range_proof' in answer)) return verifySealAnswer(answer, vkeys, { attestationId, ignoreClaim });
  if (attestationId !== undefined)
    throw new UsageError('--id names one entry, and this file is a ledger page. Leave it out.');
  return verifyLedgerPage(answer, vkeys);
}

interface Verified {
  readonly vkeys: readonly string[];
  /** Later entries that correct this one, by the word of the service. */
  readonly corrections: readonly string[];
  readonly isCut: boolean;
}

/** Shows every check and gives the exit code. */
function tell(result: EntryResult, { vkeys, corrections, isCut }: Verified, output: Output): number {
  const { valid, checks, attestationId = null, checkpoint } = result;
  tellChecks(checks, output);
  const subject = attestationId ?? 'the ledger page';
  const superseded =
    corrections.length === 0 ? '' : `Superseded by: ${corrections.join(', ')}${isCut ? ' and more' : ''}\n`;
  const verdict = valid
    ? `Verified: ${subject} is in log ${checkpoint?.origin} (${checkpoint?.size} entries)\n`
    : 'Verification failed\n';
  const log = checkpoint === undefined ? null : { origin: checkpoint.origin, size: Number(checkpoint.size) };
  output.result(
    { valid, attestation_id: attestationId, log, keys: vkeys, checks, superseded_by: corrections },
    `${verdict}${superseded}`,
  );
  return valid ? 0 : 1;
}
