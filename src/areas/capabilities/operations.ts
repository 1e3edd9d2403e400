import { notInstalled } from '#kernel/general-problems.ts';
import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { documentPages } from '#web/document.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { quickRecord } from '#kernel/quick-record.ts';
import { BY_IDEMPOTENCY_KEY, IDEMPOTENCY_PROBLEMS, idempotencyKeyField } from '#platform/ledger/answers.ts';
import { FUND_PROBLEMS, KEY_PROBLEMS, READ_KEY_PROBLEMS } from '#platform/ledger/caller.ts';
import { CHARGE_FORMULA, MARKUP_PCT, MINIMUM_CHARGE_EUR } from '#platform/ledger/steps.ts';
import examples from './examples.json' with { type: 'json' };
import {
  byAgent,
  CapabilityPrice,
  CapabilityReceipt,
  CapabilityUsage,
  executionIdField,
  MAX_OUTPUT_TOKENS,
  mode,
  Provider,
} from './fields.ts';
import { ManifestShape } from './manifest-shape.ts';
import * as problems from './problems.ts';

const shared = { tag: 'capabilities', access: 'none', price: null, cache: 'no-store' } as const;
const BODY_LIMIT_BYTES = 16 * 1024 * 1024;
const SHA256 = '98ff5edf2dcdd41108f84d08a6a5a3eb2d92eee2ddb4464d68e3a28c31ec8d36';

const member = quickRecord(z.record(z.string(), z.unknown()), () => true);
const options = z.strictObject({
  mode: z.enum(['auto', 'embedded', 'provider']).default('auto'),
  model: z.string().min(1).max(200).nullable().default(null),
  max_charge_eur: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?$/, 'Must be a decimal amount with at most six decimals.')
    .nullable()
    .default(null),
  max_output_tokens: z.int().min(16).max(16_000).default(MAX_OUTPUT_TOKENS),
});

export const executeCapability = defineOperation({
  ...shared,
  operationId: 'execute_capability',
  access: 'agent',
  walletPrice: { eur: MINIMUM_CHARGE_EUR, rule: CHARGE_FORMULA },
  method: 'post',
  effects: true,
  rate: 'wallet',
  bodyLimitBytes: BODY_LIMIT_BYTES,
  path: '/capabilities/execute',
  summary: 'Execute a capability',
  description: `Puts a hold on the maximum price, does the work, and charges its cost plus ${MARKUP_PCT} percent, at least ${MINIMUM_CHARGE_EUR} EUR per call. Failed work is not charged. In a list, a failed input returns its error in its place. With mode auto, Avouch uses a provider if one is configured for automatic use, otherwise the embedded mode.`,
  input: z.strictObject({
    agent_key: byAgent.field,
    idempotency_key: idempotencyKeyField,
    capability: z.string().min(1).max(64).meta({ description: 'The capability id, as listed in the manifest.' }),
    input: member.optional().meta({ description: 'Input as the schema of the capability describes it.' }),
    inputs: z
      .array(member)
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Use inputs instead of input for up to 100 inputs with one charge.' }),
    options: options
      .default({ mode: 'auto', model: null, max_charge_eur: null, max_output_tokens: MAX_OUTPUT_TOKENS })
      .meta({ description: 'Mode, model and the maximum price of the call.' }),
  }),
  headerOnly: { ...byAgent.header, ...BY_IDEMPOTENCY_KEY },
  output: z
    .strictObject({
      execution_id: z.string(),
      capability: z.string(),
      mode,
      provider: Provider.nullable(),
      output: member.nullable(),
      outputs: z.array(member).nullable(),
      usage: CapabilityUsage,
      price: CapabilityPrice,
      balance_eur: z.string().meta({ description: 'The available balance when this call began, minus its charge.' }),
      receipt: CapabilityReceipt,
      sandbox: z.boolean(),
    })
    .meta({ id: 'CapabilityExecution' }),
  problems: [
    ...KEY_PROBLEMS,
    ...FUND_PROBLEMS,
    ...IDEMPOTENCY_PROBLEMS,
    problems.capabilityUnknown,
    problems.providerRequired,
    problems.providerFailed,
    problems.workTooLarge,
    problems.tooManyExecutions,
    problems.heavyWorkPaused,
    problems.capabilitiesBusy,
    notInstalled,
    problems.priceUnknown,
  ],
  examples: recorded(examples.execute_capability),
});

export const getExecution = defineOperation({
  ...shared,
  operationId: 'get_execution',
  access: 'agent',
  method: 'get',
  effects: false,
  reads: 'store',
  rate: 'wallet',
  path: '/capabilities/executions/{execution_id}',
  summary: 'Get an execution',
  description: 'Returns state, usage, price and receipt of one of your executions. Inputs and outputs are not stored.',
  input: z.strictObject({ agent_key: byAgent.field, execution_id: executionIdField }),
  headerOnly: byAgent.header,
  output: z
    .strictObject({
      execution_id: z.string(),
      capability: z.string(),
      mode,
      status: z.enum(['running', 'done', 'failed']),
      provider: Provider.nullable(),
      usage: CapabilityUsage.nullable(),
      price: CapabilityPrice.nullable(),
      receipt: CapabilityReceipt.nullable(),
      error: z.string().nullable(),
      started_at: timeField,
      finished_at: timeField.nullable(),
    })
    .meta({ id: 'CapabilityExecutionRecord' }),
  problems: [...READ_KEY_PROBLEMS, problems.executionNotFound],
  examples: recorded(examples.get_execution),
});

export const capabilitiesManifest = defineOperation({
  ...shared,
  operationId: 'capabilities_manifest',
  method: 'get',
  effects: false,
  rate: 'none',
  cache: { maxAgeSeconds: 300 },
  path: '/capabilities/manifest',
  isDocument: true,
  summary: 'List capabilities',
  description: 'Lists every capability with its schemas, prices and the modes that this installation offers now.',
  input: z.strictObject({}),
  output: ManifestShape,
  pages: documentPages<object>(
    () => 'Capabilities',
    () => '/capabilities/manifest',
  ),
  problems: [],
  examples: [
    {
      name: 'shortened',
      input: {},
      output: {
        manifest: 'capabilities',
        manifest_version: '1.0',
        service: 'Avouch',
        base_url: 'https://avouch.example',
        sandbox: true,
        links: { self: 'https://avouch.example/capabilities/manifest' },
        count: 15,
        currency: 'EUR',
        price_formula: CHARGE_FORMULA,
        minimum_charge_eur: Number(MINIMUM_CHARGE_EUR),
        price_table_sha256: SHA256,
        auth: 'x_agent_key',
        execute: { method: 'POST', path: '/capabilities/execute' },
        capabilities: [],
      },
    },
  ],
});

export type ExecuteInput = z.output<typeof executeCapability.input>;
export type ExecuteAnswer = z.output<typeof executeCapability.output>;
export type ExecutionRecord = z.output<typeof getExecution.output>;
