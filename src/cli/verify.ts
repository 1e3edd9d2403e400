import { readFile } from 'node:fs/promises';
import { isAttestationId } from '#protocol/attestation/attestation-id.ts';
import { walkChain } from '#protocol/attestation/correction-chain.ts';
import { type EntryResult, verifyLedgerPage, verifySealAnswer, verifyTlogProof } from '../../verify/avouch-verify.mjs';
import { givenArguments } from './arguments.ts';
import { tellChecks } from './checks.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { callOperation, logKeysOf, objectIn, serviceUrl } from './log-client.ts';

interface Question {
  readonly vkeys: readonly string[];
  readonly attestationId: string | undefined;
  readonly ignoreClaim: boolean;
}

interface Given {
  readonly subject: string;
  readonly vkey: string | undefined;
  readonly url: string | undefined;
  readonly id: string | undefined;
  readonly ignoreClaim: boolean;
}

const USAGE_ERROR = 'verify takes a file, and --vkey or --url for the key of the log; or an attestation id';

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'check a seal answer, a proof file or a ledger page without trusting the service; an id is fetched first',
  usage:
    'verify <file> --vkey <vkey> | --url <url> [--id <attestation id>] [--ignore-claim]\n       ./avouch verify <attestation id> [--url <url>] [--vkey <vkey>]',
  examples: [
    './avouch verify seal.json --vkey attest.example/astralock+890106d5+AbcD...',
    './avouch verify ATT-E6V5....tlog-proof --url https://attest.example --id ATT-E6V5...',
    './avouch verify ATT-E6V5YUMJRAFE3HZG3JGSRTZPZ42GISEAMANQPA7O56S3WAMZQRFA --url https://attest.example',
  ],
  async run(args, terminal) {
    const given = argumentsOf(args);
    return isAttestationId(given.subject) ? verifyId(given, terminal) : verifyFile(given, terminal);
  },
};

async function verifyFile({ subject: file, vkey, url, id, ignoreClaim }: Given, terminal: Terminal): Promise<number> {
  if ((vkey === undefined) === (url === undefined)) throw new UsageError(USAGE_ERROR);
  const text = await textOf(file);
  const vkeys = await keysOf(vkey, url as string, terminal);
  return tell(await resultOf(text, { vkeys, attestationId: id, ignoreClaim }), terminal);
}

/** The answer is fetched, and then believed as little as one that came in a file. */
async function verifyId({ subject: id, vkey, url: given }: Given, terminal: Terminal): Promise<number> {
  const url = serviceUrl(given, terminal.env);
  const fetched = (one: string) => callOperation(url, 'attest_verify', { attestation_id: one });
  const answer = await fetched(id);
  const vkeys = await keysOf(vkey, url, terminal);
  // A public claim comes without its seed, which only its holder has.
  const code = tell(await verifySealAnswer(answer, vkeys, { attestationId: id, ignoreClaim: true }), terminal);
  const { ids, isCut } = await walkChain(id, async (one) => {
    return correctionIn(one === id ? answer : await fetched(one));
  });
  if (ids.length > 1) terminal.out(`superseded by: ${ids.slice(1).join(', ')}${isCut ? ', and further' : ''}\n`);
  return code;
}

/** The newest of the corrections, by the word of the service: each can be verified by its own id. */
function correctionIn({ superseded_by: list }: Record<string, unknown>): string | undefined {
  const newest: unknown = Array.isArray(list) ? list.at(-1) : undefined;
  return isAttestationId(newest) ? newest : undefined;
}

async function keysOf(vkey: string | undefined, url: string, terminal: Terminal): Promise<readonly string[]> {
  const vkeys = vkey === undefined ? await logKeysOf(url) : [vkey];
  if (vkey === undefined) terminal.err('the key comes from the service itself: compare it with one you trust\n');
  for (const key of vkeys) terminal.out(`key: ${key}\n`);
  return vkeys;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read`);
  }
}

function argumentsOf(args: readonly string[]): Given {
  const taken = { values: ['vkey', 'url', 'id'], flags: ['ignore-claim'] };
  const { positionals, values, flags } = givenArguments(args, taken, USAGE_ERROR);
  const [subject, ...more] = positionals;
  if (subject === undefined || more.length > 0) throw new UsageError(USAGE_ERROR);
  if (isAttestationId(subject) && values['id'] !== undefined) throw new UsageError('--id belongs to a file');
  const { vkey, url, id } = values;
  return { subject, vkey, url, id, ignoreClaim: flags.has('ignore-claim') };
}

async function resultOf(text: string, { vkeys, attestationId, ignoreClaim }: Question): Promise<EntryResult> {
  if (text.startsWith('c2sp.org/tlog-proof')) return verifyTlogProof(text, vkeys, { attestationId });
  const answer = parsedJson(text);
  if (!('range_proof' in answer)) return verifySealAnswer(answer, vkeys, { attestationId, ignoreClaim });
  if (attestationId !== undefined) throw new UsageError('--id asks about one entry, and this file is a ledger page');
  return verifyLedgerPage(answer, vkeys);
}

function parsedJson(text: string): object {
  try {
    JSON.parse(text); // attacker-controlled
  } catch {
    throw new Error('the file is neither JSON nor a proof file: give an answer of the service or a .tlog-proof');
  }
  return objectIn(text) ?? {};
}

/** Shows every check and gives the exit code. */
function tell({ valid, checks, attestationId, checkpoint }: EntryResult, terminal: Terminal): number {
  tellChecks(checks, terminal);
  const subject = attestationId ?? 'the page';
  if (valid) terminal.out(`valid: ${subject} stands in ${checkpoint?.origin} of size ${checkpoint?.size}\n`);
  else terminal.out('not valid\n');
  return valid ? 0 : 1;
}
