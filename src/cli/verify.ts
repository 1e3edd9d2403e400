import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type EntryResult, verifyLedgerPage, verifySealAnswer, verifyTlogProof } from '../../verify/avouch-verify.mjs';
import { type Command, type Terminal, UsageError } from './command.ts';
import { logKeysOf } from './log-client.ts';

interface Question {
  readonly vkeys: readonly string[];
  readonly attestationId: string | undefined;
  readonly ignoreClaim: boolean;
}

const TAKES = 'verify takes a file, and --vkey or --url for the key of the log';

export const verify: Command = {
  name: 'verify',
  summary: 'check a seal answer, a proof file or a ledger page without trusting the service',
  usage: 'verify <file> --vkey <vkey> | --url <url> [--id <attestation id>] [--ignore-claim]',
  examples: [
    './avouch verify seal.json --vkey attest.example/astralock+890106d5+AbcD...',
    './avouch verify ATT-E6V5....tlog-proof --url https://attest.example --id ATT-E6V5...',
  ],
  async run(args, terminal) {
    const { file, vkey, url, id, ignoreClaim } = argumentsOf(args);
    const text = await textOf(file);
    const vkeys = vkey === undefined ? await logKeysOf(url as string) : [vkey];
    if (vkey === undefined) terminal.err('the key comes from the service itself: compare it with one you trust\n');
    for (const key of vkeys) terminal.out(`key: ${key}\n`);
    const result = await resultOf(text, { vkeys, attestationId: id, ignoreClaim });
    return tell(result, terminal);
  },
};

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read`);
  }
}

function argumentsOf(args: readonly string[]) {
  const option = { type: 'string' } as const;
  const options = { vkey: option, url: option, id: option, 'ignore-claim': { type: 'boolean' } } as const;
  let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true; args: string[] }>>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    throw new UsageError(TAKES);
  }
  const { vkey, url, id, 'ignore-claim': ignoreClaim = false } = parsed.values;
  const [file, ...more] = parsed.positionals;
  if (file === undefined || more.length > 0 || (vkey === undefined) === (url === undefined))
    throw new UsageError(TAKES);
  return { file, vkey, url, id, ignoreClaim };
}

async function resultOf(text: string, { vkeys, attestationId, ignoreClaim }: Question): Promise<EntryResult> {
  if (text.startsWith('c2sp.org/tlog-proof')) return verifyTlogProof(text, vkeys, { attestationId });
  const answer = parsedJson(text);
  if (!('range_proof' in answer)) return verifySealAnswer(answer, vkeys, { attestationId, ignoreClaim });
  if (attestationId !== undefined) throw new UsageError('--id asks about one entry, and this file is a ledger page');
  return verifyLedgerPage(answer, vkeys);
}

function parsedJson(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text); // attacker-controlled
  } catch {
    throw new Error('the file is neither JSON nor a proof file: give an answer of the service or a .tlog-proof');
  }
  return typeof value === 'object' && value !== null ? value : {};
}

function tell({ valid, checks, attestationId, checkpoint }: EntryResult, terminal: Terminal): number {
  for (const { name, ok, detail } of checks) {
    const outcome = ok === null ? 'not checked' : ok ? 'ok' : 'FAILED';
    terminal.out(`${outcome.padEnd(11)} ${name}${detail === undefined ? '' : `: ${detail}`}\n`);
  }
  const subject = attestationId ?? 'the page';
  if (valid) terminal.out(`valid: ${subject} stands in ${checkpoint?.origin} of size ${checkpoint?.size}\n`);
  else terminal.out('not valid\n');
  return valid ? 0 : 1;
}
