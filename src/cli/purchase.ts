import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyReceipt } from '../../verify/avouch-verify.mjs';
import { readConfig } from '#platform/config/config.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { randomBytes } from '#kernel/ids.ts';
import { formatMicro } from '#kernel/money.ts';
import { asSentence } from '#kernel/sentence.ts';
import { type PayingKey, payingKey } from '#protocol/payment/account.ts';
import { decodeChallengeHeader, decodeSettleHeader, encodeHeader } from '#protocol/payment/header.ts';
import { hexOf, isBytes32 } from '#protocol/payment/hex.ts';
import { isInUsdc, payableEntry, signPayment } from '#protocol/payment/payment-signing.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import { fingerprintQuery } from '#protocol/payment/request-fingerprint.ts';
import type { PaymentRequired, PaymentRequirements } from '#protocol/payment/wire.ts';
import { CHAIN_FOLDER } from '../sandbox/chain-place.ts';
import { ensureBuyerKey } from '../sandbox/chain/buyer-key.ts';
import { SANDBOX_TOKEN_NAME } from '../sandbox/chain/sandbox-contracts.ts';
import { repeatNote } from './idempotency-key.ts';
import type { Output } from './line/output.ts';
import { objectIn, receiptKeysOf } from './log-client.ts';
import { checkOffer } from './offer-check.ts';
import { SpendLedger, type SpendRecord } from './spend-ledger.ts';

/** What is to be bought, and how much it may cost. */
export interface PayArguments {
  readonly url: URL;
  readonly maxAtomic: bigint;
  readonly dailyMaxAtomic: bigint;
  /** Undefined: the sandbox buyer of this installation pays. */
  readonly keyFile: string | undefined;
  readonly isDryRun: boolean;
  readonly idempotencyKey: string;
}

const TIMEOUT_MS = 90_000;
const LEDGER_FILE = 'spend-ledger.ndjson';

/** A challenge that was read, and what it costs to answer it. */
interface Asking {
  readonly asked: PayArguments;
  readonly challenge: PaymentRequired;
  readonly chosen: PaymentRequirements;
  /** Public keys of the service. */
  readonly keys: readonly string[];
  readonly clock: Clock;
  readonly dataDir: string;
}

/** Nothing is bought, and this is why. */
class NotBought extends Error {
  override readonly name = 'NotBought';
}

/** Told each step: what it is, and what was found. */
type TellStep = (step: string, text: string) => void;

interface Steps {
  readonly tell: TellStep;
  readonly output: Output;
}

/** What came back. */
export interface Bought {
  /** False where the service refused, or signed something else. */
  readonly isGood: boolean;
  /** Undefined where nothing was asked for but the price. */
  readonly answer?: { readonly status: number; readonly text: string };
}

/** Looks at the price, buys within the limits and checks the receipt, and tells of each step. */
export async function purchase(asked: PayArguments, steps: Steps): Promise<Bought> {
  const { tell, output } = steps;
  const { dataDir } = readConfig(output.env);
  const response = await call(asked.url.href, { headers: { 'Idempotency-Key': asked.idempotencyKey } });
  if (response.status !== 402) return tellUnpaid(response, asked, tell);
  const asking = await readAsking(response, { asked, dataDir, clock: systemClock() });
  const { chosen, challenge } = asking;
  tell('price', `${usdc(chosen.amount)} ${String(chosen.extra['name'])} on ${chosen.network}, to ${chosen.payTo}`);
  tell('for', challenge.resource.url);
  requireSigned(asking, tell);
  const key = payerOf(asking);
  requireWithinMax(asking);
  if (asked.isDryRun) {
    tell('dry run', 'nothing was signed or paid');
    return { isGood: true };
  }
  return buy(asking, key, steps);
}

async function readAsking(
  { headers, body }: Response,
  parts: Pick<Asking, 'asked' | 'dataDir' | 'clock'>,
): Promise<Asking> {
  await body?.cancel(); // the header says it all
  const challenge = decodeChallengeHeader(headers.get('PAYMENT-REQUIRED') ?? '');
  const chosen = challenge && payableEntry(challenge);
  if (challenge === undefined || chosen === undefined) {
    throw new NotBought('The service asks for a form of payment that this command does not support. Nothing was paid.');
  }
  const keys = await receiptKeysOf(parts.asked.url.origin).catch(() => []);
  return { ...parts, challenge, chosen, keys };
}

function requireSigned({ asked, challenge, chosen, keys, clock }: Asking, tell: TellStep): void {
  const nowSeconds = Math.floor(clock.now() / 1000);
  const offer = checkOffer({ challenge, chosen, url: challenge.resource.url, keys, nowSeconds });
  if (offer.state === 'failed')
    throw new NotBought(`The offer does not match its signature: ${offer.why}. Nothing was paid.`);
  const isOther = new URL(challenge.resource.url, asked.url).pathname !== asked.url.pathname;
  if (isOther) throw new NotBought(`The price is for another address, ${challenge.resource.url}. Nothing was paid.`);
  tell('offer', offer.state === 'ok' ? 'signed by the service' : 'not signed');
}

/** The key of the sandbox pays nothing but test money. */
function payerOf({ asked, dataDir, chosen }: Asking): PayingKey {
  if (asked.keyFile !== undefined) {
    const key = readKey(asked.keyFile);
    if (!isBytes32(key)) throw new NotBought('The key file must contain a private key: 0x and 64 hex digits.');
    return payingKey(key);
  }
  if (chosen.extra['name'] !== SANDBOX_TOKEN_NAME) {
    throw new NotBought('This costs real money. Pass --key <file> to choose the paying key.');
  }
  // There from the first moment of a sandbox; its buyer comes later, unless it is made here.
  if (!existsSync(join(dataDir, CHAIN_FOLDER))) {
    throw new NotBought(
      `There is no sandbox buyer in ${dataDir}. Start the sandbox there first, or pass --key <file>.`,
    );
  }
  return ensureBuyerKey(dataDir);
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new NotBought(`Cannot read ${path}.`);
  }
}

/** Every limit is in USDC, so the price has to be. */
function requireWithinMax({ asked, chosen }: Asking): void {
  if (!isInUsdc(chosen)) throw new NotBought(`The price is in an unknown token, ${chosen.asset}. Nothing was paid.`);
  if (BigInt(chosen.amount) <= asked.maxAtomic) return;
  throw new NotBought(`The price is above --max ${formatMicro(Number(asked.maxAtomic))}. Nothing was paid.`);
}

async function buy(asking: Asking, key: PayingKey, steps: Steps): Promise<Bought> {
  const { asked, chosen, clock, dataDir } = asking;
  const ledger = new SpendLedger(join(dataDir, LEDGER_FILE));
  const spend: SpendRecord = { id: asked.idempotencyKey, amountAtomic: BigInt(chosen.amount), to: chosen.payTo };
  if (!ledger.take(spend, asked.dailyMaxAtomic, clock.now())) {
    throw new NotBought('This would exceed --daily-max. Nothing was paid.');
  }
  const before = await balanceOf(asking, key);
  if (before !== undefined) steps.tell('balance before', usdc(before));
  const signature = await signatureFor(asking, key);
  try {
    return await sendPayment(asking, { key, signature }, steps);
  } catch (error) {
    const why = asSentence(error instanceof Error ? error.message : String(error));
    throw new Error(`${why} ${MAY_BE_MADE} ${repeatWith(asked)}`, { cause: error });
  }
}

/** Whoever has the signature can use it, whatever they answer: it stays in the day's sum. */
async function sendPayment(
  asking: Asking,
  { key, signature }: { readonly key: PayingKey; readonly signature: string },
  { tell, output }: Steps,
): Promise<Bought> {
  const { asked } = asking;
  const headers = { 'Idempotency-Key': asked.idempotencyKey, 'PAYMENT-SIGNATURE': signature };
  const answer = await call(asked.url.href, { headers });
  const text = await textOf(answer, asked);
  const settled = decodeSettleHeader(answer.headers.get('PAYMENT-RESPONSE') ?? '');
  tell('status', `${answer.status}${answer.headers.has('Idempotent-Replayed') ? ', stored response' : ''}`);
  if (settled?.success === true) tell('transaction', settled.transaction);
  const after = await balanceOf(asking, key);
  if (after !== undefined) tell('balance after', usdc(after));
  const isKnown = answer.ok || typeof objectIn(text)?.['charged'] === 'boolean';
  if (!isKnown) output.note(`${MAY_BE_MADE} ${repeatWith(asked)}`);
  else if (answer.status === 503) output.note(repeatWith(asked));
  const isReceiptGood = answer.ok && (await tellReceipt(asking, text, tell));
  return { isGood: answer.ok && isReceiptGood, answer: { status: answer.status, text } };
}

const MAY_BE_MADE = 'The payment may have been made.';

function repeatWith({ idempotencyKey }: PayArguments): string {
  return repeatNote(idempotencyKey, 'charged');
}

/** Signs once, for the challenge that was checked; whatever is answered, nothing more is signed. */
async function signatureFor({ challenge, chosen, clock }: Asking, key: PayingKey): Promise<string> {
  const nonce = hexOf(randomBytes(32));
  const nowSeconds = Math.floor(clock.now() / 1000);
  return encodeHeader(signPayment({ challenge, chosen, key, nonce, nowSeconds }, await chooseRecoverEngine()));
}

/** Sum on the sandbox chain; undefined where the service does not say. */
async function balanceOf({ asked, chosen }: Asking, { address }: PayingKey): Promise<string | undefined> {
  if (chosen.extra['name'] !== SANDBOX_TOKEN_NAME) return undefined;
  try {
    const answer = await call(`${asked.url.origin}/sandbox/balance/${address}`, {});
    const { balance } = (await answer.json()) as { balance?: unknown };
    return typeof balance === 'string' ? balance : undefined;
  } catch {
    return undefined;
  }
}

async function tellReceipt({ asked, keys, chosen }: Asking, text: string, tell: TellStep): Promise<boolean> {
  const answer: { receipt?: unknown } = objectIn(text) ?? {};
  if (answer.receipt === undefined) {
    tell('receipt', 'none');
    return true;
  }
  const { pathname: path, searchParams } = asked.url;
  const { valid, outcome, checks } = await verifyReceipt(answer.receipt, {
    keys,
    answer,
    request: { method: 'GET', path, query: fingerprintQuery(searchParams) },
    sandbox: chosen.extra['name'] === SANDBOX_TOKEN_NAME,
  });
  const failed = checks.filter(({ ok }) => ok === false).map(({ name }) => name);
  const why = failed.length > 0 ? failed.join(', ') : outcome;
  tell('receipt', valid ? 'valid' : `NOT VALID (${why})`);
  return valid;
}

async function tellUnpaid(response: Response, asked: PayArguments, tell: TellStep): Promise<Bought> {
  const { ok: isGood, status, headers } = response;
  const isReplayed = headers.has('Idempotent-Replayed');
  tell('payment', isReplayed ? 'paid before, this is the stored response' : isGood ? 'none needed' : 'none sent');
  tell('status', String(status));
  return { isGood, answer: { status, text: await textOf(response, asked) } };
}

async function textOf(response: Response, { url }: PayArguments): Promise<string> {
  return response.text().catch(() => {
    throw new Error(`The connection to ${url.origin} closed early.`);
  });
}

async function call(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    throw new Error(`Cannot reach ${new URL(url).origin}. Check the address and that the service is running.`);
  }
}

function usdc(atomic: string): string {
  return formatMicro(Number(atomic));
}
