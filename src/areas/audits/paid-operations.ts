import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import { auditBudget } from './budget-audit.ts';
import { auditCoordination } from './coordination-audit.ts';
import { fuse } from './fuse.ts';
import { BudgetAuditParameters, CoordinationAuditParameters, SpendParameters } from './inputs.ts';
import { BudgetAudit, CoordinationAudit, FuseVerdict } from './outputs.ts';
import { BUDGET_SAMPLE_INPUT, COORDINATION_SAMPLE_INPUT } from './preview.ts';
import { FUSE_THRESHOLDS } from './thresholds.ts';

const AUDIT_PRICE = { usdc: '0.05', atomic: '50000' } as const;
const FUSE_PRICE = { usdc: '0.002', atomic: '2000' } as const;

const paid = { tag: 'audits', method: 'get', access: 'none', rate: 'paid', cache: 'no-store', problems: [] } as const;

/** The three members of the spec; the gate adds to the receipt what it knows of the payment. */
const Receipt = z.looseObject({ result_sha256: z.string(), signature: z.string(), signer_pubkey: z.string() });

function envelope<K extends string, R extends z.ZodType>(kind: K, result: R) {
  return z.strictObject({ kind: z.literal(kind), result, receipt: Receipt });
}

const receipt = {
  result_sha256: '4b0c5f0c3b1a1de9ad2a0ed1e1a1b7c2f0a6a2a8f1f1f2b9ff6a2a4f1e4e0d35',
  signature: 'FeySacuaGynH03DbLWhDElTXeXV1Jqi44ZfaC5XtCYU=',
  signer_pubkey: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
};

export const agentBudgetAudit = defineOperation({
  ...paid,
  operationId: 'agent_budget_audit',
  path: '/v1/agent-budget-audit',
  summary: "Audit an agent's spending controls",
  description:
    'Checks 18 controls against your numbers. The result has the exposure in money, the incidents behind each finding and its fix. Self-declared: nothing is inspected.',
  input: BudgetAuditParameters,
  output: envelope('budget_audit', BudgetAudit),
  effects: false,
  price: AUDIT_PRICE,
  examples: [
    {
      name: 'open',
      input: BUDGET_SAMPLE_INPUT,
      output: { kind: 'budget_audit' as const, result: auditBudget(BUDGET_SAMPLE_INPUT), receipt },
    },
  ],
});

export const agentCoordinationAudit = defineOperation({
  ...paid,
  operationId: 'agent_coordination_audit',
  path: '/v1/agent-coordination-audit',
  summary: 'Audit agent coordination',
  description:
    'Checks 16 patterns of lost work, each with its measurements, its fix and the Avouch calls that help. Self-declared: nothing is inspected.',
  input: CoordinationAuditParameters,
  output: envelope('coord_audit', CoordinationAudit),
  effects: false,
  price: AUDIT_PRICE,
  examples: [
    {
      name: 'open',
      input: COORDINATION_SAMPLE_INPUT,
      output: { kind: 'coord_audit' as const, result: auditCoordination(COORDINATION_SAMPLE_INPUT), receipt },
    },
  ],
});

const SPEND = { amount_usd: '0.05', instruction_source: 'principal', agent: 'scout-1', intent_id: 'i-7f3a' } as const;

export const spendFuse = defineOperation({
  ...paid,
  operationId: 'spend_fuse',
  tryable: 6,
  path: '/v1/spend-fuse',
  summary: 'Run ten signed checks before a spend',
  description: `Returns GO, CAUTION or STOP for one spend. What you do not declare never passes. If an intent of an agent is let through, Avouch remembers it for ${FUSE_THRESHOLDS.memory_days} days and stops it when it comes again.`,
  input: SpendParameters,
  output: envelope('spend_fuse', FuseVerdict),
  effects: true,
  price: FUSE_PRICE,
  examples: [
    {
      name: 'caution',
      input: SPEND,
      output: {
        kind: 'spend_fuse' as const,
        result: fuse(SPEND, { seen: undefined, probedMicro: 0n }),
        receipt,
      },
    },
  ],
});
