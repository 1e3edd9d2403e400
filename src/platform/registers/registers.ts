import type { Observation, RegisterQuery } from '#protocol/attestation/observation.ts';
import type { RegisterOutcome } from './outcome.ts';
import type { RegisterSet } from './register-set.ts';
import type { Asking } from './resilience/register-client.ts';
import type { SanctionsRegister } from './sanctions-list.ts';

/** Asks one register one question. Whatever is not an answer of the register is status `error` with a code, never a "no". */
export interface Registers {
  observe(query: RegisterQuery, asking?: Pick<Asking, 'free'>): Promise<Observation>;
}

type Query = RegisterQuery['query'];
type Asked = Pick<RegisterSet, 'vies' | 'kvk' | 'cir' | 'rdw' | 'companiesHouse' | 'dvsaMot'> & {
  readonly sanctions: Pick<SanctionsRegister, 'screen' | 'state'> | null;
};
type Ask = (set: Asked, query: Query, asking: Asking) => Promise<RegisterOutcome<unknown>> | undefined;

const MAX_CANDIDATES = 25;

/** What is observed of each register: always a live answer, in the words that a bundle keeps. */
const SOURCES: Readonly<Record<string, Ask>> = {
  vies: (set, { country_code: countryCode = '', vat_number: number = '' }, asking) =>
    shown(set.vies?.check({ countryCode, number }, asking), ({ valid, name }) => ({ valid, name })),
  // Passing on more than the verdict needs the register's leave.
  kvk: (set, { kvk_number: number = '' }, asking) =>
    shown(set.kvk?.company(number, asking), ({ active }) => ({ active })),
  cir: (set, { kvk_number: number = '' }, asking) =>
    shown(set.cir?.undertaking(number, asking), ({ state }) => ({ state })),
  rdw: (set, { kenteken = '' }, asking) =>
    shown(set.rdw?.vehicle(kenteken, asking), ({ vehicle, fuels, recalls }) => ({
      vehicle,
      fuels: fuels.kind === 'answered' ? fuels.value : null,
      recalls: recalls.kind === 'answered' ? recalls.value : null,
    })),
  companies_house: (set, { company_number: number = '' }, asking) => set.companiesHouse?.company(number, asking),
  dvsa_mot: (set, { plate = '' }, asking) => set.dvsaMot?.vehicle(plate, asking),
  eu_fsf: ({ sanctions }, { name = '' }) =>
    sanctions === null ? undefined : Promise.resolve(screened(sanctions, name)),
};

/** Which list was searched, and whom on it the name may mean. */
function screened(sanctions: NonNullable<Asked['sanctions']>, name: string): RegisterOutcome<unknown> {
  const outcome = sanctions.screen(name);
  const list = sanctions.state();
  if (outcome.kind !== 'answered' || list === null) return outcome;
  const { candidates, hasUnreadLetters, threshold, matcherVersion } = outcome.value;
  const value = {
    list: {
      list_generated: list.generated,
      age_hours: list.ageHours,
      sha256: list.sha256,
      entities: list.entities,
      names: list.names,
    },
    candidates: candidates.slice(0, MAX_CANDIDATES).map(({ entity, score, isWeak }) => ({
      entity_id: entity.id,
      score: Math.round(score * 1_000) / 1_000,
      weak: isWeak,
    })),
    ...(hasUnreadLetters && { has_unread_letters: true }),
    threshold,
    matcher_version: matcherVersion,
  };
  return { ...outcome, value };
}

/** The registers as attestations ask them. */
export function observedRegisters(set: Asked): Registers {
  return {
    async observe({ source, query }, asking) {
      const outcome = await SOURCES[source]?.(set, query, { ...asking, live: true });
      if (outcome === undefined) return { source, status: 'error', code: 'NOT_CONFIGURED' };
      if (outcome.kind === 'unavailable') return { source, status: 'error', code: outcome.code };
      const code = outcome.registerCode === null ? {} : { code: outcome.registerCode };
      if (outcome.kind === 'not_found') return { source, status: 'not_found', ...code };
      return { source, status: 'answered', result: outcome.value, ...code };
    },
  };
}

function shown<T>(
  asked: Promise<RegisterOutcome<T>> | undefined,
  show: (value: T) => unknown,
): Promise<RegisterOutcome<unknown>> | undefined {
  return asked?.then((outcome) => (outcome.kind === 'answered' ? { ...outcome, value: show(outcome.value) } : outcome));
}
