import { dayFrom, jsonAnswer, type Simulator, type SimulatorAnswer } from './simulator.ts';

type TestRow = readonly [daysAgo: number, result: 'PASSED' | 'FAILED', odometer: number];

/** Tests of each plate, oldest first. */
const TESTS: Readonly<Record<string, readonly TestRow[]>> = {
  TEST01: [
    [800, 'PASSED', 21_000],
    [430, 'PASSED', 30_000],
    [60, 'PASSED', 41_000],
  ],
  TEST02: [
    [800, 'PASSED', 51_000],
    [430, 'PASSED', 60_000],
    [60, 'PASSED', 42_000],
  ],
  TEST03: [
    [430, 'PASSED', 30_000],
    [20, 'FAILED', 41_000],
  ],
  TEST04: [],
  TEST05: [
    [1_100, 'PASSED', 10_000],
    [800, 'PASSED', 210_000],
    [430, 'PASSED', 30_000],
    [60, 'PASSED', 41_000],
  ],
};
/** Plates that show the refusals of the register. */
const REFUSED: Readonly<Record<string, readonly [status: number, code: string]>> = {
  TESTRL1: [429, 'MOTH-RL-01'],
  TESTRL2: [429, 'MOTH-RL-02'],
  TESTNF2: [404, 'MOTH-NF-02'],
  TESTFB2: [403, 'MOTH-FB-02'], // a token that it calls expired however new it is
  TESTIV3: [400, 'MOTH-IV-03'],
};

const TOKEN_SECONDS = 3_600;
const TOKEN_PREFIX = 'sandbox-';

export const MOT: Simulator = {
  answer({ path, header, nowMs, isMismatched }) {
    if ((header('x-api-key') ?? '') === '') return refusal(403, 'MOTH-FB-03');
    const [, issuedAt] = /^Bearer sandbox-(\d+)$/.exec(header('authorization') ?? '') ?? [];
    if (issuedAt === undefined) return refusal(401, 'MOTH-UA-01');
    if (nowMs - Number(issuedAt) > TOKEN_SECONDS * 1_000) return refusal(403, 'MOTH-FB-02');
    const [, plate] = /^\/v1\/trade\/vehicles\/registration\/([0-9A-Z]{2,7})$/.exec(path) ?? [];
    if (plate === undefined) return refusal(404, 'MOTH-NF-02');
    const [status, code] = REFUSED[plate] ?? [];
    if (status !== undefined && code !== undefined) return refusal(status, code);
    const tests = TESTS[plate];
    if (tests === undefined) return refusal(404, 'MOTH-NF-01');
    return jsonAnswer(200, {
      registration: isMismatched ? 'OTHER1' : plate,
      make: 'EXAMPLE',
      model: 'Model A',
      firstUsedDate: dayFrom(nowMs, tests.length === 0 ? -200 : -1_900),
      fuelType: 'PETROL',
      hasOutstandingRecall: plate === 'TEST05' ? 'Yes' : 'No',
      ...(tests.length === 0
        ? { motTestDueDate: dayFrom(nowMs, 895) }
        : { motTests: tests.map((row) => testRow(row, nowMs)).toReversed() }),
    });
  },
  throttle: () => refusal(429, 'MOTH-RL-02'),
};

/** Issues access tokens that end after an hour. */
export const MOT_LOGIN: Simulator = {
  answer({ body, nowMs }) {
    const form = new URLSearchParams(body);
    const isComplete = ['client_id', 'client_secret', 'scope'].every((name) => (form.get(name) ?? '') !== '');
    if (form.get('grant_type') !== 'client_credentials' || !isComplete)
      return jsonAnswer(400, { error: 'invalid_request' });
    return jsonAnswer(200, {
      token_type: 'Bearer',
      expires_in: TOKEN_SECONDS,
      access_token: `${TOKEN_PREFIX}${nowMs}`,
    });
  },
  throttle: () => jsonAnswer(429, { error: 'temporarily_unavailable' }),
};

function testRow([daysAgo, testResult, odometer]: TestRow, nowMs: number): Record<string, unknown> {
  return {
    completedDate: `${dayFrom(nowMs, -daysAgo)}T10:15:00.000Z`,
    testResult,
    expiryDate: testResult === 'PASSED' ? dayFrom(nowMs, 365 - daysAgo) : null,
    odometerValue: String(odometer),
    odometerUnit: 'MI',
    odometerResultType: 'READ',
    motTestNumber: `90000${daysAgo}`,
    dataSource: 'DVSA',
    defects: testResult === 'FAILED' ? [{ dangerous: false, text: 'Fictional defect', type: 'MAJOR' }] : [],
  };
}

function refusal(status: number, errorCode: string): SimulatorAnswer {
  return jsonAnswer(status, { errorCode, errorMessage: 'Fictional refusal', requestId: 'sandbox' });
}
