// What the verdicts of other registers cost while the callers of one register hang, beside what they cost when all is well.
//   node bench/registers.ts [--rounds 40]
// Both are measured in turns in one run, on questions that were never asked before; the buyer's signature is not counted.
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { SimulatorName } from '#sandbox/registers/server.ts';
import { RegisterBench } from '../test/support/register-verdicts.ts';
import { round } from './_rounds.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '40' } } });
const rounds = Number(values.rounds);

const digits = (n: number, length: number) => String(n).padStart(length, '0');
type Asked = Extract<SimulatorName, 'vies' | 'rdw' | 'ch' | 'mot' | 'kvk' | 'fsf'>;
const QUESTIONS: Readonly<Record<Asked, (n: number) => string>> = {
  vies: (n) => `/v1/eu-vat-check?vat_number=DE1${digits(n, 8)}`,
  rdw: (n) => `/v1/nl-vehicle-check?kenteken=A${digits(n, 5)}`,
  ch: (n) => `/v1/uk-company-check?company=${digits(n, 8)}`,
  mot: (n) => `/v1/uk-vehicle-mot-check?plate=A${digits(n, 6)}`,
  kvk: (n) => `/v1/counterparty-check?kvk_number=${digits(n, 8)}`,
  fsf: (n) => `/v1/sanctions-screen?name=Voorbeeld+${n}`,
};
/** More than a register is asked at once, so that some wait in line. */
const CALLERS = 16;
/** Until their payments have been checked and they wait for nothing but the register. */
const PARK_MS = 1_500;
const UNLIMITED = { perSecond: 1e6, burst: 1e6 };

await using bench = await RegisterBench.start({}, undefined, {
  policy: { deadlineMs: 600_000, attemptMs: 600_000, retries: 0, bucket: UNLIMITED },
});
const { paid, simulators } = bench;
let asked = 0;

async function timed(name: Asked): Promise<number> {
  const path = QUESTIONS[name]((asked += 1));
  const payment = await paid.sign(path);
  const fromMs = performance.now();
  const { status, text } = await paid.pay(path, payment);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return performance.now() - fromMs;
}

/** Runs with callers of a register that hang all the while; null runs with none. */
async function beside<T>(register: Asked | null, work: () => Promise<T>): Promise<T> {
  if (register === null) return work();
  simulators.setFault(register, 'hang');
  const hanging = Array.from({ length: CALLERS }, async () => paid.buy(QUESTIONS[register]((asked += 1))));
  await setTimeout(PARK_MS);
  const done = await work();
  simulators.setFault(register, null);
  await Promise.all(hanging);
  return done;
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] as number;
}

const names = Object.keys(QUESTIONS) as Asked[];
for (const name of names) for (let i = 0; i < 20; i += 1) await timed(name);
for (const down of names.filter((name) => name !== 'fsf')) {
  const others = names.filter((name) => name !== down);
  const times = { well: [] as number[], down: [] as number[] };
  for (let turn = 0; turn < rounds / 8; turn += 1) {
    for (const state of turn % 2 === 0 ? (['well', 'down'] as const) : (['down', 'well'] as const)) {
      await beside(state === 'well' ? null : down, async () => {
        for (let i = 0; i < 8; i += 1) for (const other of others) times[state].push(await timed(other));
      });
    }
  }
  const figures = Object.fromEntries(
    [0.5, 0.95, 0.99].flatMap((share) => {
      const [well, hung] = [at(times.well, share), at(times.down, share)];
      const name = `p${share * 100}`;
      return [
        [`${name}_ms_well`, round(well)],
        [`${name}_ms_beside`, round(hung)],
        [`${name}_ratio`, round(hung / well)],
      ];
    }),
  );
  console.log(JSON.stringify({ bench: 'registers', hanging: down, verdicts: times.well.length, ...figures }));
}
