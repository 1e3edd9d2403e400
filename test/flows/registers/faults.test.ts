// Every register goes wrong in every way, in front of one whole service.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { StandInName } from '#sandbox/registers/server.ts';
import type { Answer } from '../../support/client.ts';
import { expectOutage, RegisterBench } from '../../support/register-verdicts.ts';

const FAULTS = [
  ...['hang', 'slow:30000', '500', '404', 'throttle', 'badjson', 'wrongjson', 'html', 'empty', 'truncate', 'reset'],
  ...['mismatch', 'expired'],
];

interface Case {
  readonly register: string;
  readonly standIns: readonly StandInName[];
  readonly path: string;
  /** Between two questions: what is kept of the one before must be over. */
  readonly waitMs?: number;
  readonly faults?: readonly string[];
}

const TEN_MINUTES_MS = 601_000;
const COUNTERPARTY = '/v1/counterparty-check?kvk_number=';

/** Registers without which the verdict cannot be given. */
const WHOLE: readonly Case[] = [
  { register: 'vies', standIns: ['vies'], path: '/v1/eu-vat-check?vat_number=NL999900018B01' },
  { register: 'rdw', standIns: ['rdw'], path: '/v1/nl-vehicle-check?kenteken=TEST01' },
  { register: 'companies_house', standIns: ['ch'], path: '/v1/uk-company-check?company=99999901' },
  { register: 'dvsa_mot', standIns: ['mot'], path: '/v1/uk-vehicle-mot-check?plate=TEST01' },
  { register: 'kvk', standIns: ['kvk', 'cir'], path: `${COUNTERPARTY}11998877` },
  {
    register: 'dvsa_mot',
    standIns: ['mot-login'],
    path: '/v1/uk-vehicle-mot-check?plate=TEST02',
    waitMs: 61 * 60_000, // a token lives for an hour
    faults: FAULTS.filter((fault) => fault !== 'mismatch'), // nothing is asked about
  },
];

/** Registers beside which another part of the verdict still answers. */
const PARTS = [
  { standIn: 'kvk', part: 'registry', code: 'REGISTRY_UNAVAILABLE', unsaid: /REGISTRY_NOT/ },
  { standIn: 'cir', part: 'insolvency', code: 'INSOLVENCY_UNAVAILABLE', unsaid: /INSOLVENCY_(?!UNAVAILABLE)/ },
  { standIn: 'vies', part: 'vat', code: 'VAT_UNAVAILABLE', unsaid: /VAT_NOT_VALID/ },
] as const;

suite('a register that is out of order', () => {
  let bench: RegisterBench;
  before(async () => {
    bench = await RegisterBench.start();
  });
  after(() => bench[Symbol.asyncDispose]());

  function breakerOf(answer: Answer, register: string): string | undefined {
    const { registers } = answer.json as { registers?: { id: string; breaker: string }[] };
    return registers?.find(({ id }) => id === register)?.breaker;
  }

  for (const { standIn, part, code, unsaid } of PARTS) {
    test(`${standIn} leaves its part of a counterparty check open, whatever it does instead of answering`, async () => {
      const path = `${COUNTERPARTY}11998877&vat_number=NL999900018B01`;
      for (const fault of FAULTS) {
        bench.paid.clock.advance(2 * 3_600_000);
        bench.standIns.setFault(standIn, fault);
        const answer = await bench.paid.buy(path);
        assert.equal(answer.status, 200, `${fault}: ${answer.text}`);
        const result = answer.json['result'] as Record<string, unknown> & { open_questions: { code: string }[] };
        const { status, ...known } = result[part] as Record<string, unknown>;
        assert.deepEqual([status, ...new Set(Object.values(known))], ['UNAVAILABLE', null], fault);
        assert.ok(
          result.open_questions.some((question) => question.code === code),
          fault,
        );
        assert.doesNotMatch(JSON.stringify(result), unsaid, fault);
        bench.standIns.setFault(standIn, null);
      }
    });
  }

  for (const { register, standIns, path, waitMs = TEN_MINUTES_MS, faults = FAULTS } of WHOLE) {
    const who = standIns.join(' and ');
    const set = (fault: string | null) => {
      for (const standIn of standIns) bench.standIns.setFault(standIn, fault);
    };

    test(`${who} gives no verdict by any fault, costs nothing, and is paid once when it is well again`, async () => {
      const had = bench.paid.chain.transfers.size;
      for (const fault of faults) {
        set(fault);
        bench.paid.clock.advance(waitMs);
        const { register_code: code } = expectOutage(await bench.paid.buy(path), register);
        assert.notEqual(code, 'BREAKER_OPEN', fault);
      }
      set('500');
      bench.paid.clock.advance(waitMs);
      const payment = await bench.paid.sign(path);
      expectOutage(await bench.paid.pay(path, payment), register);
      assert.equal(bench.paid.chain.transfers.size, had);
      set(null);
      bench.paid.clock.advance(20_000);
      const answer = await bench.paid.pay(path, payment);
      assert.deepEqual([answer.status, bench.paid.chain.transfers.size], [200, had + 1], answer.text);
    });

    test(`${who}: five failures open the breaker, and it closes by itself`, async () => {
      set('500');
      bench.paid.clock.advance(7 * 3_600_000);
      const buy = async () => {
        bench.paid.clock.advance(1_000);
        return expectOutage(await bench.paid.buy(path), register)['register_code'];
      };
      for (let failures = 0; failures < 5; failures += 1) assert.notEqual(await buy(), 'BREAKER_OPEN');
      assert.equal(await buy(), 'BREAKER_OPEN');
      assert.equal(breakerOf(await bench.paid.call('/system/status'), register), 'open');
      set(null);
      assert.equal(await buy(), 'BREAKER_OPEN', 'it is left alone for a while');
      bench.paid.clock.advance(15_000);
      assert.equal((await bench.paid.buy(path)).status, 200);
      assert.equal(breakerOf(await bench.paid.call('/system/status'), register), 'closed');
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
  await using bench = await RegisterBench.start({}, undefined, patient);
  for (const [round, standIn] of Object.keys(NUMBERED).entries()) {
    bench.standIns.setFault(standIn as StandInName, 'hang');
    const numbers = Array.from({ length: CALLERS }, (_, i) => 10 + round * CALLERS + i);
    let ended = 0;
    const hanging = numbers.map(async (n) => {
      const answer = await bench.paid.buy(NUMBERED[standIn]?.(n) ?? '');
      ended += 1;
      return answer.status;
    });
    for (const { path, standIns } of WHOLE.filter((one) => !one.standIns.includes(standIn as StandInName))) {
      bench.paid.clock.advance(1_000);
      assert.equal((await bench.paid.buy(path)).status, 200, `${standIns.join()} beside ${standIn}`);
    }
    assert.equal((await bench.paid.buy('/v1/sanctions-screen?name=Voorbeeld+Handel')).status, 200);
    assert.equal(ended, 0, 'they hang all the while');
    bench.standIns.setFault(standIn as StandInName, null);
    for (const status of await Promise.all(hanging)) assert.ok(status === 200 || status === 503, String(status));
  }
});
