import { type OpenArea, on, paid } from '#kernel/area.ts';
import type { PlatformArea } from '#platform/platform.ts';
import type { VerdictParts } from './asked-registers.ts';
import { checkCounterparty } from './counterparty-check.ts';
import {
  counterpartyCheck,
  euVatCheck,
  nlVehicleCheck,
  sanctionsScreen,
  ukCompanyCheck,
  ukVehicleMotCheck,
} from './operations.ts';
import { checkDutchVehicle, checkUkCompany, checkUkVehicle, checkVat, screenName } from './register-checks.ts';
import { type QualityParts, sanctionsQuality, sanctionsQualityPage } from './sanctions-quality.ts';

export interface VerdictNeeds {
  readonly registers: VerdictParts['registers'];
  /** How well the sanctions list is matched. */
  readonly quality: QualityParts;
}

export interface OpenVerdicts extends OpenArea, VerdictParts {
  readonly quality: QualityParts;
}

export const verdictsArea = {
  name: 'verdicts',
  open: ({ clock, sandbox }, { registers, quality }) => ({ registers, clock, sandbox, quality }),
  operations: [
    paid(counterpartyCheck, 'counterparty', (area, input) => checkCounterparty(input, area)),
    paid(sanctionsScreen, 'sanctions', (area, { name }) => screenName(name, area)),
    on(sanctionsQualityPage, ({ quality }) => sanctionsQuality(quality)),
    paid(nlVehicleCheck, 'vehicle', (area, { kenteken }) => checkDutchVehicle(kenteken, area)),
    paid(euVatCheck, 'eu_vat', (area, { vat_number: number }) => checkVat(number, area)),
    paid(ukCompanyCheck, 'uk_company', (area, { company }) => checkUkCompany(company, area)),
    paid(ukVehicleMotCheck, 'uk_vehicle', (area, { plate }) => checkUkVehicle(plate, area)),
  ],
} satisfies PlatformArea<OpenVerdicts, VerdictNeeds>;
