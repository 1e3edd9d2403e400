// npm run determinism -- [--inputs 10000]: the same inputs twice in two processes of the service, and in two of the judges alone: one JSON line.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import fc from '#properties';
import { judgeBudget } from '#areas/audits/budget-audit.ts';
import { judgeCoordination } from '#areas/audits/coordination-audit.ts';
import { checkSpend } from '#areas/audits/fuse.ts';
import type { SpendInput } from '#areas/audits/spend-facts.ts';
import { resultSha256 } from '#protocol/payment/receipt.ts';
import { budget, coordination, spend } from './audits.ts';
import { inParallel } from '../referees/log-export.ts';
import { SEAL_CASES } from '../support/seal-cases.ts';
import { WatchedService } from '../support/watched-service.ts';

const { values } = parseArgs({
  options: { inputs: { type: 'string', default: '10000' }, judge: { type: 'boolean', default: false } },
});
const inputs = Number(values.inputs);
const SEED = 20_261_115;
const CONNECTIONS = 32;

/** The digests of what the rules alone say, in order. */
function judged(): string[] {
  const draws = { seed: SEED, numRuns: Math.ceil(inputs / 3) };
  return [
    ...fc.sample(budget, draws).map((input) => digest(judgeBudget(input))),
    ...fc.sample(coordination, draws).map((input) => digest(judgeCoordination(input))),
    ...fc.sample(spend, draws).map((input) => digest(checkSpend(input as unknown as SpendInput))),
  ];
}

/** Sums within are integers without a bound. */
function digest(result: unknown): string {
  const plain = JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return resultSha256(JSON.parse(plain));
}

function judgedElsewhere(): string {
  const args = [import.meta.filename, '--judge', '--inputs', String(inputs)];
  return spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 30 }).stdout;
}

const sealsAndChecks = [...Array(inputs).keys()];
const spends = fc.sample(spend, { seed: SEED, numRuns: inputs });

/** What a process of the service decides about every input. */
async function decisions(service: WatchedService): Promise<string[]> {
  const decided: string[] = [];
  const decide = async (n: number) => {
    if (n % 2 === 0) {
      const { schemaId, claim } = SEAL_CASES[(n / 2) % SEAL_CASES.length] as (typeof SEAL_CASES)[number];
      const body = { schema_id: schemaId, claim: claim(`input ${n}`) };
      const { status, json } = await service.call('/api/attest/seal', { method: 'POST', body });
      decided[n] = [status < 300, json['verdict'], json['code'], json['claim_sha256']].join(' ');
      return;
    }
    const query = new URLSearchParams(spends[n] as Record<string, string>);
    const { status, json } = await service.call(`/v1/check?${query}`);
    decided[n] = `${status} ${resultSha256(json)}`;
  };
  await inParallel(sealsAndChecks, decide, CONNECTIONS);
  return decided;
}

if (values.judge) {
  console.log(judged().join('\n'));
} else {
  const pure = [judgedElsewhere(), judgedElsewhere()];
  await using first = await WatchedService.start();
  await using second = await WatchedService.start();
  const [expected, ...others] = [
    await decisions(first),
    await decisions(first),
    await decisions(second),
    await decisions(second),
  ];
  const differing = sealsAndChecks.filter((n) => others.some((other) => other[n] !== expected[n]));
  const report = {
    inputs,
    judged: pure[0]?.trim().split('\n').length ?? 0,
    judged_alike: pure[0] === pure[1] && pure[0] !== '',
    accepted: expected.filter((text) => text.startsWith('true ACCEPT')).length,
    rejected: expected.filter((text) => text.startsWith('true REJECT')).length,
    checks: expected.filter((text) => text.startsWith('200')).length,
    differing: differing.length,
  };
  console.log(JSON.stringify(report));
  for (const n of differing.slice(0, 10))
    console.error(
      n,
      [expected, ...others].map((one) => one[n]),
    );
  if (differing.length > 0 || !report.judged_alike) process.exitCode = 1;
}
