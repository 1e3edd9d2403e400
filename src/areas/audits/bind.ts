import { type BoundOperation, bind } from '#kernel/operation.ts';
import { checkSpend } from './fuse.ts';
import * as free from './operations.ts';
import { budgetPreview, coordinationPreview } from './preview.ts';
import { BUDGET_PROTOCOL_DOCUMENT, COORDINATION_PROTOCOL_DOCUMENT } from './protocol-documents.ts';

/** The free rows of this area, in the order in which documents show them. */
export const AUDIT_OPERATIONS = [
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
