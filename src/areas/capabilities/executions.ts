import type { PaidFees } from '#areas/attestation/port.ts';
import { refuseFields } from '#kernel/general-problems.ts';
import { canonicalJson, CanonicalJsonError } from '#kernel/canonical-json.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { sha256HexInTurns } from '#kernel/long-hash.ts';
import { parseMicro } from '#kernel/money.ts';
import { Answer } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { answerAgain, answers, isAnswered } from '#platform/ledger/answers.ts';
import { type AgentCaller, type Authenticate, refuseFunds } from '#platform/ledger/caller.ts';
import { formatEur, isRefused, ledger, type LedgerResult } from '#platform/ledger/steps.ts';
import { type SignedPart, signedPart } from '#protocol/payment/coverage.ts';
import type { Receipt } from '#protocol/payment/receipt.ts';
import type { Store } from '#platform/storage/store.ts';
import { type Charge, chargeOf, legsOf, priceView } from './charge.ts';
import type { ExecuteAnswer, ExecuteInput, ExecutionRecord } from './operations.ts';
import { sealedOutputs, sealFeeMicro } from './output-seals.ts';
import type { PriceTable } from './prices.ts';
import * as problems from './problems.ts';
import * as sql from './sql.ts';
import { capabilityById } from './table.ts';
import { type Execution, executions } from './unit.ts';
import type { CapabilityWork, PlannedWork, WorkDone } from './work.ts';

export interface ExecutionsOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly process: string;
  readonly work: Pick<CapabilityWork, 'plan' | 'perform'>;
  readonly prices: PriceTable;
  readonly paidFees: PaidFees;
  /** The seed of an entry as it is shown; null once it is erased. */
  readonly seedOf: (attestationId: string) => Promise<string | null>;
  /** How dollars of providers become euros; shown with every price that rests on it. */
  readonly fx: { readonly rate: string; readonly asOf: string };
  readonly authenticate: Authenticate;
  /** As authenticate, also for an agent that is suspended: reading is not refused. */
  readonly recognise: Authenticate;
  readonly notary: {
    readonly sandbox: boolean;
    readonly receipt: (of: {
      readonly kind: 'capability';
      readonly receiptId: `rcp_${string}`;
      readonly signed: SignedPart;
      readonly requestSha256: string;
      readonly issuedAt: string;
      readonly charge: { readonly charged_eur: string; readonly price_table_sha256: string };
    }) => Receipt;
  };
}

const HOLD_MS = 120_000;
const SCOPE = 'execute_capability';

/** An execution whose money is held. */
interface Begun {
  readonly id: string;
  readonly holdId: string;
  readonly agentId: string;
  readonly heldMicro: number;
  readonly availableMicro: number;
  readonly requestSha256: string;
  readonly idem: { readonly scope: string; readonly key: string } | null;
}

/** Hold, work, charge: what fails in between is given back, also by the next start. */
export class Executions {
  readonly #options: ExecutionsOptions;
  readonly #stopping = new AbortController();

  constructor(options: ExecutionsOptions) {
    this.#options = options;
  }

  async execute(input: ExecuteInput): Promise<ExecuteAnswer | Answer<ExecuteAnswer> | Refusal> {
    const caller = await this.#options.authenticate(input.agent_key);
    if (caller instanceof Refusal) return caller;
    const { capability, options } = input;
    if ((input.input === undefined) === (input.inputs === undefined)) {
      return this.#refuse('#/input', 'input_or_inputs', 'Give either input or inputs.');
    }
    const plan = await this.#options.work.plan({
      capability,
      input: input.input,
      inputs: input.inputs,
      options: { mode: options.mode, model: options.model, maxOutputTokens: options.max_output_tokens },
    });
    if (plan instanceof Refusal) return plan;
    const worst = chargeOf(plan.worstMicro, plan.seals * sealFeeMicro()).priceMicro;
    const most = options.max_charge_eur === null ? null : parseMicro(options.max_charge_eur);
    if (most !== null && most < worst) {
      const detail = `This call may cost €${formatEur(worst)}. Raise max_charge_eur to that, or ask for less. Nothing was charged.`;
      return this.#refuse('#/options/max_charge_eur', 'below_worst_case', detail);
    }
    // Last: of what is refused nothing is hashed, which takes long for a long input.
    const requestSha256 = await this.#requestSha256(input);
    if (requestSha256 instanceof Refusal) return requestSha256;
    const begun = await this.#begin(caller, plan, { worst, requestSha256, key: input.idempotency_key });
    if (!('holdId' in begun)) return begun;
    try {
      const by = { callerId: caller.agentId, signal: this.#stopping.signal };
      const done = await this.#options.work.perform(plan, by);
      if (!(done instanceof Refusal)) return await this.#finish(plan, begun, done);
      await this.#fail(begun, done.details.detail);
      return done;
    } catch (error) {
      await this.#fail(begun, 'An internal error occurred.').catch(() => undefined);
      throw error;
    }
  }

  async show({ agent_key: key, execution_id: id }: { agent_key?: string | undefined; execution_id: string }) {
    const caller = await this.#options.recognise(key);
    if (caller instanceof Refusal) return caller;
    const [execution] = await this.#options.store.read(sql.EXECUTION_OF_ID, [id]);
    if (execution?.agentId !== caller.agentId) {
      return new Refusal(problems.executionNotFound, { detail: 'This agent has no execution with this id.' });
    }
    return recordView(execution);
  }

  /** Gives back what a process that is gone had begun. `isAlone`: no other process can be at work. */
  async recover(isAlone: boolean): Promise<number> {
    const { store, clock, process } = this.#options;
    const left = await store.read(sql.EXECUTIONS_LEFT, [clock.now(), process, isAlone ? 1 : 0]);
    for (const { id, holdId, idemKey, agentId } of left) {
      const idem = idemKey === null ? null : { scope: scopeOf(agentId), key: idemKey };
      await this.#fail({ id, holdId, idem }, 'The process that ran it stopped.');
    }
    return left.length;
  }

  /** Ends what runs; it fails uncharged. */
  stop(): void {
    this.#stopping.abort();
  }

  async #begin(
    caller: AgentCaller,
    plan: PlannedWork,
    { worst, requestSha256, key }: { worst: number; requestSha256: string; key: string | undefined },
  ): Promise<Begun | Answer<ExecuteAnswer> | Refusal> {
    const { store, clock, process } = this.#options;
    const { agentId } = caller;
    const [id, holdId] = [newId('exe_'), newId('hold_')];
    const idem = key === undefined ? null : { scope: scopeOf(agentId), key };
    const asked = idem && { ...idem, bodySha256: requestSha256 };
    const startedAtMs = clock.now();
    const execution: Execution = {
      id,
      agentId,
      capability: plan.capability.id,
      mode: plan.mode,
      status: 'running',
      holdId,
      process,
      idemKey: key ?? null,
      startedAtMs,
      runsUntilMs: startedAtMs + HOLD_MS,
      finishedAtMs: null,
      record: null,
      error: null,
    };
    const hold = { holdId, agentId, amountMicro: worst, idem: `hold:${id}`, ref: id, lifeMs: HOLD_MS };
    const results = await store.runAll(
      [
        ...(asked === null ? [] : [answers.check(asked)]),
        ledger.hold(hold),
        executions.start(execution),
        ...(asked === null ? [] : [answers.begin(asked)]),
      ],
      (result) => isAnswered(result) || isRefused(result),
    );
    if (isAnswered(results[0])) return this.#again(answerAgain<ExecuteAnswer>(results[0]));
    const held = results[asked === null ? 0 : 1] as LedgerResult;
    if (held.type === 'refused') return refuseFunds(held, worst);
    const { postedMicro = 0, heldMicro = 0 } = held.balance ?? {};
    return {
      id,
      holdId,
      agentId,
      heldMicro: worst,
      availableMicro: postedMicro - heldMicro + worst,
      requestSha256,
      idem,
    };
  }

  async #again(kept: Answer<ExecuteAnswer> | Refusal): Promise<Answer<ExecuteAnswer> | Refusal> {
    if (kept instanceof Refusal) return kept;
    return new Answer(kept.status, await withSeeds(kept.body, this.#options.seedOf), undefined, true);
  }

  /** Charges, seals, signs and keeps the answer in one transaction. */
  async #finish(plan: PlannedWork, begun: Begun, done: WorkDone): Promise<ExecuteAnswer | Refusal> {
    const { store, clock, notary, paidFees } = this.#options;
    const { id, holdId, agentId, idem } = begun;
    const atMs = clock.now();
    const { entries, fees } = sealedOutputs(done, { sandbox: notary.sandbox, atMs });
    const charge = chargeOf(done.costMicro, fees.length * sealFeeMicro(), begun.heldMicro);
    const body = this.#answer(plan, begun, { done, charge, atMs });
    const { provider, usage, price, receipt } = body;
    // An erasure cannot find this answer: the seed stays with the entry alone, where a repeated call gets it from.
    const kept = await withSeeds(body, async () => null);
    const [check, captured] = await store.runAll(
      [
        executions.check(id),
        ledger.capture({
          holdId,
          amountMicro: charge.priceMicro,
          kind: 'capability',
          txId: newId('tx_'),
          legs: legsOf(charge),
          meta: { capability: plan.capability.id, execution_id: id },
          whenGone: 'post',
        }),
        ...(fees.length === 0 ? [] : [paidFees(agentId, fees)]),
        executions.finish({ id, record: JSON.stringify({ provider, usage, price, receipt }), atMs, entries }),
        ...(idem === null ? [] : [answers.finish({ ...idem, status: 200, body: kept })]),
      ],
      isRefused,
    );
    if (check?.type === 'refused')
      return new Refusal(problems.providerFailed, {
        detail: 'The execution had already been abandoned. Nothing was charged. Retry the call.',
      });
    if (captured?.type !== 'refused') return body;
    await this.#fail(begun, 'It could not be charged.').catch(() => undefined);
    return refuseFunds(captured, charge.priceMicro);
  }

  #answer(
    { capability }: PlannedWork,
    { id, availableMicro, requestSha256 }: Begun,
    { done, charge, atMs }: { done: WorkDone; charge: Charge; atMs: number },
  ): ExecuteAnswer {
    const { prices, fx, notary } = this.#options;
    const { usage } = done;
    const shownFx = done.mode === 'provider' ? { pair: 'USD/EUR', rate: fx.rate, as_of: fx.asOf } : null;
    const price = priceView(charge, { priceTableSha256: prices.sha256, fx: shownFx });
    const result = {
      execution_id: id,
      capability: capability.id,
      mode: done.mode,
      provider: done.provider,
      output: done.output as Record<string, unknown> | null,
      outputs: done.outputs as Record<string, unknown>[] | null,
      usage: {
        input_tokens: usage.inputTokens,
        cached_tokens: usage.cachedTokens,
        output_tokens: usage.outputTokens,
        units: usage.units,
      },
      price,
      sandbox: notary.sandbox,
    };
    const receipt = notary.receipt({
      kind: 'capability',
      receiptId: newId('rcp_'),
      signed: signedPart(result),
      requestSha256,
      issuedAt: isoTime(atMs),
      charge: { charged_eur: price.charged_eur, price_table_sha256: prices.sha256 },
    });
    return { ...result, balance_eur: formatEur(availableMicro - charge.priceMicro), receipt };
  }

  async #fail({ id, holdId, idem }: Pick<Begun, 'id' | 'holdId' | 'idem'>, error: string): Promise<void> {
    const { store, clock } = this.#options;
    await store.runAll([
      executions.fail({ id, error, atMs: clock.now() }),
      ledger.release({ holdId }),
      ...(idem === null ? [] : [answers.abandon(idem)]),
    ]);
  }

  async #requestSha256({ capability, input, inputs, options }: ExecuteInput): Promise<string | Refusal> {
    try {
      const given = input === undefined ? { inputs } : { input };
      return await sha256HexInTurns(canonicalJson({ capability, ...given, options }));
    } catch (error) {
      if (!(error instanceof CanonicalJsonError)) throw error;
      return this.#refuse('#/input', 'not_json_text', error.message);
    }
  }

  #refuse(pointer: string, code: string, detail: string): Refusal {
    return refuseFields([{ pointer, code, detail }]);
  }
}

function scopeOf(agentId: string): string {
  return `${agentId} ${SCOPE}`;
}

/** The answer with these seeds for those of its outputs that are sealed. */
async function withSeeds(answer: ExecuteAnswer, seedOf: ExecutionsOptions['seedOf']): Promise<ExecuteAnswer> {
  if (capabilityById(answer.capability)?.seal === undefined) return answer;
  const shown = async (output: Record<string, unknown>) => {
    const { attestation_id: id } = output;
    return typeof id === 'string' ? { ...output, disclosure_seed: await seedOf(id) } : output;
  };
  return {
    ...answer,
    output: answer.output && (await shown(answer.output)),
    outputs: answer.outputs && (await Promise.all(answer.outputs.map(shown))),
  };
}

function recordView(execution: Execution): ExecutionRecord {
  const { id, capability, mode, status, error, startedAtMs, finishedAtMs, record } = execution;
  const kept =
    record === null ? null : (JSON.parse(record) as Pick<ExecutionRecord, 'provider' | 'usage' | 'price' | 'receipt'>);
  return {
    execution_id: id,
    capability,
    mode: mode as ExecutionRecord['mode'],
    status,
    provider: kept?.provider ?? null,
    usage: kept?.usage ?? null,
    price: kept?.price ?? null,
    receipt: kept?.receipt ?? null,
    error,
    started_at: isoTime(startedAtMs),
    finished_at: finishedAtMs === null ? null : isoTime(finishedAtMs),
  };
}
