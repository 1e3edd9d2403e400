import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import { type PaidRow, paidRow } from '#kernel/paid-operation.ts';
import type { Step, Store } from '#storage/store.ts';
import { auditBudget } from './budget-audit.ts';
import { auditCoordination } from './coordination-audit.ts';
import { checkSpend } from './fuse.ts';
import { forgetCommand, judgeCommand } from './intent-memory.ts';
import { intentUnit } from './intent-unit.ts';
import * as free from './operations.ts';
import * as paid from './paid-operations.ts';
import { budgetPreview, coordinationPreview } from './preview.ts';
import { BUDGET_PROTOCOL_DOCUMENT, COORDINATION_PROTOCOL_DOCUMENT } from './protocol-documents.ts';

/** The rows of this area, in the order in which documents show them. */
export const AUDIT_OPERATIONS = [
  paid.agentBudgetAudit,
  paid.spendFuse,
  paid.agentCoordinationAudit,
  free.check,
  free.previewBudget,
  free.budgetProtocol,
  free.previewCoordination,
  free.coordinationProtocol,
];

export function bindAudits(): BoundOperation[] {
  return [
    bind(free.check, (input) => checkSpend(input)),
    bind(free.previewBudget, (input) => budgetPreview(input, free.FULL_BUDGET_AUDIT)),
    bind(free.budgetProtocol, () => BUDGET_PROTOCOL_DOCUMENT),
    bind(free.previewCoordination, (input) => coordinationPreview(input, free.FULL_COORDINATION_AUDIT)),
    bind(free.coordinationProtocol, () => COORDINATION_PROTOCOL_DOCUMENT),
  ];
}

/** The rows that cost money: the gate runs them. */
export function paidAudits(store: Pick<Store, 'run'>): PaidRow<Step>[] {
  return [
    paidRow(paid.agentBudgetAudit, 'budget_audit', (input) =>
      Promise.resolve({ result: auditBudget(input), receipt: { agent: input.agent } }),
    ),
    paidRow(
      paid.spendFuse,
      'spend_fuse',
      async (input, _call, { key, payer }) => {
        const judged = await store.run(intentUnit, judgeCommand({ input, paymentKey: key, payer }));
        if (judged.type !== 'judged') throw new Error('unreachable: a spend was not judged');
        return { result: judged.result, receipt: { agent: input.agent } };
      },
      (key): Step => ({ unit: intentUnit, command: forgetCommand(key) }),
    ),
    paidRow(paid.agentCoordinationAudit, 'coord_audit', (input) =>
      Promise.resolve({ result: auditCoordination(input), receipt: { system: input.system } }),
    ),
  ];
}
