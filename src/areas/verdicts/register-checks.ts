import type { PaidVerdict } from '#kernel/paid-operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { readUkCompanyNumber } from '#protocol/identifiers/company.ts';
import { readDutchPlate, readUkPlate } from '#protocol/identifiers/plate.ts';
import { unreadable } from './fields.ts';
import { answerFrom, judgedNow, noVerdictRefusal, type VerdictDeps } from './asked-registers.ts';
import { vatNumberOf } from './counterparty-check.ts';
import { judgeVat } from './eu-vat.ts';
import { judgeSanctions } from './sanctions.ts';
import { judgeUkCompany, type UkCompanyFacts } from './uk-company.ts';
import { judgeUkVehicle } from './uk-vehicle.ts';
import { judgeVehicle } from './vehicle.ts';

export async function screenName(name: string, parts: VerdictDeps): Promise<PaidVerdict | Refusal> {
  const asked = { register: 'eu_fsf', pointer: '#/name' };
  const answer = await answerFrom(parts.registers.sanctions?.screen(name), asked);
  if (answer instanceof Refusal) return answer;
  if (answer.kind === 'not_found') throw new Error('a list that screens always answers');
  return { result: judgeSanctions(name, answer, judgedNow(parts)) };
}

export async function checkDutchVehicle(kenteken: string, parts: VerdictDeps): Promise<PaidVerdict | Refusal> {
  const plate = readDutchPlate(kenteken) ?? unreadable('plate');
  const asked = { register: 'rdw', pointer: '#/kenteken' };
  const answer = await answerFrom(parts.registers.rdw?.vehicle(plate.kenteken), asked);
  if (answer instanceof Refusal) return answer;
  return { result: judgeVehicle(plate, answer, judgedNow(parts)) };
}

export async function checkVat(text: string, parts: VerdictDeps): Promise<PaidVerdict | Refusal> {
  const number = vatNumberOf(text);
  const asked = { register: 'vies', pointer: '#/vat_number' };
  const answer = await answerFrom(parts.registers.vies?.check(number), asked);
  if (answer instanceof Refusal) return answer;
  if (answer.kind === 'not_found') throw new Error('VIES has no "not found"');
  return { result: judgeVat(number, answer, judgedNow(parts)) };
}

export async function checkUkVehicle(text: string, parts: VerdictDeps): Promise<PaidVerdict | Refusal> {
  const plate = readUkPlate(text) ?? unreadable('plate');
  const asked = { register: 'dvsa_mot', pointer: '#/plate' };
  const answer = await answerFrom(parts.registers.dvsaMot?.vehicle(plate), asked);
  if (answer instanceof Refusal) return answer;
  return { result: judgeUkVehicle(answer, judgedNow(parts)) };
}

export async function checkUkCompany(text: string, parts: VerdictDeps): Promise<PaidVerdict | Refusal> {
  const number = readUkCompanyNumber(text);
  const byNumber = number === undefined ? undefined : await ukCompany(number, parts);
  if (byNumber instanceof Refusal) return byNumber;
  // A text in the form of a number that nobody has may still be a name.
  const facts = byNumber?.kind === 'answered' ? { company: byNumber, candidates: null } : await byUkName(text, parts);
  return facts instanceof Refusal ? facts : { result: judgeUkCompany(facts, judgedNow(parts)) };
}

const UK_COMPANY = { register: 'companies_house', pointer: '#/company' };

function ukCompany(number: string, parts: VerdictDeps) {
  return answerFrom(parts.registers.companiesHouse?.company(number), UK_COMPANY);
}

/** Never the first hit: one company of exactly this name, none, or too many. */
async function byUkName(name: string, parts: VerdictDeps): Promise<UkCompanyFacts | Refusal> {
  const found = await answerFrom(parts.registers.companiesHouse?.byName(name), UK_COMPANY);
  if (found instanceof Refusal) return found;
  if (found.kind === 'not_found') return { none: found };
  if ('candidates' in found.value) return { ambiguous: found, candidates: found.value.candidates };
  const { companyNumber, ...search } = found.value;
  const company = await ukCompany(companyNumber, parts);
  if (company instanceof Refusal) return company;
  if (company.kind === 'answered') return { company, candidates: 1, search };
  // The search has just shown it.
  const inconsistent = {
    kind: 'unavailable',
    code: 'INCONSISTENT',
    class: 'unavailable',
    retryAfterSeconds: 5,
  } as const;
  return noVerdictRefusal(inconsistent, UK_COMPANY);
}
