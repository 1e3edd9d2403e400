import { refuseFields } from '#kernel/general-problems.ts';
import { type Call, Answer, FileResponse, type Operation, WithHeaders, WithRefusal } from '#kernel/operation.ts';
import { type BoundOperation, inputFrom, parsedJson, rowAsker } from '#kernel/bound-operation.ts';
import type { GateAnswer, GatedCall } from '#kernel/paid-operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { FindRowTool } from '#kernel/row-tool.ts';
import { formDefaults, preselected } from './defaults.ts';
import { exampleValues, fieldsOf } from './operations.ts';
import type { PlaygroundAnswer } from './answer.ts';
import { noSandboxBuyer } from './problems.ts';
import { bodyText, requestOf, targetOf } from './request.ts';

type Given = Readonly<Record<string, string | undefined>>;
type Outcome = NonNullable<PlaygroundAnswer['outcome']>;
/** What a call came to, with the refusal of one that was refused. */
type Ran = { readonly outcome: Outcome; readonly refusal?: Refusal };
type Shown = PlaygroundAnswer | Refusal | WithRefusal<PlaygroundAnswer>;
type Request = { readonly operation: Operation; readonly values: Record<string, string>; readonly target: string };

/** Answers a challenge (the header PAYMENT-REQUIRED) with a payment: the header PAYMENT-SIGNATURE and who pays. */
export type SandboxBuyer = (challenge: string) => Promise<{ readonly payment: string; readonly from: string }>;

export interface PlaygroundOptions {
  readonly tried: readonly Operation[];
  /** All that cost something. */
  readonly paid: readonly Operation[];
  /** Every operation with what answers it. */
  readonly bound: () => readonly BoundOperation[];
  readonly baseUrl: () => string;
  readonly problemDocument: (refusal: Refusal, instance: string) => Readonly<Record<string, unknown>>;
  readonly buyer: SandboxBuyer;
  readonly rowTool: FindRowTool;
}

const NOT_OFFERED = {
  pointer: '#/operation',
  code: 'not_offered',
  detail: 'This installation does not offer this operation.',
};

/** Makes the calls of the forms in the name of who sends them. */
export class Playground {
  readonly #options: PlaygroundOptions;

  constructor(options: PlaygroundOptions) {
    this.#options = options;
  }

  show(given: Given): PlaygroundAnswer | Refusal {
    return this.#isOffered(given) ? this.#view(this.#begun(given), null) : refuseFields([NOT_OFFERED]);
  }

  async run(given: Given, call: Call): Promise<Shown> {
    const ran = await this.#run(given, call, null);
    return ran instanceof Refusal ? ran : this.#shown(given, ran);
  }

  async pay({ verify, ...given }: Given, call: Call): Promise<Shown> {
    const ran = await this.#run(given, call, this.#options.buyer);
    if (ran instanceof Refusal) return ran;
    if (verify === undefined) return this.#shown(given, ran);
    const { outcome } = ran;
    return this.#shown(given, { ...ran, outcome: { ...outcome, receipt: await this.#verified(outcome, call) } });
  }

  #shown(given: Given, { outcome, refusal }: Ran): Shown {
    const view = this.#view(given, outcome);
    return refusal === undefined ? view : new WithRefusal(refusal, view);
  }

  /** What the service says of the receipt of a response, as anybody may ask it. */
  async #verified({ answer }: Outcome, call: Call): Promise<Outcome['receipt']> {
    const ask = rowAsker(this.#options.bound());
    const hasReceipt = typeof answer === 'object' && answer !== null && 'receipt' in answer;
    if (!hasReceipt) return null;
    const verdict = await ask({ operationId: 'receipt_verify' }, { answer }, call);
    return verdict instanceof Refusal ? null : (verdict as NonNullable<Outcome['receipt']>);
  }

  /** A form that nothing was typed into holds an example of what it must have, unless sending it would change something. */
  #begun(given: Given): Given {
    const { operation, values } = this.#request(given);
    const { operationId, effects } = operation;
    const required = new Set(fieldsOf(operation).flatMap((field) => (field.required ? [field.name] : [])));
    const example = Object.entries(effects ? {} : exampleValues(operation)).filter(([name]) => required.has(name));
    const isUntouched = Object.keys(values).length === 0;
    const begun = isUntouched ? (formDefaults(operationId) ?? Object.fromEntries(example)) : {};
    return { ...preselected(operationId), ...begun, ...given };
  }

  async #run(given: Given, call: Call, buyer: SandboxBuyer | null): Promise<Ran | Refusal> {
    if (!this.#isOffered(given)) return refuseFields([NOT_OFFERED]);
    const request = this.#request(given);
    const bound = this.#options.bound().find(({ operation }) => operation === request.operation);
    if (bound === undefined) throw new Error(`${request.operation.operationId} is not offered here`);
    if ('gate' in bound) {
      const outcome = await this.#pass(bound, request, call, buyer);
      return outcome instanceof Refusal ? outcome : { outcome };
    }
    const output = await this.#call(bound, request, call);
    const outcome = this.#outcome(output, request);
    return output instanceof Refusal ? { outcome, refusal: output } : { outcome };
  }

  #isOffered({ operation }: Given): boolean {
    const { tried, paid } = this.#options;
    return [...tried, ...paid].some(({ operationId }) => operationId === operation);
  }

  #request(given: Given): Request {
    const { tried, paid } = this.#options;
    const operation = [...tried, ...paid].find(({ operationId }) => operationId === given['operation']) as Operation;
    const { operation: _, ...rest } = given;
    // A form sends every field, the empty ones too.
    const sent = Object.entries(rest).filter((pair): pair is [string, string] => !!pair[1]);
    const values = Object.fromEntries(sent.map(([name, text]) => [name, text.toWellFormed()]));
    const target = targetOf(operation, values);
    return { operation, values, target };
  }

  /** The members as the operation would read them from a body. */
  #input({ operation, values }: Request): unknown {
    return inputFrom(operation, bodyText(values, fieldsOf(operation)));
  }

  async #call(bound: Extract<BoundOperation, { handler: unknown }>, request: Request, call: Call): Promise<unknown> {
    const input = this.#input(request);
    return input instanceof Refusal ? input : bound.handler(input, { ...call, mediaType: 'application/json' });
  }

  #outcome(output: unknown, { operation }: Request, status = operation.successStatus ?? 200): Outcome {
    const plain = { headers: {}, paid_from: null };
    if (output instanceof Refusal) {
      const answer = this.#options.problemDocument(output, operation.path);
      return { ...plain, status: output.type.status, answer };
    }
    if (output instanceof WithHeaders) return this.#outcome(output.answer, { operation, values: {}, target: '' });
    if (output instanceof FileResponse)
      return { ...plain, status, answer: parsedJson(String(output.text)) ?? String(output.text) };
    if (output instanceof Answer)
      return this.#outcome(output.body, { operation, values: {}, target: '' }, output.status);
    return { ...plain, status, answer: output };
  }

  async #pass(
    { gate }: Extract<BoundOperation, { gate: unknown }>,
    request: Request,
    call: Call,
    buyer: SandboxBuyer | null,
  ): Promise<Outcome | Refusal> {
    const { requestId, addressTag } = call;
    const ask = (payment?: string) => {
      const gated: GatedCall = {
        requestId,
        addressTag,
        isHead: false,
        url: request.target,
        header: (name) => (name === 'payment-signature' ? payment : undefined),
        query: () => request.values,
        input: () => this.#input(request),
      };
      return gate(gated);
    };
    const unpaid = await ask();
    const challenge = unpaid.headers.find(([name]) => name.toLowerCase() === 'payment-required')?.[1];
    if (buyer === null || challenge === undefined) return this.#gateOutcome(unpaid, request, null);
    const paid = await buyer(challenge).catch(() => undefined);
    if (paid === undefined)
      return new Refusal(noSandboxBuyer, {
        detail: 'The sandbox account cannot pay now. Retry later. Nothing was charged.',
      });
    return this.#gateOutcome(await ask(paid.payment), request, paid.from);
  }

  #gateOutcome({ headers, answer }: GateAnswer, request: Request, paidFrom: string | null): Outcome {
    const shown =
      answer instanceof Refusal
        ? this.#outcome(answer, request)
        : this.#outcome(parsedJson(answer.body), request, answer.status);
    return { ...shown, headers: Object.fromEntries(headers), paid_from: paidFrom };
  }

  #view(given: Given, outcome: Outcome | null): PlaygroundAnswer {
    const { tried, baseUrl, rowTool } = this.#options;
    const { operation, values } = this.#request(given);
    const { operationId, summary, description, price } = operation;
    const fields = fieldsOf(operation);
    return {
      operations: tried.map((row) => ({
        operation: row.operationId,
        summary: row.summary,
        price_usdc: row.price?.usdc ?? null,
      })),
      chosen: { operation: operationId, summary, description, price_usdc: price?.usdc ?? null, fields },
      values,
      request: requestOf(operation, values, { fields, baseUrl: baseUrl(), tool: rowTool(operationId) }),
      outcome,
    };
  }
}
