// What every verdict of a register promises, tried on one row: examples, verdicts, refusals and a register that is off.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { RegisterSimulators, type SimulatorName } from '#sandbox/registers/server.ts';
import { OPERATIONS } from '../../src/areas.ts';
import type { SimulatorFigures } from '../../src/platform/registers/open-registers.ts';
import { expectProblem } from './client.ts';
import type { PromisedStatuses } from './promised-statuses.ts';
import { PaidService, START_MS } from './paid-service.ts';
import { bareService } from './shared-service.ts';

type Query = Readonly<Record<string, string>>;

interface VerdictCase {
  readonly query: Query;
  readonly status: string;
  readonly flags: readonly string[];
  /** Further members of the result. */
  readonly has?: Readonly<Record<string, unknown>>;
}

export interface VerdictSample {
  readonly operationId: string;
  readonly register: string;
  /** Answered while nothing is wrong. */
  readonly asks: Query;
  readonly cases: Readonly<Record<string, VerdictCase>>;
  /** Inputs for which the register itself refuses, with its code. */
  readonly outages?: readonly (readonly [query: Query, code: string])[];
}

/** A busy machine is no outage of a register. */
const PATIENT = { deadlineMs: 60_000, attemptMs: 60_000, retries: 1, backoffMs: { base: 1, cap: 2 } };
/** For registers that never answer: nothing that asks them so may be answered. */
export const IMPATIENT = { ...PATIENT, deadlineMs: 400, attemptMs: 100 };
const TEN_MINUTES_MS = 601_000;

/** Simulators with a fault switch and a service that asks them, on one clock. */
export class RegisterBench implements AsyncDisposable {
  readonly paid: PaidService;
  readonly simulators: RegisterSimulators;

  private constructor(paid: PaidService, simulators: RegisterSimulators) {
    this.paid = paid;
    this.simulators = simulators;
  }

  static async start(
    env: Record<string, string> = {},
    fault?: readonly [SimulatorName, string],
    figures: Pick<SimulatorFigures, 'policy' | 'policies'> = {},
  ): Promise<RegisterBench> {
    const clock = new ManualClock(START_MS);
    const simulators = await RegisterSimulators.start(() => clock.now());
    if (fault !== undefined) simulators.setFault(...fault);
    // A list that does not come is not waited for.
    const given = { simulators, policy: PATIENT, ...figures, ...(fault !== undefined && { listMs: 1_000 }) };
    const paid = await PaidService.start({ clock, env, registerSimulators: given });
    return new RegisterBench(paid, simulators);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.paid[Symbol.asyncDispose]();
    await this.simulators[Symbol.asyncDispose]();
  }
}

export function pathOf(operationId: string, query: Query): string {
  const row = OPERATIONS.find((one) => one.operationId === operationId);
  assert.ok(row !== undefined, operationId);
  return `${row.path}?${new URLSearchParams(query)}`;
}

/** A refusal that names the register and costs nothing. */
export function expectOutage(answer: Parameters<typeof expectProblem>[0], register: string): Record<string, unknown> {
  const body = expectProblem(answer, 503, 'register_unavailable');
  assert.deepEqual([body['register'], body['charged']], [register, false]);
  assert.equal(answer.headers['payment-response'], undefined);
  assert.equal(answer.headers['retry-after'], String(body['retry_after_s']));
  return body;
}

export function testVerdicts(sample: VerdictSample, statuses: PromisedStatuses): void {
  const { operationId, register, asks, cases, outages = [] } = sample;
  const row = OPERATIONS.find((one) => one.operationId === operationId);
  const path = (query: Query) => pathOf(operationId, query);

  suite(`${operationId}: verdicts`, () => {
    let bench: RegisterBench;
    before(async () => {
      bench = await RegisterBench.start();
    });
    after(() => bench[Symbol.asyncDispose]());

    for (const [name, { query, status, flags, has = {} }] of Object.entries(cases)) {
      test(`${name}: ${status}`, async () => {
        bench.paid.clock.advance(1_000);
        const answer = statuses.saw(await bench.paid.buy(path(query)));
        assert.equal(answer.status, 200, answer.text);
        row?.output.parse(answer.json);
        const result = answer.json['result'] as Record<string, unknown>;
        assert.deepEqual([result['status'], result['flags'], result['sandbox']], [status, flags, true]);
        assert.partialDeepStrictEqual(result, has);
      });
    }

    for (const [query, code] of outages) {
      test(`the register's own ${code} is no verdict and is not charged`, async () => {
        bench.paid.clock.advance(TEN_MINUTES_MS);
        const had = bench.paid.chain.transfers.size;
        const body = expectOutage(statuses.saw(await bench.paid.buy(path(query))), register);
        assert.deepEqual([body['register_code'], bench.paid.chain.transfers.size], [code, had]);
      });
    }
  });

  test(`${operationId}: a register that is switched off is told, uncharged`, async () => {
    const paid = PaidService.at(await bareService());
    const answer = statuses.saw(await paid.buy(path(asks)));
    const body = expectProblem(answer, 503, 'register_not_configured');
    assert.deepEqual([body['charged'], paid.transfers()], [false, []]);
    // Waiting does not switch it on.
    assert.deepEqual([answer.headers['retry-after'], body['retry_after_s']], [undefined, undefined]);
  });
}
