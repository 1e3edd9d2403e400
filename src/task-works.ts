import type { Seals } from '#areas/attestation/seals.ts';
import type { Verifications } from '#areas/attestation/verifications.ts';
import type { BountyList } from '#areas/bounties/bounty-list.ts';
import { bounties as bountyRow } from '#areas/bounties/operations.ts';
import type { CapabilityWork, Plan, WorkDone } from '#areas/capabilities/work.ts';
import type { RouteId } from '#areas/tasks/route-table.ts';
import {
  type Effect,
  type Inputs,
  questionsOf,
  type RouteQuote,
  type RouteWork,
  type RouteWorks,
} from '#areas/tasks/route-work.ts';
import type { Entities, Question } from '#areas/tasks/router.ts';
import { ANONYMOUS } from '#areas/tasks/task.ts';
import { mulDiv } from '#kernel/money.ts';
import { schemaOf } from '#kernel/openapi.ts';
import { FileAnswer, type InputSchema } from '#kernel/operation.ts';
import type { PaidRow } from '#kernel/paid-operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { chargeMicro } from '#platform/ledger/steps.ts';
import type { Step } from '#platform/storage/store.ts';

export interface TaskWorksOptions {
  readonly paidRows: readonly PaidRow<Step>[];
  readonly bounties: Pick<BountyList, 'list'>;
  readonly verifications: Pick<Verifications, 'verify'>;
  readonly seals: Pick<Seals, 'seal'>;
  readonly capabilities: Pick<CapabilityWork, 'plan' | 'perform'>;
  /** Millionths of a EUR for one USD. */
  readonly usdEurMicro: number;
  /** Work that other parts do as it is. */
  readonly others?: OtherWorks;
}

export type OtherWorks = Readonly<Partial<Record<RouteId, OtherWork>>>;

interface OtherWork extends Pick<RouteWork, 'revenue'> {
  /** Zero for a caller who gets it free. */
  readonly priceMicro: (inputs: Inputs, agentId: string) => number;
  /** Fields that the text may name: their entity. */
  readonly from: Readonly<Record<string, string>>;
  /** A refusal that names fields becomes questions. */
  readonly call: (inputs: Inputs, effect: Effect) => Promise<object | Refusal>;
}

const LEAST_PRICE_MICRO = 10_000;
const SEAL_FEE_MICRO = 250_000;
const MOST_QUESTIONS = 3;

/** What other parts of the service do for tasks, by route. */
export function taskWorks(options: TaskWorksOptions): RouteWorks {
  const verdict = (id: RouteId, from: Readonly<Record<string, string>>, freePath: string | null = null) => {
    const row = options.paidRows.find(({ operation }) => operation.operationId === id);
    return row === undefined ? {} : { [id]: verdictWork(row, { from, freePath, usdEurMicro: options.usdEurMicro }) };
  };
  return {
    ...verdict('eu_vat_check', { vat_number: 'vat' }),
    ...verdict('counterparty_check', { kvk_number: 'kvk', vat_number: 'vat' }),
    ...verdict('sanctions_screen', { name: 'name' }),
    ...verdict('nl_vehicle_check', { kenteken: 'plate' }),
    ...verdict('spend_fuse', { amount_usd: 'usd' }, '/v1/check'),
    bounty_search: freeWork(bountyRow.input, { min_reward_usd: 'min_usd' }, (input) => options.bounties.list(input)),
    verify_seal: verifyWork(options.verifications),
    record_integrity: sealWork(options.seals),
    'text.translate': capabilityWork('text.translate', options),
    'text.summarise': capabilityWork('text.summarise', options),
    'text.extract': capabilityWork('text.extract', options),
    'text.redact': capabilityWork('text.redact', options),
    'web.fetch_seal': capabilityWork('web.fetch_seal', options),
    ...Object.fromEntries(Object.entries(options.others ?? {}).map(([id, other]) => [id, otherWork(other)])),
  };
}

/** Parameters that a call knows: what the text names, and what the caller gave beside it. */
function known(schema: InputSchema, from: Readonly<Record<string, string>>, entities: Entities, inputs: Inputs) {
  const given = Object.entries(inputs).filter(([field]) => field in schema.shape);
  return { ...named(from, entities), ...Object.fromEntries(given) };
}

function named(from: Readonly<Record<string, string>>, entities: Entities): Record<string, unknown> {
  const found = Object.entries(from).map(([field, entity]) => [field, entities[entity]] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function missingIn(schema: InputSchema, parameters: object): Question[] {
  const parsed = schema.safeParse(parameters);
  const faults = parsed.success ? [] : parsed.error.issues;
  const fields = new Set(
    faults.flatMap(({ path: [field] }) => (field === undefined ? Object.keys(schema.shape) : [String(field)])),
  );
  return [...fields].slice(0, MOST_QUESTIONS).map((field) => {
    const { description } = schemaOf(schema.shape[field] as InputSchema, 'input');
    return { id: field, text: typeof description === 'string' ? `Which ${field}? ${description}` : `Which ${field}?` };
  });
}

const FREE = { priceMicro: 0, feeMicro: 0, sold: null };

function freeWork<I extends InputSchema>(
  schema: I,
  from: Readonly<Record<string, string>>,
  run: (input: ReturnType<I['parse']>) => Promise<object>,
): RouteWork {
  const parameters = (entities: Entities, inputs: Inputs) => known(schema, from, entities, inputs);
  return {
    revenue: 'revenue:capability',
    isSold: false,
    quote: async (entities, inputs) => ({ ...FREE, questions: missingIn(schema, parameters(entities, inputs)) }),
    run: async (entities, inputs) => {
      return { result: await run(schema.parse(parameters(entities, inputs)) as ReturnType<I['parse']>) };
    },
  };
}

/** A verdict that is sold over x402; a wallet pays the same in EUR. */
function verdictWork(
  { operation, handler, kind }: PaidRow<Step>,
  {
    from,
    freePath,
    usdEurMicro,
  }: { from: Readonly<Record<string, string>>; freePath: string | null; usdEurMicro: number },
): RouteWork {
  const { input: schema, path, price } = operation;
  if (price === null) throw new Error(`${operation.operationId} has no price`);
  const priceMicro = Math.max(LEAST_PRICE_MICRO, mulDiv(Number(price.atomic), usdEurMicro, 1_000_000, 'up'));
  const addressOf = (of: string, parameters: Readonly<Record<string, unknown>>) => {
    const query = new URLSearchParams(
      Object.entries(parameters).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
    return query.size === 0 ? of : `${of}?${query}`;
  };
  return {
    revenue: 'revenue:verdict',
    isSold: true,
    async quote(entities, inputs): Promise<RouteQuote> {
      const parameters = known(schema, from, entities, inputs);
      const sold = {
        x402Path: addressOf(path, parameters),
        priceUsdc: price.usdc,
        freePath: freePath && addressOf(freePath, parameters),
      };
      return { priceMicro, feeMicro: 0, sold, questions: missingIn(schema, parameters) };
    },
    async run(entities, inputs, { key, agentId }) {
      const input = schema.parse(known(schema, from, entities, inputs));
      const verdict = await handler(input, { requestId: key, addressTag: '' }, { key, payer: agentId });
      return verdict instanceof Refusal ? verdict : { result: { kind, result: verdict.result } };
    },
  };
}

function verifyWork(verifications: Pick<Verifications, 'verify'>): RouteWork {
  const idOf = (entities: Entities, inputs: Inputs) => entities['seal'] ?? inputs['attestation_id'];
  return {
    revenue: 'revenue:capability',
    isSold: false,
    async quote(entities, inputs) {
      const id = idOf(entities, inputs);
      const isKnown = typeof id === 'string' && id.startsWith('ATT-');
      const text = 'Which attestation_id? The id of a seal, ATT-…; a handshake, AMH-…, is read at /api/amh/status.';
      return { ...FREE, questions: isKnown ? [] : [{ id: 'attestation_id', text }] };
    },
    async run(entities, inputs) {
      const verified = await verifications.verify(String(idOf(entities, inputs)));
      if (verified instanceof FileAnswer) throw new Error('a verification came as a file');
      return verified instanceof Refusal ? verified : { result: verified };
    },
  };
}

function sealWork(seals: Pick<Seals, 'seal'>): RouteWork {
  return {
    revenue: 'revenue:seal',
    isSold: true,
    async quote(_entities, { statement }) {
      const text = 'Which statement? The text to be sealed, exactly as it is to stand.';
      const questions = typeof statement === 'string' && statement !== '' ? [] : [{ id: 'statement', text }];
      return { priceMicro: SEAL_FEE_MICRO, feeMicro: 0, sold: null, questions };
    },
    async run(_entities, { statement }, { key }: Effect) {
      const sealed = await seals.seal({
        schema_id: 'record.integrity.v1',
        claim: { statement },
        disclosure: 'holder',
        idempotency_key: key,
      });
      if (sealed instanceof Refusal) return sealed;
      const { body } = sealed;
      // A claim that is refused costs nothing.
      return { result: body, chargeMicro: body.verdict === 'ACCEPT' ? SEAL_FEE_MICRO : 0 };
    },
  };
}

function otherWork({ revenue, priceMicro, from, call }: OtherWork): RouteWork {
  return {
    revenue,
    isSold: false,
    quote: async (_entities, inputs, agentId) => ({ ...FREE, priceMicro: priceMicro(inputs, agentId), questions: [] }),
    async run(entities, inputs, effect) {
      const result = await call({ ...named(from, entities), ...inputs }, effect);
      return result instanceof Refusal ? result : { result };
    },
  };
}

/** A capability: free where it runs embedded and seals nothing. An anonymous caller gets the embedded form if there is one. */
function capabilityWork(id: RouteId, { capabilities, seals }: TaskWorksOptions): RouteWork {
  const planFor = async ({ url }: Entities, inputs: Inputs, agentId: string): Promise<Plan | Refusal> => {
    const input = id === 'web.fetch_seal' && url !== undefined ? { url, ...inputs } : inputs;
    const planIn = (mode: 'auto' | 'embedded') => capabilities.plan({ capability: id, input, options: { mode } });
    const embedded = agentId === ANONYMOUS ? await planIn('embedded') : null;
    return embedded === null || embedded instanceof Refusal ? planIn('auto') : embedded;
  };
  const chargeFor = (mode: Plan['mode'], costMicro: number, sealCount: number) =>
    (mode === 'embedded' ? 0 : chargeMicro(costMicro)) + sealCount * SEAL_FEE_MICRO;
  return {
    revenue: 'revenue:capability',
    isSold: false,
    async quote(entities, inputs, agentId) {
      const plan = await planFor(entities, inputs, agentId);
      if (!(plan instanceof Refusal)) {
        return { ...FREE, priceMicro: chargeFor(plan.mode, plan.worstMicro, plan.seals), questions: [] };
      }
      const questions = questionsOf(plan);
      return questions.length === 0 ? plan : { ...FREE, questions };
    },
    async run(entities, inputs, { key, agentId, signal }) {
      const plan = await planFor(entities, inputs, agentId);
      if (plan instanceof Refusal) return plan;
      const done = await capabilities.perform(plan, { agentId, signal });
      if (done instanceof Refusal) return done;
      const sealed = await sealedOutput(done, key, seals);
      if (sealed instanceof Refusal) return sealed;
      const costMicro = plan.mode === 'embedded' ? 0 : done.costMicro;
      return { result: sealed.output, chargeMicro: chargeFor(plan.mode, costMicro, sealed.count), costMicro };
    },
  };
}

/** Seals what the work asks to be sealed, once for each key. */
async function sealedOutput(
  done: WorkDone,
  key: string,
  seals: Pick<Seals, 'seal'>,
): Promise<{ readonly output: object; readonly count: number } | Refusal> {
  const output = { ...done.output };
  for (const [index, { claim }] of done.seals.entries()) {
    const sealed = await seals.seal({
      schema_id: 'record.integrity.v1',
      claim: { ...claim },
      disclosure: 'holder',
      idempotency_key: `${key}:${index + 1}`,
    });
    if (sealed instanceof Refusal) return sealed;
    const { attestation_id, disclosure_seed } = sealed.body;
    Object.assign(output, { attestation_id, disclosure_seed });
  }
  return { output, count: done.seals.length };
}
