import type { Operation } from '#kernel/operation.ts';

const NAMES: Readonly<Record<string, string>> = {
  counterparty_check: 'Counterparty check',
  sanctions_screen: 'Sanctions screening',
  nl_vehicle_check: 'Dutch vehicle check',
  eu_vat_check: 'EU VAT check',
  uk_company_check: 'UK company check',
  uk_vehicle_mot_check: 'UK vehicle MOT check',
  agent_budget_audit: 'Budget audit',
  agent_coordination_audit: 'Coordination audit',
  spend_fuse: 'Spend fuse',
};

/** What a paid operation is called on pages. */
export function paidName({ operationId, summary }: Pick<Operation, 'operationId' | 'summary'>): string {
  return NAMES[operationId] ?? summary;
}
