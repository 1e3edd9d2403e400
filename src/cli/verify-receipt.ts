import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type ReceiptResult, verifyReceipt as checkReceipt } from '../../verify/avouch-verify.mjs';
import { parseExactJson } from '#kernel/exact-json.ts';
import { cleanText } from '#kernel/foreign-text.ts';
import { fingerprintQuery } from '#protocol/payment/request-fingerprint.ts';
import { tellChecks } from './checks.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { receiptKeysOf } from './log-client.ts';

const USAGE_ERROR = 'verify-receipt takes a file, and --key or --url for the key of the receipts';

type Json = Readonly<Record<string, unknown>>;

export const verifyReceiptCommand: Command = {
  name: 'verify-receipt',
  summary: 'check an answer with its receipt without trusting the service',
  usage: 'verify-receipt <file> --key <public key> | --url <url> [--request <path and query>] [--sandbox]',
  examples: [
    './avouch verify-receipt answer.json --key 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    "./avouch verify-receipt answer.json --url https://avouch.example --request '/v1/eu-vat-check?vat_number=NL1'",
  ],
  async run(args, terminal) {
    const { file, key, url, request, sandbox } = argumentsOf(args);
    const answer = await jsonOf(file);
    const keys = key === undefined ? await receiptKeysOf(url as string) : [key];
    if (key === undefined) terminal.err('the key comes from the service itself: compare it with one you trust\n');
    const { receipt } = answer as { receipt?: unknown };
    const checked = await checkReceipt(receipt ?? answer, {
      keys,
      sandbox,
      ...(receipt !== undefined && { answer }),
      ...(request !== undefined && { request: requestOf(request) }),
    });
    return tell(checked, terminal);
  },
};

function argumentsOf(args: readonly string[]) {
  const option = { type: 'string' } as const;
  const options = { key: option, url: option, request: option, sandbox: { type: 'boolean' } } as const;
  let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true; args: string[] }>>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    throw new UsageError(USAGE_ERROR);
  }
  const { key, url, request, sandbox = false } = parsed.values;
  const [file, ...more] = parsed.positionals;
  if (file === undefined || more.length > 0 || (key === undefined) === (url === undefined))
    throw new UsageError(USAGE_ERROR);
  return { file, key, url, request, sandbox };
}

async function jsonOf(file: string): Promise<Json> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read`);
  }
  let read: ReturnType<typeof parseExactJson>;
  try {
    read = parseExactJson(text);
  } catch {
    throw new Error('the file is not JSON: give a receipt, or an answer of the service that holds one');
  }
  const [odd] = read.faults;
  if (odd !== undefined) throw new Error(`the file says two things: ${odd.pointer} ${odd.detail}`);
  return typeof read.value === 'object' && read.value !== null ? (read.value as Json) : {};
}

function requestOf(text: string) {
  const [path = '', query = ''] = text.split(/\?(.*)/s);
  if (!path.startsWith('/'))
    throw new UsageError('--request takes path and query, as in /v1/eu-vat-check?vat_number=NL1');
  return { method: 'GET', path, query: fingerprintQuery(new URLSearchParams(query)) };
}

/** The last line and the exit status of each outcome. Only 0 says that the answer is the one that was signed. */
const ENDS: Readonly<Record<ReceiptResult['outcome'], { readonly line: string; readonly status: number }>> = {
  valid: { line: 'valid', status: 0 },
  invalid: { line: 'not valid', status: 1 },
  answer_not_given: {
    line: 'signature valid, no answer given: give the whole answer instead of its receipt',
    status: 3,
  },
  answer_not_covered: {
    line: 'signature valid, answer not covered: the receipt does not say what it signs',
    status: 3,
  },
  signer_not_known: { line: 'signature valid, signer not known', status: 3 },
};

function tell({ outcome, checks, receipt, uncovered = [] }: ReceiptResult, terminal: Terminal): number {
  tellChecks(checks, terminal);
  if (uncovered.length > 0) terminal.out(`not signed  ${cleanText(uncovered.join(' '))}\n`);
  const { line, status } = ENDS[outcome];
  const isAsked = checks.some(({ name, ok }) => name === 'request_sha256' && ok === true);
  const about = `: ${String(receipt?.['receipt_id'])}${isAsked ? '' : ', request not compared (--request)'}`;
  terminal.out(`${line}${outcome === 'valid' ? about : ''}\n`);
  return status;
}
