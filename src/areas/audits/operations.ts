import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import { documentPages } from '#web/document.ts';
import { checkSpend } from './fuse.ts';
import { BudgetPreviewParameters, CoordinationAuditParameters, SpendParameters } from './inputs.ts';
import { BudgetPreview, BudgetProtocol, CoordinationPreview, CoordinationProtocol, SpendCheck } from './outputs.ts';
import { agentBudgetAudit, agentCoordinationAudit } from './paid-operations.ts';
import { budgetPreview, coordinationPreview, type PaidCall } from './preview.ts';
import { BUDGET_PROTOCOL_DOCUMENT, COORDINATION_PROTOCOL_DOCUMENT } from './protocol-documents.ts';
import { AUDIT_WORDING, BUDGET_LEAD, COORDINATION_LEAD } from './protocol-wording.ts';

const free = {
  tag: 'audits',
  method: 'get',
  effects: false,
  access: 'none',
  price: null,
  rate: 'crossing-read',
  problems: [],
} as const;
const PUBLISHED = { maxAgeSeconds: 300 };

export const FULL_BUDGET_AUDIT: PaidCall = fullCall(agentBudgetAudit);
export const FULL_COORDINATION_AUDIT: PaidCall = fullCall(agentCoordinationAudit);

function fullCall({ path, price }: { path: string; price: { usdc: string } | null }): PaidCall {
  return { path, price_usdc: price?.usdc ?? '0' };
}

const SPEND = {
  amount_usd: '0.03',
  instruction_source: 'principal',
  p_success: '0.8',
  p_basis: 'measured',
  value_usd: '1',
  delivery: 'on_delivery',
} as const;
const BUDGET = { budget_period_usd: '100', scope: 'compute', hard_cap_outside_model: 'yes' } as const;
const COORDINATION = { scope: 'market', claim_before_work: 'yes' } as const;

/** As an example: one control of all, and no incidents. */
function shortened<D extends { readonly controls: readonly unknown[] }>(document: D): D & { incidents: Empty } {
  return { ...document, controls: document.controls.slice(0, 1), incidents: {} };
}
type Empty = Record<string, never>;

export const checkPlan = defineOperation({
  ...free,
  operationId: 'check',
  tryable: 5,
  path: '/v1/check',
  betterPage: () => ({ href: '/playground?operation=check', label: 'Try other values in the playground' }),
  summary: 'Run ten checks before a spend',
  description:
    'Free and unsigned: the checks of the paid fuse without its memory and signature. It stores nothing, so it cannot notice a repeat. What you do not declare never passes.',
  input: SpendParameters,
  output: SpendCheck,
  cache: 'no-store',
  examples: [{ name: 'caution', input: SPEND, output: checkSpend(SPEND) }],
});

export const previewBudget = defineOperation({
  ...free,
  operationId: 'budget_preview',
  path: '/v1/budget/preview',
  betterPage: () => ({ href: '/protocols/aba-1', label: 'How the audit is computed' }),
  summary: 'Preview the budget audit',
  description:
    'Accepts the parameters of the paid audit and returns verdict, score, grade and the number of open controls. Without any parameter: a sample of the full result.',
  input: BudgetPreviewParameters,
  output: BudgetPreview,
  cache: 'no-store',
  examples: [
    { name: 'counts', input: BUDGET, output: budgetPreview(BUDGET, FULL_BUDGET_AUDIT) },
    { name: 'sample', input: {}, output: budgetPreview({}, FULL_BUDGET_AUDIT) },
  ],
});

export const previewCoordination = defineOperation({
  ...free,
  operationId: 'coordination_preview',
  path: '/v1/coordination/preview',
  betterPage: () => ({ href: '/protocols/aca-1', label: 'How the audit is computed' }),
  summary: 'Preview the coordination audit',
  description:
    'Accepts the parameters of the paid audit and returns verdict, score, grade and the number of open controls. Without any parameter: a sample of the full result.',
  input: CoordinationAuditParameters,
  output: CoordinationPreview,
  cache: 'no-store',
  examples: [
    { name: 'counts', input: COORDINATION, output: coordinationPreview(COORDINATION, FULL_COORDINATION_AUDIT) },
    { name: 'sample', input: {}, output: coordinationPreview({}, FULL_COORDINATION_AUDIT) },
  ],
});

export const budgetProtocol = defineOperation({
  ...free,
  operationId: 'budget_protocol',
  path: '/v1/budget/protocol',
  summary: 'Get the method of the budget audit',
  description:
    'The method of the budget audit and the spend fuse: controls, weights, rules, formulas, steps and thresholds as Avouch computes them, and the incidents behind them.',
  input: z.strictObject({}),
  output: BudgetProtocol,
  cache: PUBLISHED,
  pages: documentPages<object>(
    () => 'Agent budget audit',
    () => '/v1/budget/protocol',
    { section: 'docs', lead: BUDGET_LEAD, wording: AUDIT_WORDING },
  ),
  examples: [{ name: 'protocol', input: {}, output: shortened(BUDGET_PROTOCOL_DOCUMENT) }],
});

export const coordinationProtocol = defineOperation({
  ...free,
  operationId: 'coordination_protocol',
  path: '/v1/coordination/protocol',
  summary: 'Get the method of the coordination audit',
  description:
    'Controls, weights, rules and thresholds as Avouch computes them, with the measurements and their sources.',
  input: z.strictObject({}),
  output: CoordinationProtocol,
  cache: PUBLISHED,
  pages: documentPages<object>(
    () => 'Agent coordination audit',
    () => '/v1/coordination/protocol',
    { section: 'docs', lead: COORDINATION_LEAD, wording: AUDIT_WORDING },
  ),
  examples: [{ name: 'protocol', input: {}, output: shortened(COORDINATION_PROTOCOL_DOCUMENT) }],
});
