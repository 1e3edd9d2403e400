import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { addressWord, callData } from '#protocol/payment/abi.ts';
import type { TransferAuthorization } from '#protocol/payment/authorization-digest.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import type { PaymentReason } from '#protocol/payment/reason.ts';
import { singleCall } from './batch.ts';
import { GatheredCalls } from './gathered-calls.ts';
import { reasonOfRevert } from './refused-call.ts';
import { type RpcCall, type RpcClient, RpcRefusedError } from './rpc.ts';
import {
  ChainUnavailableError,
  type OnChain,
  type PayerFacts,
  type Reconciliation,
  type Settleable,
} from './settlement.ts';
import {
  ChainLog,
  ChainReceipt,
  EIP3009_AUTHORIZATION_CANCELED,
  EIP3009_AUTHORIZATION_USED,
  useOf,
  usesIn,
} from './token-logs.ts';

const BALANCE_OF: Hex = '0x70a08231';
const AUTHORIZATION_STATE: Hex = '0xe94a0102';
const DOMAIN_SEPARATOR: Hex = '0x3644e515';

const NO_CODE_KEPT_MS = 600_000;
const MAX_KEPT_ADDRESSES = 100_000;
/** After this much past its end no block can hold a use of an authorization any more. */
const SETTLED_PAST_SECONDS = 60n;
const SETTLE_AGAIN_MARGIN_SECONDS = 6n;
/** Nodes refuse to search more blocks at once; a use is looked for backwards from the head. */
const LOG_WINDOW_BLOCKS = 2000;
const MAX_LOG_WINDOWS = 200;

const word = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform(BigInt);
const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt);
const code = z.string().regex(/^0x[0-9a-fA-F]*$/);
const Block = z.object({ number: quantity, timestamp: quantity });

export type SlowVerdict = { readonly valid: true } | { readonly valid: false; readonly reason: PaymentReason };

export interface ChainReadsOptions {
  readonly rpc: RpcClient;
  readonly token: Hex;
  readonly clock: Clock;
  /** True for a chain that makes a block only when a transaction comes: its time stands still until it is asked. */
  readonly minesOnDemand?: boolean;
}

/** What the chain itself shows of payments in one token. */
export class ChainReads {
  readonly #options: ChainReadsOptions;
  readonly #gathered: GatheredCalls;
  readonly #noCodeUntilMs = new Map<string, number>();

  constructor(options: ChainReadsOptions) {
    this.#options = options;
    this.#gathered = new GatheredCalls(options.rpc);
  }

  /** Throws ChainUnavailableError when the chain does not say all of it. */
  payerFacts({ from, nonce }: TransferAuthorization): Promise<PayerFacts> {
    return answered(async () => {
      const isKnownPlain = this.#isKnownPlain(from);
      const calls = [this.#tokenCall(BALANCE_OF, addressWord(from)), this.#state(from, nonce)];
      if (!isKnownPlain) calls.push({ method: 'eth_getCode', params: [from, 'latest'] });
      const [balance, used, found] = await this.#gathered.all(calls);
      const hasCode = !isKnownPlain && code.parse(found) !== '0x';
      if (!hasCode && !isKnownPlain) this.#rememberPlain(from);
      return { hasCode, balance: word.parse(balance), isNonceUsed: word.parse(used) !== 0n };
    });
  }

  /** The receipts that exist of these transactions, in as few round trips as a node allows. */
  receipts(hashes: readonly Hex[]): Promise<(ChainReceipt | null)[]> {
    return answered(async () => {
      const asked = hashes.map((hash) => this.#gathered.all([{ method: 'eth_getTransactionReceipt', params: [hash] }]));
      return (await Promise.all(asked)).map(([found]) => ChainReceipt.nullable().parse(found));
    });
  }

  /** Where this transaction moved the payment; undefined when it is not mined or did not. */
  async paidIn(transaction: Hex, authorization: TransferAuthorization): Promise<OnChain | undefined> {
    const [receipt] = await this.receipts([transaction]);
    if (receipt === null || receipt === undefined || receipt.status !== 1) return undefined;
    const use = useOf(usesIn(receipt, this.#options.token), authorization);
    return use === 'other' ? undefined : use;
  }

  isUsed({ from, nonce }: TransferAuthorization): Promise<boolean> {
    return answered(async () => word.parse((await this.#gathered.all([this.#state(from, nonce)]))[0]) !== 0n);
  }

  /** Why the token would refuse the transfer now; null when it would take it. */
  refusalOf(payment: Settleable): Promise<PaymentReason | null> {
    const { rpc, token } = this.#options;
    const { to, data } = singleCall(token, payment);
    return answered(async () => {
      const [answer] = await rpc.batch([{ method: 'eth_call', params: [{ to, data }, 'latest'] }]);
      if (answer === undefined || answer.ok) return null;
      const reason = reasonOfRevert(answer.refusal);
      if (reason === null) throw answer.refusal;
      return reason;
    });
  }

  /** The token is asked itself: it knows how a wallet that is a contract checks its signatures. */
  async verifySlow(payment: Settleable): Promise<SlowVerdict> {
    const reason = await this.refusalOf(payment);
    return reason === null ? { valid: true } : { valid: false, reason };
  }

  /** What the token itself hashes into every signature. */
  domainSeparator(): Promise<Hex> {
    const { method, params } = this.#tokenCall(DOMAIN_SEPARATOR);
    return answered(async () => String(await this.#options.rpc.call(method, params)).toLowerCase() as Hex);
  }

  async reconcile(authorization: TransferAuthorization): Promise<Reconciliation> {
    try {
      return await this.#decided(authorization);
    } catch {
      return { outcome: 'unknown' };
    }
  }

  async #decided(authorization: TransferAuthorization, mayMine = this.#options.minesOnDemand): Promise<Reconciliation> {
    const { rpc, clock } = this.#options;
    const { validBefore } = authorization;
    const [used, latest] = await this.#gathered.all([this.#state(authorization.from, authorization.nonce), HEAD]);
    const head = Block.parse(latest);
    if (word.parse(used) !== 0n) return this.#useOnChain(authorization, Number(head.number));
    const isOver = (seconds: bigint) => seconds > validBefore + SETTLED_PAST_SECONDS;
    if (isOver(head.timestamp)) {
      return { outcome: 'failed', reason: 'invalid_exact_evm_payload_authorization_valid_before' };
    }
    const nowSeconds = BigInt(Math.floor(clock.now() / 1000));
    if (validBefore - later(nowSeconds, head.timestamp) > SETTLE_AGAIN_MARGIN_SECONDS) return { outcome: 'unused' };
    if (mayMine !== true || !isOver(nowSeconds)) return { outcome: 'unknown' };
    await rpc.call('evm_mine', []);
    return this.#decided(authorization, false);
  }

  async #useOnChain(authorization: TransferAuthorization, head: number): Promise<Reconciliation> {
    const log = await this.#useLog(authorization, head);
    if (log === undefined) return { outcome: 'unknown' };
    if (log.topics[0] === EIP3009_AUTHORIZATION_CANCELED) {
      return { outcome: 'failed', reason: 'invalid_exact_evm_nonce_already_used' };
    }
    const [receipt] = await this.receipts([log.transactionHash]);
    if (receipt === null || receipt === undefined) return { outcome: 'unknown' };
    const use = useOf(usesIn(receipt, this.#options.token), authorization);
    if (use === undefined) return { outcome: 'unknown' };
    if (use === 'other') return { outcome: 'failed', reason: 'invalid_exact_evm_transfer_event_mismatch' };
    return { outcome: 'confirmed', ...use };
  }

  async #useLog({ from, nonce }: TransferAuthorization, head: number): Promise<ChainLog | undefined> {
    const { rpc, token } = this.#options;
    const events = [EIP3009_AUTHORIZATION_USED, EIP3009_AUTHORIZATION_CANCELED];
    const topics = [events, addressWord(from), nonce.toLowerCase()];
    for (let i = 0, last = head; i < MAX_LOG_WINDOWS && last >= 0; i++, last -= LOG_WINDOW_BLOCKS) {
      const first = Math.max(0, last - LOG_WINDOW_BLOCKS + 1);
      const range = { fromBlock: `0x${first.toString(16)}`, toBlock: `0x${last.toString(16)}` };
      const [log] = z.array(ChainLog).parse(await rpc.call('eth_getLogs', [{ address: token, topics, ...range }]));
      if (log !== undefined) return log;
    }
    return undefined;
  }

  #state(from: Hex, nonce: Hex): RpcCall {
    return this.#tokenCall(AUTHORIZATION_STATE, addressWord(from), nonce);
  }

  #tokenCall(selector: Hex, ...words: readonly Hex[]): RpcCall {
    return { method: 'eth_call', params: [{ to: this.#options.token, data: callData(selector, words) }, 'latest'] };
  }

  #isKnownPlain(from: Hex): boolean {
    return (this.#noCodeUntilMs.get(from.toLowerCase()) ?? 0) > this.#options.clock.now();
  }

  #rememberPlain(from: Hex): void {
    if (this.#noCodeUntilMs.size >= MAX_KEPT_ADDRESSES) this.#noCodeUntilMs.clear();
    this.#noCodeUntilMs.set(from.toLowerCase(), this.#options.clock.now() + NO_CODE_KEPT_MS);
  }
}

const HEAD: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] };

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** A node that refuses a read, or answers what no chain answers, is as good as none. */
async function answered<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RpcRefusedError || error instanceof z.ZodError) {
      throw new ChainUnavailableError('the chain does not give a usable response', { cause: error });
    }
    throw error;
  }
}
