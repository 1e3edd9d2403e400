import type { Refusal } from '#kernel/problem.ts';
import { readVatNumber, type VatNumber } from '#protocol/identifiers/vat-number.ts';
import type { DutchCompany } from '#platform/registers/kvk.ts';
import type { RegisterOutcome, Unavailable } from '#platform/registers/outcome.ts';
import { judgedNow, noVerdictRefusal, type VerdictDeps } from './asked-registers.ts';
import { type CounterpartyFacts, isWithoutAnswer, judgeCounterparty } from './counterparty.ts';
import { unreadable } from './fields.ts';
import { SWITCHED_OFF } from './no-answer.ts';

interface Given {
  readonly kvk_number?: string | undefined;
  readonly vat_number?: string | undefined;
  readonly company_name?: string | undefined;
  /** Narrows a search by name. */
  readonly city?: string | undefined;
}

/** A check that is not paid for asks nothing that costs a fee, and stands behind those that are. */
interface Asking extends VerdictDeps {
  readonly free: boolean;
}

/** Asks every part that the input allows, side by side; sold when at least one of them answered. */
export async function checkCounterparty(
  given: Given,
  verdictParts: VerdictDeps,
  { free = false } = {},
): Promise<{ result: ReturnType<typeof judgeCounterparty> } | Refusal> {
  const parts = { ...verdictParts, free };
  const [dutch, vat] = await Promise.all([askDutch(given, parts), askVat(given, parts)]);
  const facts = { companyName: given.company_name ?? null, ...dutch, vat };
  const all = { ...facts, sanctions: screenNames(namesOf(facts), parts) };
  if (isWithoutAnswer(all)) return withoutAnswer(all);
  return { result: judgeCounterparty(all, judgedNow(parts)) };
}

type Dutch = Pick<CounterpartyFacts, 'registry' | 'insolvency'>;

/** The commercial register and, by its number, the register of insolvencies. */
async function askDutch({ kvk_number: number, company_name: name, city }: Given, parts: Asking): Promise<Dutch> {
  if (number !== undefined) {
    const [registry, insolvency] = await Promise.all([askCompany(number, parts), askInsolvency(number, parts)]);
    return { registry, insolvency };
  }
  if (name === undefined) return { registry: 'not_asked', insolvency: 'not_asked' };
  const found = (await parts.registers.kvk?.byName(name, city, { free: parts.free })) ?? SWITCHED_OFF;
  if (found.kind === 'unavailable') return { registry: found, insolvency: 'not_asked' };
  if (found.kind === 'not_found' || 'candidates' in found.value) {
    return { registry: { kind: 'untied', answer: found }, insolvency: 'not_asked' };
  }
  return askDutch({ kvk_number: found.value.kvkNumber }, parts);
}

async function askCompany(number: string, { registers, free }: Asking): Promise<RegisterOutcome<DutchCompany>> {
  return (await registers.kvk?.company(number, { free })) ?? SWITCHED_OFF;
}

async function askInsolvency(number: string, { registers, free }: Asking): Promise<CounterpartyFacts['insolvency']> {
  return (await registers.cir?.undertaking(number, { free })) ?? SWITCHED_OFF;
}

async function askVat({ vat_number: text }: Given, { registers, free }: Asking): Promise<CounterpartyFacts['vat']> {
  if (text === undefined) return 'not_asked';
  const asked = vatNumberOf(text);
  return { checkDigits: asked.checkDigits, outcome: (await registers.vies?.check(asked, { free })) ?? SWITCHED_OFF };
}

/** A number that the input schema has let through. */
export function vatNumberOf(text: string): VatNumber {
  const read = readVatNumber(text);
  return 'impossible' in read ? unreadable('VAT number') : read;
}

/** The name that was given; else the names that registers gave, which stay in memory. */
function namesOf({
  companyName,
  registry,
  vat,
}: Pick<CounterpartyFacts, 'companyName' | 'registry' | 'vat'>): string[] {
  if (companyName !== null) return [companyName];
  const dutch = registry !== 'not_asked' && registry.kind === 'answered' ? registry.value.names : [];
  const holder = vat !== 'not_asked' && vat.outcome.kind === 'answered' ? vat.outcome.value.name : null;
  return [...new Set([...dutch, ...(holder === null ? [] : [holder])])];
}

function screenNames(names: readonly string[], { registers }: VerdictDeps): CounterpartyFacts['sanctions'] {
  if (names.length === 0) return 'no_name';
  if (registers.sanctions === null) return SWITCHED_OFF;
  const entities = new Set<string>();
  let hasUnreadLetters = false;
  let last: Exclude<CounterpartyFacts['sanctions'], string> = SWITCHED_OFF;
  for (const name of names) {
    const outcome = registers.sanctions.screen(name);
    if (outcome.kind !== 'answered') return outcome.kind === 'unavailable' ? outcome : SWITCHED_OFF;
    const { candidates, listGenerated, listAgeHours } = outcome.value;
    hasUnreadLetters ||= outcome.value.hasUnreadLetters;
    for (const { entity, isWeak } of candidates) if (!isWeak) entities.add(entity.id);
    last = { ...outcome, hitCount: entities.size, hasUnreadLetters, listGenerated, listAgeHours };
  }
  return last;
}

/** Every part that was asked is out of order: an outage is told before a register that is switched off. */
function withoutAnswer({ registry, vat, sanctions, insolvency }: CounterpartyFacts): Refusal {
  const asked: readonly (readonly [register: string, pointer: string, part: unknown])[] = [
    ['kvk', '#/kvk_number', registry],
    ['vies', '#/vat_number', vat === 'not_asked' ? vat : vat.outcome],
    ['cir', '#/kvk_number', insolvency],
    ['eu_fsf', '#/company_name', sanctions],
  ];
  const silent = asked.filter(([, , part]) => typeof part !== 'string') as [string, string, Unavailable][];
  const told = silent.find(([, , part]) => part !== SWITCHED_OFF) ?? silent[0];
  if (told === undefined) throw new Error('a check asked nothing');
  const [register, pointer, outcome] = told;
  return noVerdictRefusal(outcome, { register, pointer });
}
