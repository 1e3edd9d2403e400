// Every register goes wrong in every way, in front of one whole service.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '#kernel/clock.ts';
import type { SimulatorName } from '#sandbox/registers/server.ts';
import type { Answer } from '../../support/client.ts';
import { expectOutage, IMPATIENT, RegisterBench } from '../../support/register-verdicts.ts';

/** Instead of an answer something comes at once. */
const FAULTS = [
  '500',
  '404',
  'throttle',
  'badjson',
  'wrongjson',
  'html',
  'empty',
  'truncate',
  'reset',
  'mismatch',
  'expired',
];
/** Nothing comes in time. */
const SILENCES = ['hang', 'slow:30000'];

interface Case {
  readonly register: string;
  readonly simulators: readonly SimulatorName[];
  readonly path: string;
  /** Between two questions: what is kept of the one before must be over. */
  readonly waitMs?: number;
  readonly faults?: readonly string[];
}

const TEN_MINUTES_MS = 601_000;
const COUNTERPARTY = '/v1/counterparty-check?kvk_number=';

/** Registers without which the verdict cannot be given. */
const WHOLE: readonly Case[] = [
  { register: 'vies', simulators: ['vies'], path: '/v1/eu-vat-check?vat_number=NL999900018B01' },
  { register: 'rdw', simulators: ['rdw'], path: '/v1/nl-vehicle-check?kenteken=TEST01' },
  { register: 'companies_house', simulators: ['ch'], path: '/v1/uk-company-check?company=99999901' },
  { register: 'dvsa_mot', simulators: ['mot'], path: '/v1/uk-vehicle-mot-check?plate=TEST01' },
  { register: 'kvk', simulators: ['kvk', 'cir'], path: `${COUNTERPARTY}11998877` },
  {
    register: 'dvsa_mot',
    simulators: ['mot-login'],
    path: '/v1/uk-vehicle-mot-check?plate=TEST02',
    waitMs: 61 * MINUTE_MS, // a token lives for an hour
    faults: FAULTS.filter((fault) => fault !== 'mismatch'), // nothing is asked about
  },
];

/** Registers beside which another part of the verdict still answers. */
const PARTS = [
  { simulator: 'kvk', part: 'registry', code: 'REGISTRY_UNAVAILABLE', unsaid: /REGISTRY_NOT/ },
  { simulator: 'cir', part: 'insolvency', code: 'INSOLVENCY_UNAVAILABLE', unsaid: /INSOLVENCY_(?!UNAVAILABLE)/ },
  { simulator: 'vies', part: 'vat', code: 'VAT_UNAVAILABLE', unsaid: /VAT_NOT_VALID/ },
] as const;

/** What a counterparty check says when one register tells nothing. */
async function assertOpen(
  bench: RegisterBench,
  { simulator, part, code, unsaid }: (typeof PARTS)[number],
  fault: string,
) {
  bench.paid.clock.advance(2 * HOUR_MS);
  bench.simulators.setFault(simulator, fault);
  const answer = await bench.paid.buy(`${COUNTERPARTY}11998877&vat_number=NL999900018B01`);
  assert.equal(answer.status, 200, `${fault}: ${answer.text}`);
  const result = answer.json['result'] as Record<string, unknown> & { open_questions: { code: string }[] };
  const { status, ...known } = result[part] as Record<string, unknown>;
  assert.deepEqual([status, ...new Set(Object.values(known))], ['UNAVAILABLE', null], fault);
  assert.ok(
    result.open_questions.some((question) => question.code === code),
    fault,
  );
  assert.doesNotMatch(JSON.stringify(result), unsaid, fault);
  bench.simulators.setFault(simulator, null);
}

function setFault(bench: RegisterBench, { simulators }: Case, fault: string | null): void {
  for (const simulator of simulators) bench.simulators.setFault(simulator, fault);
}

/** Each of the faults is an outage that costs nothing, and none that the breaker made. */
async function assertOutages(bench: RegisterBench, one: Case, faults: readonly string[]): Promise<void> {
  const had = bench.paid.chain.transfers.size;
  for (const fault of faults) {
    setFault(bench, one, fault);
    bench.paid.clock.advance(one.waitMs ?? TEN_MINUTES_MS);
    const { register_code: code } = expectOutage(await bench.paid.buy(one.path), one.register);
    assert.notEqual(code, 'BREAKER_OPEN', fault);
  }
  assert.equal(bench.paid.chain.transfers.size, had);
}

function breakerOf(answer: Answer, register: string): string | undefined {
  const { registers } = answer.json as { registers?: { id: string; breaker: string }[] };
  return registers?.find(({ id }) => id === register)?.breaker;
}

suite('a register that is out of order', () => {
  let bench: RegisterBench;
  before(async () => {
    bench = await RegisterBench.start();
  });
  after(() => bench[Symbol.asyncDispose]());

  for (const part of PARTS) {
    test(`${part.simulator} leaves its part of a counterparty check open, whatever it does instead of answering`, async () => {
      for (const fault of FAULTS) await assertOpen(bench, part, fault);
    });
  }

  for (const one of WHOLE) {
    const { register, path, waitMs = TEN_MINUTES_MS, faults = FAULTS } = one;
    const who = one.simulators.join(' and ');

    test(`${who} gives no verdict by any fault, costs nothing, and is paid once when it is well again`, async () => {
      const had = bench.paid.chain.transfers.size;
      await assertOutages(bench, one, faults);
      setFault(bench, one, '500');
      bench.paid.clock.advance(waitMs);
      const payment = await bench.paid.sign(path);
      expectOutage(await bench.paid.pay(path, payment), register);
      assert.equal(bench.paid.chain.transfers.size, had);
      setFault(bench, one, null);
      bench.paid.clock.advance(20_000);
      const answer = await bench.paid.pay(path, payment);
      assert.deepEqual([answer.status, bench.paid.chain.transfers.size], [200, had + 1], answer.text);
    });

    test(`${who}: five failures open the breaker, and it closes by itself`, async () => {
      setFault(bench, one, '500');
      bench.paid.clock.advance(7 * HOUR_MS);
      const buy = async () => {
        bench.paid.clock.advance(1_000);
        return expectOutage(await bench.paid.buy(path), register)['register_code'];
      };
      for (let failures = 0; failures < 5; failures += 1) assert.notEqual(await buy(), 'BREAKER_OPEN');
      assert.equal(await buy(), 'BREAKER_OPEN');
      assert.equal(breakerOf(await bench.paid.call('/system/status'), register), 'open');
      setFault(bench, one, null);
      assert.equal(await buy(), 'BREAKER_OPEN', 'it is left alone for a while');
      bench.paid.clock.advance(15_000);
      assert.equal((await bench.paid.buy(path)).status, 200);
      assert.equal(breakerOf(await bench.paid.call('/system/status'), register), 'closed');
    });
  }
});

suite('a register that does not answer in time', () => {
  for (const part of PARTS) {
    test(`${part.simulator} leaves its part of a counterparty check open`, async () => {
      await using bench = await RegisterBench.start({}, undefined, { policies: { [part.simulator]: IMPATIENT } });
      for (const fault of SILENCES) await assertOpen(bench, part, fault);
    });
  }

  let bench: RegisterBench;
  before(async () => {
    bench = await RegisterBench.start({}, undefined, { policy: IMPATIENT });
  });
  after(() => bench[Symbol.asyncDispose]());
  for (const one of WHOLE) {
    test(`${one.simulators.join(' and ')} gives no verdict and costs nothing`, async () => {
      await assertOutages(bench, one, SILENCES);
      setFault(bench, one, null);
    });
  }
});

/** Questions of which each register can be asked any number, all of them different. */
const NUMBERED: Readonly<Record<string, (n: number) => string>> = {
  vies: (n) => `/v1/eu-vat-check?vat_number=DE1000000${n}`,
  rdw: (n) => `/v1/nl-vehicle-check?kenteken=AA00${n}`,
  ch: (n) => `/v1/uk-company-check?company=000001${n}`,
  mot: (n) => `/v1/uk-vehicle-mot-check?plate=AB1${n}`,
  kvk: (n) => `${COUNTERPARTY}100000${n}`,
};
/** More than a register is asked at once. */
const CALLERS = 12;

test('while callers of one register hang, all others are answered', async () => {
  const patient = { deadlineMs: 600_000, attemptMs: 600_000, retries: 0 };
  await using bench = await RegisterBench.start({}, undefined, { policy: patient });
  for (const [round, simulator] of Object.keys(NUMBERED).entries()) {
    bench.simulators.setFault(simulator as SimulatorName, 'hang');
    const numbers = Array.from({ length: CALLERS }, (_, i) => 10 + round * CALLERS + i);
    let ended = 0;
    const hanging = numbers.map(async (n) => {
      const answer = await bench.paid.buy(NUMBERED[simulator]?.(n) ?? '');
      ended += 1;
      return answer.status;
    });
    for (const { path, simulators } of WHOLE.filter((one) => !one.simulators.includes(simulator as SimulatorName))) {
      bench.paid.clock.advance(1_000);
      assert.equal((await bench.paid.buy(path)).status, 200, `${simulators.join()} beside ${simulator}`);
    }
    assert.equal((await bench.paid.buy('/v1/sanctions-screen?name=Voorbeeld+Handel')).status, 200);
    assert.equal(ended, 0, 'they hang all the while');
    bench.simulators.setFault(simulator as SimulatorName, null);
    for (const status of await Promise.all(hanging)) assert.ok(status === 200 || status === 503, String(status));
  }
});
