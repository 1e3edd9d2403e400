import { z } from 'zod';
import { utcDay } from '#kernel/clock.ts';
import type { MotVehicle } from '#platform/registers/dvsa-mot.ts';
import { judgeOdometer, type OdometerReading } from './odometer.ts';
import {
  type Judged,
  OGL,
  origin,
  raisedFlags,
  type RegisterFinding,
  seenOf,
  verdictMembers,
  type VerdictQuestion,
} from './verdict.ts';

const UK_VEHICLE_FLAGS = [
  ...(['ODOMETER_WENT_DOWN', 'ODOMETER_INCONSISTENT', 'LAST_TEST_FAILED'] as const),
  ...(['MOT_EXPIRED', 'OUTSTANDING_RECALL'] as const),
] as const;

const text = z.string().nullable();

export const UkVehicleResult = z.strictObject({
  status: z.enum(['NO_FLAGS', 'FLAGS_RAISED', 'NO_TESTS_YET', 'NOT_FOUND']),
  result: z.strictObject({
    found: z.boolean(),
    make: text,
    model: text,
    fuel: text,
    first_used: text,
    tests: z.int(),
    readings: z.array(
      z.strictObject({
        date: z.iso.date(),
        result: z.enum(['PASSED', 'FAILED']),
        odometer: z.int().nullable(),
        unit: z.enum(['MI', 'KM']).nullable(),
        defects: z.int(),
      }),
    ),
    test_due: text,
  }),
  flags: z.array(z.enum(UK_VEHICLE_FLAGS)),
  ...verdictMembers,
  attribution: z.literal(OGL),
});

type Test = NonNullable<MotVehicle['motTests']>[number];

const UNKNOWN_VEHICLE = {
  found: false,
  make: null,
  model: null,
  fuel: null,
  first_used: null,
  tests: 0,
  readings: [],
  test_due: null,
};
const DUE_UNKNOWN: VerdictQuestion = {
  code: 'TEST_DUE_UNKNOWN',
  section: null,
  text: 'The register gives no date for the next test. Check the certificate.',
};
const RECALL_UNKNOWN: VerdictQuestion = {
  code: 'RECALL_UNKNOWN',
  section: null,
  text: 'The register does not say whether a safety recall is outstanding. Ask the manufacturer, or try again later.',
};

export function judgeUkVehicle(answer: RegisterFinding<MotVehicle>, judged: Judged): z.output<typeof UkVehicleResult> {
  const from = { ...origin([seenOf('dvsa_mot', answer)], judged), attribution: OGL } as const;
  if (answer.kind === 'not_found') {
    return { status: 'NOT_FOUND', result: UNKNOWN_VEHICLE, flags: [], open_questions: [], ...from };
  }
  const { value: vehicle } = answer;
  const tests = (vehicle.motTests ?? []).toSorted((a, b) => testedMs(b) - testedMs(a));
  const odometer = judgeOdometer(tests.flatMap(readingOf));
  const due = tests.find(({ testResult }) => testResult === 'PASSED')?.expiryDate ?? vehicle.motTestDueDate ?? null;
  const recall = vehicle.hasOutstandingRecall;
  const flags = raisedFlags({
    ODOMETER_WENT_DOWN: odometer === 'went_down',
    ODOMETER_INCONSISTENT: odometer === 'inconsistent',
    LAST_TEST_FAILED: tests[0]?.testResult === 'FAILED',
    MOT_EXPIRED: due !== null && due < utcDay(judged.nowMs),
    OUTSTANDING_RECALL: recall === 'Yes',
  });
  const isRecallKnown = recall === 'Yes' || recall === 'No';
  return {
    status: flags.length > 0 ? 'FLAGS_RAISED' : tests.length === 0 ? 'NO_TESTS_YET' : 'NO_FLAGS',
    result: {
      found: true,
      make: vehicle.make ?? null,
      model: vehicle.model ?? null,
      fuel: vehicle.fuelType ?? null,
      first_used: vehicle.firstUsedDate ?? null,
      tests: tests.length,
      readings: tests.map((test) => ({
        date: test.completedDate.slice(0, 10),
        result: test.testResult,
        odometer: readingOf(test)[0]?.value ?? null,
        unit: unitOf(test),
        defects: test.defects?.length ?? 0,
      })),
      test_due: due,
    },
    flags,
    open_questions: [...(due === null ? [DUE_UNKNOWN] : []), ...(isRecallKnown ? [] : [RECALL_UNKNOWN])],
    ...from,
  };
}

function testedMs({ completedDate }: Test): number {
  return Date.parse(completedDate);
}

function unitOf({ odometerUnit }: Test): 'MI' | 'KM' | null {
  const unit = odometerUnit?.toUpperCase();
  return unit === 'MI' || unit === 'KM' ? unit : null;
}

/** Only what was read from the odometer counts; a missing unit is miles. */
function readingOf(test: Test): OdometerReading[] {
  const { completedDate: at, odometerValue, odometerResultType } = test;
  if (odometerResultType !== 'READ' || !/^\d{1,7}$/.test(odometerValue ?? '')) return [];
  return [{ at, value: Number(odometerValue), unit: unitOf(test) ?? 'MI' }];
}
