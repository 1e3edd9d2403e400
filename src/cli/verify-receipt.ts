import { type ReceiptResult, verifyReceipt as checkReceipt } from '../../verify/avouch-verify.mjs';
import { cleanText } from '#kernel/foreign-text.ts';
import { fingerprintQuery } from '#protocol/payment/request-fingerprint.ts';
import { KEY_OF_SERVICE, tellChecks } from './checks.ts';
import { exactObjectIn, textOfFile } from './input-file.ts';
import type { Output } from './line/output.ts';
import { type Run, UsageError } from './line/spec.ts';
import { receiptKeysOf } from './log-client.ts';

export const verifyReceipt: Run = async ({ operands, values: { key, url, request }, flags }, output) => {
  const [file] = operands as [string];
  if (key === undefined && url === undefined) {
    throw new UsageError('Missing --key <public key> (a key you trust), or --url <url> to fetch it.');
  }
  if (key !== undefined && url !== undefined) throw new UsageError('Pass --key or --url, not both.');
  const asked = request === undefined ? undefined : requestOf(request);
  const notJson = `${file} is not JSON. Use a receipt, or a response that contains one.`;
  const answer = exactObjectIn(await textOfFile(file), { file, notJson });
  const keys = key === undefined ? await receiptKeysOf(url as string) : [key];
  if (key === undefined) output.warn(KEY_OF_SERVICE('--key'));
  const receipt = answer['receipt'];
  const checked = await checkReceipt(receipt ?? answer, {
    keys,
    sandbox: flags.has('sandbox'),
    ...(receipt !== undefined && { answer }),
    ...(asked !== undefined && { request: asked }),
  });
  return tell(checked, output);
};

function requestOf(text: string) {
  const [path = '', query = ''] = text.split(/\?(.*)/s);
  if (!path.startsWith('/'))
    throw new UsageError('--request must be a path and query, such as /v1/eu-vat-check?vat_number=NL1.');
  return { method: 'GET', path, query: fingerprintQuery(new URLSearchParams(query)) };
}

/** The last line and the exit status of each outcome. Only 0 says that the response is the one that was signed. */
const ENDS: Readonly<Record<ReceiptResult['outcome'], { readonly line: string; readonly status: number }>> = {
  valid: { line: 'Receipt verified', status: 0 },
  invalid: { line: 'Verification failed', status: 1 },
  answer_not_given: {
    line: 'Signature valid, no response given. Verify the whole response instead of its receipt.',
    status: 3,
  },
  answer_not_covered: {
    line: 'Signature valid, response not covered: the receipt does not say what it signs.',
    status: 3,
  },
  signer_not_known: { line: 'Signature valid, signer not known.', status: 3 },
};

function tell({ valid, outcome, checks, receipt, uncovered = [] }: ReceiptResult, output: Output): number {
  tellChecks(checks, output);
  if (uncovered.length > 0) output.line(`not signed  ${cleanText(uncovered.join(' '))}`);
  const { line, status } = ENDS[outcome];
  const isAsked = checks.some(({ name, ok }) => name === 'request_sha256' && ok === true);
  const id = receipt?.['receipt_id'];
  const about = `: ${cleanText(String(id))}${isAsked ? '' : ', request not compared (pass --request)'}`;
  output.result(
    { valid, outcome, receipt_id: typeof id === 'string' ? id : null, request_compared: isAsked, checks, uncovered },
    `${line}${outcome === 'valid' ? about : ''}\n`,
  );
  return status;
}
