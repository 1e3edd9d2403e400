import { type PaidHandler, type PaidRow, paidRow } from '#kernel/paid-operation.ts';
import { Refusal } from '#kernel/problem.ts';
import * as rows from './operations.ts';
import { registerNotConfigured } from './problems.ts';

/** The rows of this area, in the order in which documents show them. */
export const VERDICT_OPERATIONS = [
  rows.counterpartyCheck,
  rows.sanctionsScreen,
  rows.nlVehicleCheck,
  rows.euVatCheck,
  rows.ukCompanyCheck,
  rows.ukVehicleMotCheck,
];

/** No register is asked, so no verdict is given and nothing is charged. */
const noRegister: PaidHandler<unknown> = () =>
  Promise.resolve(new Refusal(registerNotConfigured, { detail: 'no register is configured', retryAfterSeconds: 3600 }));

export function paidVerdicts(): PaidRow<never>[] {
  return [
    paidRow(rows.counterpartyCheck, 'counterparty', noRegister),
    paidRow(rows.sanctionsScreen, 'sanctions', noRegister),
    paidRow(rows.nlVehicleCheck, 'vehicle', noRegister),
    paidRow(rows.euVatCheck, 'eu_vat', noRegister),
    paidRow(rows.ukCompanyCheck, 'uk_company', noRegister),
    paidRow(rows.ukVehicleMotCheck, 'uk_vehicle', noRegister),
  ];
}
