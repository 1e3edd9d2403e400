import { z } from 'zod';
import { DAY_MS, dutchDay } from '#kernel/clock.ts';
import type { DutchPlate } from '#protocol/identifiers/plate.ts';
import type { RegisterOutcome } from '#platform/registers/outcome.ts';
import type { DutchVehicle } from '#platform/registers/rdw.ts';
import { noAnswer } from './no-answer.ts';
import {
  type Judged,
  origin,
  raisedFlags,
  type RegisterFinding,
  type Seen,
  seenOf,
  verdictMembers,
  type VerdictQuestion,
} from './verdict.ts';

const VEHICLE_FLAGS = [
  ...(['NOT_INSURED', 'APK_EXPIRED', 'APK_DUE_30D', 'NO_APK_DATE', 'EXPORTED', 'TAXI', 'OPEN_RECALL'] as const),
  ...(['ODOMETER_ILLOGICAL', 'ODOMETER_NO_JUDGEMENT', 'TRANSFER_BLOCKED', 'IMPORTED', 'AWAITING_INSPECTION'] as const),
] as const;

/** Facts as the register writes them; what it does not hold is null. */
const FACTS = [
  ...([
    'merk',
    'handelsbenaming',
    'vervaldatum_apk',
    'wam_verzekerd',
    'voertuigsoort',
    'datum_eerste_toelating',
  ] as const),
  ...(['datum_tenaamstelling', 'export_indicator', 'openstaande_terugroepactie_indicator', 'taxi_indicator'] as const),
  ...(['tellerstandoordeel', 'jaar_laatste_registratie_tellerstand', 'tenaamstellen_mogelijk'] as const),
  ...(['catalogusprijs', 'bruto_bpm'] as const),
] as const;
const FUEL_FACTS = [
  ...(['brandstof_omschrijving', 'co2_uitstoot_gecombineerd', 'emissie_co2_gecombineerd_wltp'] as const),
  ...(['uitlaatemissieniveau', 'emissiecode_omschrijving'] as const),
] as const;

export const VehicleResult = z.strictObject({
  kenteken: z.string(),
  found: z.boolean(),
  status: z.enum(['NO_FLAGS_IN_OPEN_REGISTER', 'FLAGS_IN_OPEN_REGISTER', 'OPEN_QUESTIONS', 'NOT_IN_OPEN_REGISTER']),
  flags: z.array(z.enum(VEHICLE_FLAGS)),
  facts: z.record(z.string(), z.unknown()),
  sidecode: z.int().nullable(),
  display: z.string(),
  ...verdictMembers,
});

/** Data sets beside that of the vehicle itself, each a section of its own. */
const PARTS = {
  fuels: { code: 'FUEL_UNAVAILABLE', section: 'fuel', data: 'the fuel and emission data of ' },
  recalls: { code: 'RECALLS_UNAVAILABLE', section: 'recalls', data: 'the recall data of ' },
} as const;
const NOT_AWAITING: ReadonlySet<string> = new Set(['Geen verstrekking in Open Data', 'Nee', 'Niet geregistreerd']);
const NO_JUDGEMENT: ReadonlySet<string> = new Set(['Geen oordeel', 'Niet geregistreerd']);
const THIRTY_DAYS_MS = 30 * DAY_MS;

export function judgeVehicle(
  plate: DutchPlate,
  answer: RegisterFinding<DutchVehicle>,
  judged: Judged,
): z.output<typeof VehicleResult> {
  if (answer.kind === 'not_found') {
    const base = { ...plate, ...origin([seenPart('vehicle', answer)], judged) };
    return { ...base, found: false, status: 'NOT_IN_OPEN_REGISTER', flags: [], facts: {}, open_questions: [] };
  }
  const flags = flagsOf(answer.value, judged.nowMs);
  const { fuels, recalls } = answer.value;
  const questions = [...unanswered('fuels', fuels), ...unanswered('recalls', recalls)];
  const isOpen = questions.length > 0;
  return {
    ...plate,
    ...origin([seenPart('vehicle', answer), ...seenParts('fuels', fuels), ...seenParts('recalls', recalls)], judged),
    found: true,
    status: flags.length > 0 ? 'FLAGS_IN_OPEN_REGISTER' : isOpen ? 'OPEN_QUESTIONS' : 'NO_FLAGS_IN_OPEN_REGISTER',
    flags,
    facts: factsOf(answer.value),
    open_questions: questions,
  };
}

function seenPart(part: string, finding: RegisterFinding<unknown>): Seen {
  return { ...seenOf('rdw', finding), part };
}

function seenParts(part: keyof typeof PARTS, outcome: RegisterOutcome<unknown>): Seen[] {
  return outcome.kind === 'unavailable' ? [] : [seenPart(PARTS[part].section, outcome)];
}

function rowsOf<T>(outcome: RegisterOutcome<readonly T[]>): readonly T[] | null {
  return outcome.kind === 'answered' ? outcome.value : null;
}

function unanswered(part: keyof typeof PARTS, outcome: RegisterOutcome<unknown>): VerdictQuestion[] {
  if (outcome.kind !== 'unavailable') return [];
  const { code, section, data } = PARTS[part];
  const { what, advice } = noAnswer('rdw', outcome, data);
  return [{ code, section, text: `${what} ${advice}` }];
}

function flagsOf({ vehicle, recalls }: DutchVehicle, nowMs: number): (typeof VEHICLE_FLAGS)[number][] {
  const apk = vehicle.vervaldatum_apk;
  const today = dutchDay(nowMs);
  const isExpired = apk !== undefined && apk < today;
  const [first, firstDutch] = [vehicle.datum_eerste_toelating, firstDutchDay(vehicle)];
  const judgement = vehicle.tellerstandoordeel ?? '';
  const waiting = vehicle.wacht_op_keuren;
  return raisedFlags({
    NOT_INSURED: vehicle.wam_verzekerd === 'Nee',
    APK_EXPIRED: isExpired,
    APK_DUE_30D: apk !== undefined && !isExpired && apk <= dutchDay(nowMs + THIRTY_DAYS_MS),
    NO_APK_DATE: apk === undefined,
    EXPORTED: vehicle.export_indicator === 'Ja',
    TAXI: vehicle.taxi_indicator === 'Ja',
    OPEN_RECALL:
      vehicle.openstaande_terugroepactie_indicator === 'Ja' ||
      (rowsOf(recalls) ?? []).some(({ code_status: status }) => status === 'O'),
    ODOMETER_ILLOGICAL: judgement === 'Onlogisch',
    ODOMETER_NO_JUDGEMENT: NO_JUDGEMENT.has(judgement),
    TRANSFER_BLOCKED: vehicle.tenaamstellen_mogelijk === 'Nee',
    IMPORTED: first !== undefined && firstDutch !== undefined && first !== firstDutch,
    AWAITING_INSPECTION: waiting !== undefined && !NOT_AWAITING.has(waiting),
  });
}

function factsOf({ vehicle, fuels, recalls }: DutchVehicle): Record<string, unknown> {
  const open = rowsOf(recalls)?.filter(({ code_status: status }) => status === 'O');
  return {
    ...Object.fromEntries(FACTS.map((name) => [name, vehicle[name] ?? null])),
    datum_eerste_tenaamstelling_in_nederland: firstDutchDay(vehicle) ?? null,
    tellerstand_toelichting: vehicle.code_toelichting_tellerstandoordeel ?? null,
    open_recalls: open?.map(({ referentiecode_rdw: code }) => code) ?? null,
    fuels:
      rowsOf(fuels)?.map((fuel) => Object.fromEntries(FUEL_FACTS.map((name) => [name, fuel[name] ?? null]))) ?? null,
  };
}

function firstDutchDay(vehicle: DutchVehicle['vehicle']): string | undefined {
  return vehicle.datum_eerste_tenaamstelling_in_nederland ?? vehicle.datum_eerste_afgifte_nederland;
}
