import type { Unavailable, UnavailableClass } from '#platform/registers/outcome.ts';

/** A register that is switched off, where other parts of the same verdict may still answer. It is never asked, so there is nothing to wait for. */
export const SWITCHED_OFF: Unavailable = {
  kind: 'unavailable',
  code: 'NOT_CONFIGURED',
  class: 'config',
  retryAfterSeconds: 0,
};

/** Why a register gave nothing, and what the caller can do. */
interface NoAnswer {
  readonly what: string;
  readonly advice: string;
}

const LATER = 'Try again later.';
const NAMES: Readonly<Record<string, string>> = {
  vies: 'VIES',
  kvk: 'the Dutch commercial register',
  cir: 'the Dutch insolvency register',
  rdw: 'the Dutch vehicle register',
  companies_house: 'UK Companies House',
  dvsa_mot: 'the UK MOT history service',
  eu_fsf: 'the EU sanctions list',
};
const BY_CLASS: Readonly<Record<UnavailableClass, (name: string, code: string) => NoAnswer>> = {
  unavailable: (name, code) => ({ what: `Avouch got no usable response from ${name} (${code}).`, advice: LATER }),
  throttled: (name, code) => ({ what: `The limit of queries to ${name} is reached (${code}).`, advice: LATER }),
  invalid_input: (name, code) => ({
    what: `This value is not accepted by ${name} (${code}).`,
    advice: 'Check it for typos.',
  }),
  config: (name, code) => ({
    what: `This installation has no access to ${name} (${code}).`,
    advice: 'Its operator must fix that.',
  }),
};
const LIST_NOT_LOADED: NoAnswer = { what: 'The EU sanctions list is not loaded yet.', advice: LATER };

/** In words that are true of this outcome: an outage, a limit, the caller's input, the operator's access and a register that is off differ. */
export function noAnswer(register: string, outcome: Unavailable, part = ''): NoAnswer {
  const name = part + (NAMES[register] ?? register);
  if (outcome === SWITCHED_OFF) {
    return { what: `This installation does not query ${name}.`, advice: 'Check there yourself.' };
  }
  if (outcome.code === 'LIST_NOT_LOADED') return LIST_NOT_LOADED;
  return BY_CLASS[outcome.class](name, outcome.code);
}
