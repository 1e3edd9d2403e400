import { answering, on, type OpenArea, paid, paidRows } from '#kernel/area.ts';
import { idForm } from '#kernel/ids.ts';
import { foundEntry } from '#kernel/reference-form.ts';
import { verdictRoutes } from '#kernel/verdict-route.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { expiryJob } from '#platform/storage/expiry.ts';
import type { VerdictDeps } from './asked-registers.ts';
import { checkCounterparty } from './counterparty-check.ts';
import { checkExpiry } from './free-check-unit.ts';
import { FreeChecks } from './free-checks.ts';
import {
  counterpartyCheck,
  euVatCheck,
  nlVehicleCheck,
  sanctionsScreen,
  ukCompanyCheck,
  ukVehicleMotCheck,
} from './operations.ts';
import { checkDutchVehicle, checkUkCompany, checkUkVehicle, checkVat, screenName } from './register-checks.ts';
import * as tools from './tools.ts';
import { type QualityDeps, sanctionsQuality, sanctionsQualityPage } from './sanctions-quality.ts';

export interface OpenVerdicts extends OpenArea, VerdictDeps {
  readonly quality: QualityDeps;
  readonly freeChecks: FreeChecks;
}

/** Fields that the text of a task may name, by the verdict that it is for. */
const ROUTED = {
  eu_vat_check: { vat_number: 'vat' },
  counterparty_check: { kvk_number: 'kvk', vat_number: 'vat' },
  sanctions_screen: { name: 'name' },
  nl_vehicle_check: { kenteken: 'plate' },
};

export const verdictsArea = {
  name: 'verdicts',
  services: 'all',
  open: openVerdicts,
  operations: [
    paid(counterpartyCheck, 'counterparty', (area, input) => checkCounterparty(input, area)),
    paid(sanctionsScreen, 'sanctions', (area, { name }) => screenName(name, area)),
    on(sanctionsQualityPage, ({ quality }) => sanctionsQuality(quality)),
    paid(nlVehicleCheck, 'vehicle', (area, { kenteken }) => checkDutchVehicle(kenteken, area)),
    paid(euVatCheck, 'eu_vat', (area, { vat_number: number }) => checkVat(number, area)),
    paid(ukCompanyCheck, 'uk_company', (area, { company }) => checkUkCompany(company, area)),
    paid(ukVehicleMotCheck, 'uk_vehicle', (area, { plate }) => checkUkVehicle(plate, area)),
  ],
  tools: [
    answering(
      tools.checkCounterpartyTool,
      ({ freeChecks }, input, { addressTag }) => freeChecks.check(input, addressTag),
      {
        after: 'ask_astranl',
      },
    ),
    answering(tools.recordCounterpartyCheck, ({ freeChecks }, { check_id: id }) => freeChecks.record(id), {
      after: 'check_counterparty_nl',
    }),
  ],
} satisfies PlatformArea<OpenVerdicts>;

function openVerdicts({ config, store, clock, sandbox, baseUrl, registers }: Platform): OpenVerdicts {
  const { asked, quality } = registers;
  const freeChecks = new FreeChecks({ store, clock, sandbox, baseUrl, registers: asked });
  const area = { registers: asked, clock, sandbox, quality, freeChecks };
  return {
    ...area,
    taskRoutes: verdictRoutes(paidRows(verdictsArea, area), ROUTED, config.capabilities.fx.rateMicro),
    references: [
      {
        pattern: idForm('chk_'),
        kind: 'check',
        async find(ref) {
          const check = await freeChecks.find(ref);
          return check && foundEntry(check.seal?.attestationId ?? null);
        },
      },
    ],
    jobs: [expiryJob('free-check-sweep', { store, clock }, checkExpiry)],
  };
}
