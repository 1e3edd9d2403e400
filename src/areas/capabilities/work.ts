import { notInstalled as notInstalledProblem } from '#kernel/general-problems.ts';
import { installCommand } from '#platform/config/packages.ts';
import { z } from 'zod';
import { refuseFields } from '#kernel/general-problems.ts';
import { canonicalJson, CanonicalJsonError } from '#kernel/canonical-json.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { type FieldError, type ProblemType, Refusal } from '#kernel/problem.ts';
import { decode } from '#kernel/query-decoder.ts';
import { type Capability, type ModelQuestion, type Tools, Unworkable, type WorkSeal } from './capability.ts';
import { HEAVY_LIMITS } from './heavy/heavy-limits.ts';
import type { HeavyWork } from './outside/heavy-work.ts';
import type { ModelChoice, ModelClient } from './outside/model-client.ts';
import { addUsage, NO_USAGE, tokenCostMicro, type Usage, worstUsage } from './price-arithmetic.ts';
import type { ModelPrice, PriceTable } from './prices.ts';
import { MAX_OUTPUT_TOKENS } from './fields.ts';
import * as problems from './problems.ts';

export interface WorkRequest {
  readonly capability: string;
  /** One input, or several of the same shape; as they came. */
  readonly input?: unknown;
  readonly inputs?: readonly unknown[] | undefined;
  readonly options?: {
    readonly mode?: 'auto' | 'embedded' | 'provider' | undefined;
    readonly model?: string | null | undefined;
    readonly maxOutputTokens?: number | undefined;
  };
}

export interface Quote {
  /** The most that the work can cost us; the charge is made of it by the formula. */
  readonly worstMicro: number;
  readonly mode: 'embedded' | 'provider';
}

export interface WorkDone {
  readonly output: object | null;
  /** Of several inputs, in their order; one that failed has its error instead. */
  readonly outputs: readonly object[] | null;
  readonly costMicro: number;
  readonly mode: 'embedded' | 'provider';
  readonly provider: { readonly name: string; readonly model: string } | null;
  readonly usage: Usage & { readonly units: number };
  /** What is to be sealed, with the output that the id of the attestation belongs to. */
  readonly seals: readonly { readonly of: object; readonly claim: WorkSeal }[];
}

type Element = { readonly input: Readonly<Record<string, unknown>> } | { readonly faults: readonly FieldError[] };

/** Whose work it is: callers take turns, and what hits a limit is counted against its caller. */
export interface WorkCaller {
  readonly callerId: string;
  readonly signal: AbortSignal;
}

interface WorkMeans {
  readonly signal: AbortSignal;
  readonly tools: Tools;
  /** The inputs together are too long to be worked on where calls are answered. */
  readonly isElsewhere: boolean;
}

/** Work that was understood and priced, not begun. */
export interface PlannedWork extends Quote {
  readonly capability: Capability;
  readonly elements: readonly Element[];
  readonly isBatch: boolean;
  readonly by: { readonly choice: ModelChoice; readonly price: ModelPrice } | null;
  readonly maxOutputTokens: number;
  /** Most attestations that it makes. */
  readonly seals: number;
}

export interface WorkOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly heavy: Pick<HeavyWork, 'turn'>;
  readonly models: Pick<ModelClient, 'choose' | 'ask'>;
  readonly fetch: Tools['fetch'];
  readonly prices: PriceTable;
  /** EUR for a million USD. */
  readonly fxMicro: number;
  /** Whether the packages of an extra are installed. */
  readonly hasExtra: (name: string) => boolean;
}

/** Shorter than a hold lives: what was not done by then is not charged. */
const DEADLINE_MS = 90_000;
const AT_ONCE = 4;
/** Stands for a question with an image, which may have to be fetched first. */
const IMAGE_QUESTION: ModelQuestion = {
  does: 'image',
  instructions: ' '.repeat(500),
  prompt: '',
  image: new Uint8Array(),
};

/** Does the work of capabilities and says what it costs; whoever calls puts hold and charge around it. */
export class CapabilityWork {
  readonly #options: WorkOptions;

  constructor(options: WorkOptions) {
    this.#options = options;
  }

  async quote(request: WorkRequest): Promise<Quote | Refusal> {
    const plan = await this.plan(request);
    return plan instanceof Refusal ? plan : { worstMicro: plan.worstMicro, mode: plan.mode };
  }

  async run(request: WorkRequest, caller: WorkCaller): Promise<WorkDone | Refusal> {
    const plan = await this.plan(request);
    return plan instanceof Refusal ? plan : this.perform(plan, caller);
  }

  /** Modes that this installation has now. */
  modesOf({ embedded, provider }: Capability): ('embedded' | 'provider')[] {
    const { models, prices } = this.#options;
    const isEmbedded = embedded !== null && this.#missingExtra(embedded) === undefined;
    const choice = provider === null ? undefined : models.choose(provider.does, null);
    const isPriced = choice !== undefined && prices.modelPrice(choice.provider.name, choice.model) !== undefined;
    return [...(isEmbedded ? (['embedded'] as const) : []), ...(isPriced ? (['provider'] as const) : [])];
  }

  async plan({ capability: id, input, inputs, options = {} }: WorkRequest): Promise<PlannedWork | Refusal> {
    // Loaded by the first call: a start need not wait for fifteen pairs of schemas.
    const { capabilityById } = await import('./table.ts');
    const capability = capabilityById(id);
    if (capability === undefined)
      return new Refusal(problems.capabilityUnknown, {
        detail: 'No capability has this id. See /capabilities/manifest. Nothing was charged.',
      });
    const isBatch = inputs !== undefined;
    const elements = (inputs ?? [input]).map((raw, index) =>
      elementOf(capability, raw, isBatch ? `#/inputs/${index}` : '#/input'),
    );
    const sound = elements.flatMap((element) => ('input' in element ? [element.input] : []));
    if (sound.length === 0) {
      const faults = elements.flatMap((element) => ('faults' in element ? element.faults : []));
      return refuseFields(faults);
    }
    const by = this.#modeOf(capability, sound, options);
    if (by instanceof Refusal) return by;
    const { maxOutputTokens = MAX_OUTPUT_TOKENS } = options;
    const worstMicro =
      by === null ? this.#unitsCost(capability, sound) : await this.#worst(capability, sound, by, maxOutputTokens);
    const seals = sound.filter((one) => capability.seal?.(one, null) === 'one').length;
    const mode = by === null ? 'embedded' : 'provider';
    return { capability, elements, isBatch, by, maxOutputTokens, seals, worstMicro, mode };
  }

  /** Null is embedded. */
  #modeOf(
    capability: Capability,
    inputs: readonly Readonly<Record<string, unknown>>[],
    { mode = 'auto', model = null }: NonNullable<WorkRequest['options']>,
  ): PlannedWork['by'] | Refusal {
    const { models, prices } = this.#options;
    const { embedded, provider } = capability;
    const missing = this.#missingExtra(embedded);
    const takesEmbedded =
      embedded !== null && missing === undefined && inputs.every((input) => embedded.takes?.(input) ?? true);
    const choice = provider === null ? undefined : models.choose(provider.does, model);
    const isAskedFor = mode === 'provider' || model !== null || (choice?.provider.auto ?? false);
    // Whoever counts on the embedded form is not charged for a model instead.
    if (missing !== undefined && (mode === 'embedded' || !isAskedFor)) return notInstalled(missing);
    const isChosen = isAskedFor || !takesEmbedded;
    if (mode === 'embedded' || (mode === 'auto' && !isChosen)) {
      if (takesEmbedded) return null;
      if (choice !== undefined) {
        const detail = 'This capability has no embedded mode for this input.';
        return refuseFields([{ pointer: '#/options/mode', code: 'not_allowed', detail }]);
      }
    }
    if (provider === null && (mode === 'provider' || model !== null)) {
      const pointer = mode === 'provider' ? '#/options/mode' : '#/options/model';
      return refuseFields([{ pointer, code: 'not_allowed', detail: 'This capability does not use a model.' }]);
    }
    if (choice === undefined) {
      if (model !== null && provider !== null && models.choose(provider.does, null) !== undefined) {
        const detail = 'This model is not configured for this work.';
        return refuseFields([{ pointer: '#/options/model', code: 'not_allowed', detail }]);
      }
      const detail =
        'No provider is configured for this work. The operator sets AVOUCH_CAPABILITY_PROVIDERS. Nothing was charged.';
      return new Refusal(problems.providerRequired, { detail });
    }
    if (!this.#options.hasExtra('models')) return notInstalled('models');
    const price = prices.modelPrice(choice.provider.name, choice.model);
    if (price === undefined) {
      const detail = `The price table has no row for ${choice.model} of ${choice.provider.name}. Choose another model. Nothing was charged.`;
      return new Refusal(problems.priceUnknown, { detail, retryAfterSeconds: 3_600 });
    }
    return { choice, price };
  }

  /** The extra that an embedded form needs and that is not installed. */
  #missingExtra(embedded: Capability['embedded']): string | undefined {
    const extra = embedded?.extra;
    return extra === undefined || this.#options.hasExtra(extra) ? undefined : extra;
  }

  #unitsCost(capability: Capability, inputs: readonly Readonly<Record<string, unknown>>[]): number {
    const each = this.#options.prices.unitCostMicro(capability.id);
    return inputs.reduce((sum, input) => sum + each * capability.units(input, null), 0);
  }

  async #worst(
    { provider }: Capability,
    inputs: readonly Readonly<Record<string, unknown>>[],
    { price }: NonNullable<PlannedWork['by']>,
    maxOutputTokens: number,
  ): Promise<number> {
    let usage = NO_USAGE;
    for (const input of inputs) {
      const question = provider?.does === 'image' ? IMAGE_QUESTION : await provider?.ask(input, this.#tools(NO_TURN));
      if (question === undefined || question instanceof Unworkable) continue;
      usage = addUsage(usage, worstUsage(question, maxOutputTokens));
    }
    return tokenCostMicro(usage, price, this.#options.fxMicro);
  }

  async perform(plan: PlannedWork, caller: WorkCaller): Promise<WorkDone | Refusal> {
    const { capability, elements, isBatch, by } = plan;
    const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(DEADLINE_MS)]);
    using turn = this.#options.heavy.turn(caller.callerId, signal);
    const isElsewhere =
      capability.embedded?.isSelfContained === true && textLengthOf(elements) > HEAVY_LIMITS.textLength;
    const means = { signal, tools: this.#tools(turn), isElsewhere };
    const done = await inTurns(elements, AT_ONCE, (element) => this.#one(plan, element, means));
    const kept = withinLength(done);
    const worked = kept.flatMap((one) => (one instanceof Unworkable || 'faults' in one ? [] : [one]));
    if (worked.length === 0) return this.#refusal(kept, isBatch);
    const units = worked.reduce((sum, { input, output }) => sum + capability.units(input, output), 0);
    const usage = worked.reduce((sum, one) => addUsage(sum, one.usage), NO_USAGE);
    const { prices, fxMicro } = this.#options;
    const outputs = kept.map(shown);
    return {
      output: isBatch ? null : (outputs[0] ?? null),
      outputs: isBatch ? outputs : null,
      costMicro: by === null ? units * prices.unitCostMicro(capability.id) : tokenCostMicro(usage, by.price, fxMicro),
      mode: plan.mode,
      provider: by === null ? null : { name: by.choice.provider.name, model: by.choice.model },
      usage: { ...usage, units },
      seals: worked.flatMap(({ input, output }) => {
        const claim = capability.seal?.(input, output) ?? null;
        return claim === null || claim === 'one' ? [] : [{ of: output, claim }];
      }),
    };
  }

  async #one(plan: PlannedWork, element: Element, by: WorkMeans): Promise<Outcome> {
    if ('faults' in element) return element;
    const { input } = element;
    if (by.signal.aborted) return outOfTime();
    try {
      const given = await this.#work(plan, input, by);
      if (given instanceof Unworkable) return given;
      const length = canonicalJson(given.output).length;
      return { input, ...given, length };
    } catch (error) {
      // What a model or a file gave may be in no form that an answer can have.
      if (error instanceof z.ZodError) return failed('The response of the model does not have the requested form.');
      if (error instanceof CanonicalJsonError) return failed('The result is not valid Unicode text.');
      throw error;
    }
  }

  async #work(
    { capability, by, maxOutputTokens }: PlannedWork,
    input: Readonly<Record<string, unknown>>,
    { signal, tools, isElsewhere }: WorkMeans,
  ): Promise<{ output: Record<string, unknown>; usage: Usage } | Unworkable> {
    if (by === null) {
      const output = isElsewhere
        ? await tools.heavy('embedded', { capability: capability.id, input })
        : await capability.embedded?.run(input, tools);
      return output === undefined || output instanceof Unworkable
        ? (output ?? outOfTime())
        : { output, usage: NO_USAGE };
    }
    const { choice } = by;
    const question = await capability.provider?.ask(input, tools);
    if (question === undefined || question instanceof Unworkable) return question ?? outOfTime();
    const asked = await this.#options.models.ask(choice, question, { maxOutputTokens, signal });
    if (asked instanceof Unworkable) return asked;
    const output = await capability.provider?.read(input, asked.answer, { model: choice.model, tools });
    if (output === undefined || output instanceof Unworkable) return output ?? outOfTime();
    return { output, usage: asked.usage };
  }

  #tools(turn: { readonly run: Tools['heavy'] }): Tools {
    const { fetch, clock } = this.#options;
    return { heavy: (kind, task) => turn.run(kind, task), fetch, nowIso: () => isoTime(clock.now()) };
  }

  #refusal(outcomes: readonly Outcome[], isBatch: boolean): Refusal {
    const faults = outcomes.flatMap((one, index): readonly FieldError[] => {
      if (!(one instanceof Unworkable)) return 'faults' in one ? one.faults : [];
      const pointer = `${isBatch ? `#/inputs/${index}` : '#/input'}${one.field === null ? '' : `/${one.field}`}`;
      return one.kind === 'work' ? [] : [{ pointer, code: one.code, detail: one.detail }];
    });
    const unworkable = outcomes.filter((one) => one instanceof Unworkable);
    const broken = unworkable.find(({ kind }) => kind === 'work');
    if (broken !== undefined) {
      const { code, detail, retryAfterSeconds } = broken;
      const waiting = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
      return new Refusal(PROBLEM_OF_CODE[code] ?? problems.providerFailed, {
        detail: `${detail} Nothing was charged.`,
        ...waiting,
      });
    }
    const tooLarge = unworkable.find(({ kind }) => kind === 'size');
    if (tooLarge === undefined) return refuseFields(faults);
    return new Refusal(problems.workTooLarge, {
      detail: `${tooLarge.detail} Nothing was charged.`,
      errors: faults.slice(0, 100),
    });
  }
}

/** What has no code here is a failure of the work like others. */
const PROBLEM_OF_CODE: Readonly<Record<string, ProblemType>> = {
  too_many_executions: problems.tooManyExecutions,
  heavy_work_paused: problems.heavyWorkPaused,
  capabilities_busy: problems.capabilitiesBusy,
};
/** Before the work nothing heavy is done. */
const NO_TURN = { run: async () => failed('The work has not started.') };

interface Worked {
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Record<string, unknown>;
  readonly usage: Usage;
  readonly length: number;
}
type Outcome = Worked | Unworkable | { readonly faults: readonly FieldError[] };

function elementOf(capability: Capability, raw: unknown, pointer: string): Element {
  const decoded = decode(capability.input, raw);
  if (decoded.ok) return { input: decoded.input as Readonly<Record<string, unknown>> };
  return { faults: decoded.errors.map((fault) => ({ ...fault, pointer: pointer + fault.pointer.slice(1) })) };
}

/** Outputs behind the point at which an answer becomes too long are left out, and not charged. */
function withinLength(outcomes: readonly Outcome[]): Outcome[] {
  let length = 0;
  return outcomes.map((one) => {
    if (!('length' in one)) return one;
    length += one.length;
    return length > HEAVY_LIMITS.outputLength
      ? new Unworkable(
          'input',
          'output_too_long',
          `The response would have more than ${HEAVY_LIMITS.outputLength} characters.`,
        )
      : one;
  });
}

function shown(one: Outcome): object {
  if (one instanceof Unworkable) return { error: { code: one.code, detail: one.detail } };
  if (!('faults' in one)) return one.output;
  const details = one.faults.slice(0, 5).map(({ pointer, detail }) => `${pointer}: ${detail}`);
  return { error: { code: 'invalid_parameters', detail: details.join(' ') } };
}

async function inTurns<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

/** The characters of all texts in a value, at any depth. */
function textLengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + textLengthOf(one), 0);
}

function notInstalled(extra: string): Refusal {
  const detail = `The ${extra} extra is not installed. The operator can install it with ${installCommand(extra)}. Nothing was charged.`;
  return new Refusal(notInstalledProblem, { detail, retryAfterSeconds: 3_600 });
}

function outOfTime(): Unworkable {
  return failed('The execution timed out.');
}

function failed(detail: string): Unworkable {
  return new Unworkable('work', 'provider_failed', detail);
}
