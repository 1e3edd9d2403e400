import { refuseFields } from '#kernel/general-problems.ts';
import { type Clock, DAY_MS, isoTime } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { FileResponse } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { answerAgain, type AnsweredBefore, answers, isAnswered } from '#platform/ledger/answers.ts';
import { type Authenticate, refuseFunds } from '#platform/ledger/caller.ts';
import { formatEur, isRefused, ledger, type LedgerResult } from '#platform/ledger/steps.ts';
import { canonicalTexts, type SignedPart, signedTexts } from '#protocol/payment/coverage.ts';
import type { Receipt } from '#protocol/payment/receipt.ts';
import { step, type Store } from '#platform/storage/store.ts';
import { type CalculateInput, CSV_BOM } from './bom-operations.ts';
import { CALCULATE_MICRO, type ExchangeRate, type SourceName } from './bom.ts';
import { type BomLines, type BomRequest, type CalculationHead, linesText } from './bom-job.ts';
import type { BomThread, ReadyBom } from './bom-thread.ts';
import { keptUnit } from './kept-unit.ts';
import type { FoundOffers, OfferBook } from '../offers/offer-book.ts';
import * as problems from '../problems.ts';
import * as sql from '../sql.ts';

const HOLD_MS = 120_000;
const RETENTION_MS = 30 * DAY_MS;
const JSON_MEDIA = 'application/json';

/** Signs the answer of a call that a wallet pays. */
export type SignReceipt = (of: {
  readonly kind: 'calculation' | 'order';
  readonly receiptId: `rcp_${string}`;
  readonly signed: SignedPart;
  readonly requestSha256: string;
  readonly issuedAt: string;
  readonly charge?: { readonly charged_eur: string };
}) => Receipt;

export interface BomWorkOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly offers: Pick<OfferBook, 'find'>;
  readonly thread: Pick<BomThread, 'prepare'>;
  /** Dated rates of the service, by currency. */
  readonly rates: ReadonlyMap<string, ExchangeRate>;
}

/** A calculation without its price: what others that put money around it are handed. */
export interface CalculatedBom extends Pick<FoundOffers, 'adapters'> {
  readonly head: CalculationHead;
  readonly lines: BomLines;
  readonly priced: number;
}

/** Bills of materials; no money in it. */
export class BomWork {
  readonly #options: BomWorkOptions;

  constructor(options: BomWorkOptions) {
    this.#options = options;
  }

  /** The whole way, for whoever charges for it elsewhere. */
  async calculate(request: BomRequest, owner: string): Promise<CalculatedBom | Refusal> {
    const ready = await this.read(request, owner);
    return ready instanceof Refusal ? ready : this.complete(ready, owner);
  }

  /** Faults of the input are known here, before anything is paid. */
  async read(request: BomRequest, owner: string): Promise<ReadyBom | Refusal> {
    const { clock, rates, thread } = this.#options;
    const ready = await thread.prepare(request, { nowMs: clock.now(), serviceRates: rates }, owner);
    if (ready === null) {
      return new Refusal(problems.tooManyLargeBills, {
        detail: 'Too many large bills are being computed. Retry after the time in Retry-After. Nothing was charged.',
        retryAfterSeconds: 2,
      });
    }
    return 'faults' in ready ? refuseFields(ready.faults) : ready;
  }

  async complete(ready: ReadyBom, owner: string): Promise<CalculatedBom | Refusal> {
    const { clock, offers } = this.#options;
    try {
      const found = await offers.find(owner, ready.mpns, ready.sources as ReadonlySet<SourceName>);
      const finished = await ready.finish(found.offers, clock.now());
      return 'faults' in finished ? refuseFields(finished.faults) : { ...finished, adapters: found.adapters };
    } finally {
      ready.drop();
    }
  }
}

export interface CalculationsOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly authenticate: Authenticate;
  /** As `authenticate`, and a suspended agent may still read. */
  readonly recognise: Authenticate;
  readonly work: BomWork;
  readonly receipt: SignReceipt;
  readonly sandbox: boolean;
}

/** Calculations that a wallet pays: held before the work, taken with the answer, given back where nothing was priced. */
export class Calculations {
  readonly #options: CalculationsOptions;

  constructor(options: CalculationsOptions) {
    this.#options = options;
  }

  async calculate(input: CalculateInput): Promise<FileResponse | Refusal> {
    const { store, authenticate, work } = this.#options;
    const caller = await authenticate(input.agent_key);
    if (caller instanceof Refusal) return caller;
    const { agentId } = caller;
    const ready = await work.read(requestOf(input), agentId);
    if (ready instanceof Refusal) return ready;
    const key = input.idempotency_key;
    const asked = key === undefined ? null : { scope: `${agentId} bom_calculate`, key };
    const holdId = newId('hold_');
    const id = newId('bom_');
    const steps = asked === null ? [] : [answers.check({ ...asked, bodySha256: ready.requestSha256 })];
    const hold = ledger.hold({
      holdId,
      agentId,
      amountMicro: CALCULATE_MICRO,
      idem: `bom:${id}`,
      ref: id,
      lifeMs: HOLD_MS,
    });
    const begin = asked === null ? [] : [answers.begin({ ...asked, bodySha256: ready.requestSha256 })];
    const begun = await store
      .runAll([...steps, hold, ...begin], (result) => isAnswered(result) || isRefused(result))
      .catch((error: unknown) => {
        ready.drop();
        throw error;
      });
    const last = begun[steps.length === begun.length ? begun.length - 1 : steps.length];
    if (isAnswered(last) || isRefused(last)) ready.drop();
    if (isAnswered(last)) return this.#again(last, agentId);
    if (isRefused(last)) return refuseFunds(last, CALCULATE_MICRO);
    const { balance } = last as Extract<LedgerResult, { type: 'done' }>;
    const availableMicro = balance === null ? 0 : balance.postedMicro - balance.heldMicro;
    const giveUp = () =>
      store.runAll([ledger.release({ holdId }), ...(asked === null ? [] : [answers.abandon(asked)])]);
    try {
      const done = await work.complete(ready, agentId);
      if (done instanceof Refusal) {
        await giveUp();
        return done;
      }
      const isCharged = done.priced > 0;
      const head = this.#head(id, done, {
        requestSha256: ready.requestSha256,
        chargedMicro: isCharged ? CALCULATE_MICRO : 0,
        balanceMicro: availableMicro + (isCharged ? 0 : CALCULATE_MICRO),
      });
      const legs = [{ account: 'revenue:bom', amountMicro: -CALCULATE_MICRO }];
      const charge = {
        holdId,
        amountMicro: CALCULATE_MICRO,
        kind: 'bom',
        txId: newId('tx_'),
        legs,
        whenGone: 'post' as const,
      };
      const pay = isCharged ? ledger.capture(charge) : ledger.release({ holdId });
      const lines = linesText(done.lines);
      const kept = { id, agentId, head, lines, ...this.#times(done.head.valid_until) };
      const finish = asked === null ? [] : [answers.finish({ ...asked, status: 200, body: { calculation_id: id } })];
      const results = await store.runAll(
        [pay, step(keptUnit, { type: 'calculation', calculation: kept }), ...finish],
        isRefused,
      );
      if (isRefused(results[0])) return refuseFunds(results[0], CALCULATE_MICRO);
      return new FileResponse(JSON_MEDIA, whole(head, lines));
    } catch (error) {
      // The hold ends by itself where even this fails.
      await giveUp().catch(() => {});
      throw error;
    }
  }

  async view({ agent_key, calculation_id }: { agent_key?: string | undefined; calculation_id: string }) {
    const caller = await this.#options.recognise(agent_key);
    if (caller instanceof Refusal) return caller;
    return this.#stored(calculation_id, caller.agentId, false);
  }

  /** What an order may be made from; undefined where the agent has no such calculation. */
  async lines(calculationId: string, agentId: string): Promise<{ lines: string; validUntilMs: number } | undefined> {
    const { store, clock } = this.#options;
    const [kept] = await store.read(sql.CALCULATION_OF_ID, [calculationId, agentId, clock.now()]);
    return kept;
  }

  #times(validUntil: string | null) {
    const nowMs = this.#options.clock.now();
    return { validUntilMs: validUntil === null ? nowMs : Date.parse(validUntil), expiresAtMs: nowMs + RETENTION_MS };
  }

  #head(
    id: string,
    { head, adapters, lines }: CalculatedBom,
    paid: { requestSha256: string; chargedMicro: number; balanceMicro: number },
  ): string {
    const { receipt, sandbox, clock } = this.#options;
    const charged_eur = formatEur(paid.chargedMicro);
    const result = {
      calculation_id: id,
      ...head,
      adapters,
      charged_eur,
      balance_eur: formatEur(paid.balanceMicro),
      sandbox,
    };
    const signed = receipt({
      kind: 'calculation',
      receiptId: newId('rcp_'),
      requestSha256: paid.requestSha256,
      signed: signedTexts({ ...canonicalTexts(result), ...lines }),
      issuedAt: isoTime(clock.now()),
      charge: { charged_eur },
    });
    return JSON.stringify({ ...result, receipt: signed });
  }

  async #again(result: AnsweredBefore, agentId: string): Promise<FileResponse | Refusal> {
    const answer = answerAgain<{ calculation_id: string }>(result);
    return answer instanceof Refusal ? answer : this.#stored(answer.body.calculation_id, agentId, true);
  }

  async #stored(id: string, agentId: string, replayed: boolean): Promise<FileResponse | Refusal> {
    const { store, clock } = this.#options;
    const [kept] = await store.read(sql.CALCULATION_OF_ID, [id, agentId, clock.now()]);
    if (kept === undefined)
      return new Refusal(problems.calculationNotFound, { detail: 'You have no calculation with this id.' });
    return new FileResponse(JSON_MEDIA, whole(kept.head, kept.lines), replayed);
  }
}

/** Two JSON objects as one. */
function whole(head: string, lines: string): string {
  return `${head.slice(0, -1)},${lines.slice(1)}`;
}

function requestOf({
  bom,
  document,
  agent_key: _key,
  idempotency_key: _idempotency,
  ...terms
}: CalculateInput): BomRequest {
  if (!(document instanceof Uint8Array)) return { type: 'decoded', bom, terms };
  return bom['csv'] === CSV_BOM['csv'] ? { type: 'csv', bytes: document, terms } : { type: 'json', bytes: document };
}
