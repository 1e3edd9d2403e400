import { z } from 'zod';
import { defineOperation, recorded } from '#kernel/operation.ts';
import * as field from './fields.ts';
import { registerNotConfigured, registerUnavailable } from './problems.ts';
import { CounterpartyResult } from './counterparty.ts';
import { EuVatResult } from './eu-vat.ts';
import examples from './examples.json' with { type: 'json' };
import { SanctionsResult } from './sanctions.ts';
import { UkCompanyResult } from './uk-company.ts';
import { UkVehicleResult } from './uk-vehicle.ts';
import { VehicleResult } from './vehicle.ts';

const paid = {
  tag: 'verdicts',
  method: 'get',
  effects: false,
  access: 'none',
  rate: 'paid',
  cache: 'no-store',
  problems: [registerNotConfigured, registerUnavailable],
} as const;
/** Registers that are slow or many. */
const SLOW_SECONDS = 300;

const Receipt = z.looseObject({ result_sha256: z.string(), signature: z.string(), signer_pubkey: z.string() });

function envelope<K extends string, R extends z.ZodType>(kind: K, result: R) {
  return z.strictObject({ kind: z.literal(kind), result, receipt: Receipt });
}

export const counterpartyCheck = defineOperation({
  ...paid,
  operationId: 'counterparty_check',
  path: '/v1/counterparty-check',
  summary: 'Check a company',
  description:
    'Checks registration, VAT, sanctions and insolvency of one company. The response has verdicts only, no register data. Give at least one of the three parameters.',
  input: z
    .strictObject({
      kvk_number: field.kvkNumber.optional(),
      vat_number: field.vatNumber.optional(),
      company_name: field.companyName.optional(),
    })
    .refine((input) => Object.values(input).some((value) => value !== undefined), {
      message: 'Give kvk_number, vat_number or company_name.',
      params: { code: 'identifier_required' },
      when: ({ value }) => typeof value === 'object' && value !== null,
    }),
  output: envelope('counterparty', CounterpartyResult),
  price: { usdc: '0.03', atomic: '30000', maxTimeoutSeconds: SLOW_SECONDS },
  examples: recorded(examples.counterparty_check),
});

export const sanctionsScreen = defineOperation({
  ...paid,
  operationId: 'sanctions_screen',
  path: '/v1/sanctions-screen',
  summary: 'Screen a name against the EU sanctions list',
  description: 'A candidate is a reason to stop and verify, never an accusation.',
  input: z.strictObject({ name: field.screenedName }),
  output: envelope('sanctions', SanctionsResult),
  price: { usdc: '0.01', atomic: '10000' },
  examples: recorded(examples.sanctions_screen),
});

export const nlVehicleCheck = defineOperation({
  ...paid,
  operationId: 'nl_vehicle_check',
  path: '/v1/nl-vehicle-check',
  summary: 'Check a Dutch vehicle',
  description:
    'What the Dutch vehicle register knows about a licence plate: inspection, insurance, export, recall, taxi use, odometer judgement and more, as flags and facts.',
  input: z.strictObject({ kenteken: field.kenteken }),
  output: envelope('vehicle', VehicleResult),
  price: { usdc: '0.01', atomic: '10000' },
  examples: recorded(examples.nl_vehicle_check),
});

export const euVatCheck = defineOperation({
  ...paid,
  operationId: 'eu_vat_check',
  tryable: 10,
  path: '/v1/eu-vat-check',
  summary: 'Validate an EU VAT number',
  description: 'Whether the number is valid, with name and address if the member state discloses them.',
  input: z.strictObject({ vat_number: field.vatNumber }),
  output: envelope('eu_vat', EuVatResult),
  price: { usdc: '0.002', atomic: '2000', maxTimeoutSeconds: SLOW_SECONDS },
  examples: recorded(examples.eu_vat_check),
});

export const ukCompanyCheck = defineOperation({
  ...paid,
  operationId: 'uk_company_check',
  path: '/v1/uk-company-check',
  summary: 'Check a UK company',
  description:
    'What the UK company register knows about a company: status, overdue accounts and statements, insolvency history and a disputed office, as flags and facts.',
  input: z.strictObject({ company: field.ukCompany }),
  output: envelope('uk_company', UkCompanyResult),
  price: { usdc: '0.005', atomic: '5000' },
  examples: recorded(examples.uk_company_check),
});

export const ukVehicleMotCheck = defineOperation({
  ...paid,
  operationId: 'uk_vehicle_mot_check',
  path: '/v1/uk-vehicle-mot-check',
  summary: "Get a UK vehicle's MOT history",
  description: 'MOT tests with their odometer readings. Flags show if a reading went down or the last test failed.',
  input: z.strictObject({ plate: field.ukPlate }),
  output: envelope('uk_vehicle', UkVehicleResult),
  price: { usdc: '0.005', atomic: '5000' },
  examples: recorded(examples.uk_vehicle_mot_check),
});
