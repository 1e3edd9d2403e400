import { asSentence } from '#kernel/sentence.ts';
import type { Config } from '#platform/config/config.ts';
import type { Secrets } from '#platform/config/secrets.ts';
import type { SettlementConfig } from '#platform/config/settlement.ts';
import type { Clock } from '#kernel/clock.ts';
import { contradictionOf, rememberedBy, witnessMemories } from '#platform/log/continuity.ts';
import { storedHead } from '#platform/log/public-log.ts';
import { getFromWitness, WITNESS_TIMEOUT_MS } from '#platform/log/witness-http.ts';
import { mailFault } from '#platform/mail/outbox.ts';
import { askBounded } from '#platform/outbound/bounded-ask.ts';
import { OutboundError } from '#platform/outbound/exchange.ts';
import { clockFault } from '#platform/payments/facilitator.ts';
import { ChainUnavailableError } from '#platform/payments/settlement.ts';
import { addressOfPrivateKey } from '#protocol/payment/account.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import { BASE_NETWORK, openFacilitator, openNode, type RealNode, weiOf } from '#platform/payments/real-settlement.ts';
import { databaseLocation } from '#platform/foundation.ts';
import { openReader } from '#platform/storage/reader.ts';
import { readWitnessPolicy } from '#platform/log/witness-policy-file.ts';
import { isAbout } from './check.ts';
import type { Asker, Installation, ProbeResult } from './facts.ts';

const ASK_MS = 10_000;
const WITNESS_SETTINGS = /^AVOUCH_WITNESS_/;
const MAX_BYTES = 1_000_000;
const KEYS_PATH = '/.well-known/avouch-keys.json';

export const PAYMENT_SETTINGS = /^AVOUCH_(SETTLEMENT|RPC_URL|FACILITATOR|SETTLER|BATCH)(_|$)/;
export const MAIL_SETTINGS = /^AVOUCH_(MAIL|SMTP|ORDER_MAIL)(_|$)/;

interface AskedDeps extends Pick<Installation, 'config' | 'faults' | 'packageFaults' | 'isServed' | 'store'> {
  readonly secrets: Secrets | undefined;
  readonly clock: Clock;
  /** How many times longer than usual they may take. */
  readonly patience: number;
}

const good = (text: string): ProbeResult => ({ outcome: 'ok', text });
const bad = (text: string): ProbeResult => ({ outcome: 'fail', text });
const notAsked = (text: string): ProbeResult => ({ outcome: 'not_asked', text });

/** Queries every system that the service needs, once and in parallel; nothing is stored there. */
export async function askOthers(parts: AskedDeps): Promise<Record<Asker, ProbeResult>> {
  const [node, facilitator, mail, ownAddress, opsPort, witnesses] = await Promise.all([
    ofSettlement(parts, askNode),
    ofSettlement(parts, askFacilitator),
    askMail(parts),
    askOwnAddress(parts),
    askOpsPort(parts),
    askWitnesses(parts),
  ]);
  return { node, facilitator, mail, ownAddress, opsPort, witnesses };
}

/** An older database with its own directory is consistent in itself: only witnesses can tell. */
async function askWitnesses({ config, faults, store, patience }: AskedDeps): Promise<ProbeResult> {
  if (config.witnessPolicyFile === null)
    return notAsked('The log has no witnesses, so an older or second copy of the data directory goes unnoticed.');
  if (faults.some((fault) => isAbout(fault, WITNESS_SETTINGS))) return notAsked('Its settings are wrong.');
  if (store === null || typeof store === 'string' || store.logHead === null) return notAsked('There is no log yet.');
  const { origin } = store.logHead;
  const { policy } = readWitnessPolicy(config) ?? {};
  if (policy === undefined) return notAsked('The log has no witnesses.');
  const memories = await witnessMemories(policy, { origin, keys: null }, (url) =>
    getFromWitness(url, patience * WITNESS_TIMEOUT_MS),
  );
  const { size, rootHex } = (await headNow(config, patience)) ?? store.logHead;
  const fault = contradictionOf(memories, { origin, size, rootHexAt: (of) => (of === size ? rootHex : undefined) });
  if (fault !== null) return bad(asSentence(fault.what));
  const names = rememberedBy(memories);
  if (names.length > 0)
    return good(`${names.join(', ')}: no witness has seen more than the ${size} entries in this database.`);
  const isSilent = memories.some(({ answer }) => answer === 'unreachable');
  return notAsked(isSilent ? 'No witness answered.' : 'No witness has cosigned this log yet.');
}

/** The log has grown if it is served while witnesses are asked. Undefined where the database has gone since. */
async function headNow(config: Config, patience: number): ReturnType<typeof storedHead> {
  const reader = await openReader(databaseLocation(config, patience));
  try {
    return await storedHead(reader);
  } catch {
    return undefined;
  } finally {
    await reader.close();
  }
}

interface SettlementDeps {
  readonly config: SettlementConfig;
  readonly secrets: Secrets;
  readonly node: RealNode;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

async function ofSettlement(parts: AskedDeps, ask: (of: SettlementDeps) => Promise<ProbeResult>): Promise<ProbeResult> {
  const { config, secrets, faults, clock, patience } = parts;
  if (config.settlement === null) return notAsked('The sandbox has its own chain, which runs with the service.');
  if (faults.some((fault) => isAbout(fault, PAYMENT_SETTINGS))) return notAsked('Its settings are wrong.');
  if (secrets === undefined) return notAsked('The secret files are wrong.');
  const timeoutMs = patience * ASK_MS;
  const node = openNode(config.settlement, clock, timeoutMs);
  return ask({ config: config.settlement, secrets, node, clock, timeoutMs });
}

async function askNode({ config, secrets, node }: SettlementDeps): Promise<ProbeResult> {
  try {
    await node.check();
    const said = 'The node answers and its token is USD Coin.';
    return config.backend === 'chain' ? await withGas(said, { config, secrets, node }) : good(said);
  } catch (error) {
    return bad(
      asSentence(error instanceof ChainUnavailableError ? `The node does not answer${causeOf(error)}` : textOf(error)),
    );
  }
}

/** A settler pays the gas of its transactions. */
async function withGas(
  said: string,
  { config, secrets, node }: Pick<SettlementDeps, 'config' | 'secrets' | 'node'>,
): Promise<ProbeResult> {
  const settler = addressOfPrivateKey(secrets.settlerKey?.reveal() as Hex);
  const wei = BigInt(String(await node.rpc.call('eth_getBalance', [settler, 'latest'])));
  const balance = `The balance of ${settler} is ${Number(wei / 10n ** 12n) / 1e6} ETH`;
  if (wei >= weiOf(config.settlerMinEth)) return good(`${said} ${balance}.`);
  return { outcome: 'warn', text: `${balance}, below AVOUCH_SETTLER_MIN_ETH (${config.settlerMinEth} ETH).` };
}

async function askFacilitator({ config, secrets, node, clock, timeoutMs }: SettlementDeps): Promise<ProbeResult> {
  if (config.backend !== 'facilitator') return notAsked('AVOUCH_SETTLEMENT is chain.');
  try {
    const facilitator = openFacilitator(config, secrets, { reads: node.reads, clock, timeoutMs });
    const said = `The facilitator settles exact payments on ${BASE_NETWORK}.`;
    const fault = clockFault(await facilitator.requireSupport());
    return fault === null ? good(said) : { outcome: 'warn', text: `${said} ${asSentence(fault)}` };
  } catch (error) {
    return bad(asSentence(`${textOf(error)}${causeOf(error)}`));
  }
}

async function askMail({ config: { mail }, faults, packageFaults, patience }: AskedDeps): Promise<ProbeResult> {
  if (packageFaults.some((fault) => isAbout(fault, MAIL_SETTINGS)))
    return notAsked('The package that sends email is not installed.');
  if (faults.some((fault) => isAbout(fault, MAIL_SETTINGS))) return notAsked('Its settings are wrong.');
  if (mail.by === 'off') return notAsked('AVOUCH_MAIL is off, so nobody can sign in to the dashboard.');
  if (mail.by === 'outbox') return notAsked('The sandbox shows emails on a local page.');
  // Loaded only where it is used.
  const { SmtpTransport } = await import('#platform/mail/smtp.ts');
  using transport = new SmtpTransport({ url: mail.url.reveal(), from: mail.from, timeoutMs: patience * ASK_MS });
  try {
    await transport.check();
    return good('The email server accepts our credentials.');
  } catch (error) {
    return bad(asSentence(`The email server refused the connection: ${mailFault(error)}`));
  }
}

/** Whether the public address leads to this installation. */
async function askOwnAddress({ config, isServed, store, patience }: AskedDeps): Promise<ProbeResult> {
  if (!isServed) return notAsked('The service is not running on this machine.');
  if (store === null || typeof store === 'string')
    return notAsked('The public keys could not be read from the database.');
  const url = addressOf(config);
  if (url === null) return notAsked('PORT is 0, so only the running process knows the address.');
  try {
    const limits = { timeoutMs: patience * ASK_MS, maxBytes: MAX_BYTES };
    const { status, text } = await askBounded(`${url}${KEYS_PATH}`, {}, limits);
    if (status !== 200) return bad(`${url}${KEYS_PATH} returned ${status}.`);
    const { keys } = JSON.parse(text) as { readonly keys: readonly { readonly public_key: string }[] };
    const isOwn = keys.some(({ public_key }) => store.publicKeys.includes(public_key));
    if (isOwn) return good(`${url} serves the keys of this database.`);
    return bad(`Another installation answers at ${url}. None of its keys is in this database.`);
  } catch (error) {
    const isSilent = error instanceof OutboundError;
    return bad(asSentence(isSilent ? `${url} does not answer: ${error.message}` : `${url} is not an Avouch service`));
  }
}

function addressOf({ baseUrl, host, port }: Config): string | null {
  if (baseUrl !== null) return baseUrl.replace(/\/+$/, '');
  return port === 0 ? null : localAddress(host, port);
}

function localAddress(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function askOpsPort({ config: { host, opsPort }, isServed, patience }: AskedDeps): Promise<ProbeResult> {
  if (opsPort === null) return notAsked('AVOUCH_OPS_PORT is not set, so /metrics, /livez and /readyz are on PORT.');
  if (!isServed) return notAsked('The service is not running on this machine.');
  if (opsPort === 0) return notAsked('AVOUCH_OPS_PORT is 0, so only the running process knows the port.');
  const url = `${localAddress(host, opsPort)}/livez`;
  try {
    const { status, text } = await askBounded(url, {}, { timeoutMs: patience * ASK_MS, maxBytes: MAX_BYTES });
    if (status !== 200) return bad(`${url} returned ${status}.`);
    const isAlive = (JSON.parse(text) as { readonly status?: unknown }).status === 'alive';
    return isAlive ? good(`${url} answers.`) : bad(`${url} is not of an Avouch service.`);
  } catch (error) {
    const isSilent = error instanceof OutboundError;
    return bad(
      asSentence(isSilent ? `${url} does not answer: ${error.message}` : `${url} is not of an Avouch service`),
    );
  }
}

function textOf(error: unknown): string {
  return (error as Error).message;
}

/** The network error; it contains no address. */
function causeOf(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof OutboundError ? `: ${cause.message}` : '';
}
