// The sandbox examples of docs/checks.md are bought line by line: each result is as printed, and every status and flag is shown.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { z } from 'zod';
import { verdictsArea } from '#areas/verdicts/area.ts';
import { rowsOf } from '#kernel/area.ts';
import { ROOT } from '../support/child-service.ts';
import { expectProblem } from '../support/client.ts';
import { runCommand } from '../support/command.ts';
import { RegisterBench } from '../support/register-verdicts.ts';
import { TestService } from '../support/service.ts';

interface Example {
  readonly path: string;
  /** A status of the verdict, or 400 or 503 and the code of the register. */
  readonly answer: string;
  readonly flags: readonly string[];
}

const ROW = /^\| `(\/v1\/[^`]+)`[^|]* \| ([^|]+) \| ([^|]*)\|$/gm;
const EXAMPLES: readonly Example[] = Array.from(
  readFileSync(join(ROOT, 'docs/checks.md'), 'utf8').matchAll(ROW),
  ([, path = '', answer = '', flags = '']) => ({ path, answer, flags: flags.match(/\w+/g) ?? [] }),
);
/** Longer than every wait that a simulator asks for, and shorter than an outage is remembered. */
const BETWEEN_MS = 200_000;

type Result = { readonly status: string; readonly flags: readonly string[]; readonly sandbox: boolean };

/** The closed sets of a row: every status and every flag that its results may have. */
const SOLD = rowsOf(verdictsArea).filter(({ price }) => price !== null);

function closedSets(row: (typeof SOLD)[number]): { status: string[]; flags: string[] } {
  const { result } = row.output.shape as unknown as { result: z.ZodObject };
  const { status, flags } = result.shape as unknown as { status: z.ZodEnum; flags: z.ZodArray<z.ZodEnum> };
  return { status: status.options as string[], flags: flags.element.options as string[] };
}

suite('the documented examples of the registers', () => {
  let bench: RegisterBench;
  /** What is wrong with an answer by the served OpenAPI document. */
  let faultOf: (path: string, status: number, body: unknown) => string | undefined;

  before(async () => {
    bench = await RegisterBench.start();
    const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, code: { optimize: false } });
    addFormats.default(ajv);
    ajv.addSchema({ ...(await bench.paid.call('/openapi.json')).json, $id: 'api' });
    faultOf = (path, status, body) => {
      const route = path.replace(/\?.*/, '').replaceAll('/', '~1');
      const media = `application~1${status === 200 ? '' : 'problem+'}json`;
      const $ref = `api#/paths/${route}/get/responses/${status}/content/${media}/schema`;
      const validate = ajv.getSchema($ref);
      assert.ok(validate !== undefined, $ref);
      return validate(body) ? undefined : ajv.errorsText(validate.errors);
    };
  });
  after(() => bench[Symbol.asyncDispose]());

  for (const { path, answer, flags } of EXAMPLES) {
    test(`${path} is ${answer} ${flags.join(', ')}`, async () => {
      bench.paid.clock.advance(BETWEEN_MS);
      const had = bench.paid.chain.transfers.size;
      const bought = await bench.paid.buy(path);
      assert.equal(faultOf(path, bought.status, bought.json), undefined);
      const [, problem, code] = /^(400|503) (.+)$/.exec(answer) ?? [];
      if (problem === undefined) {
        const { status, flags: raised, sandbox } = bought.json['result'] as Result;
        assert.deepEqual([bought.status, status, raised, sandbox], [200, answer, flags, true]);
        assert.notEqual(faultOf(path, 200, { ...bought.json, odd: 1 }), undefined, 'the document is strict');
      } else {
        const body = expectProblem(
          bought,
          Number(problem),
          problem === '400' ? 'invalid_parameters' : 'register_unavailable',
        );
        assert.ok(JSON.stringify(body).includes(code as string), bought.text);
        assert.equal(body['charged'], false);
      }
      assert.equal(bench.paid.chain.transfers.size - had, problem === undefined ? 1 : 0);
    });
  }

  for (const row of SOLD) {
    test(`every status and flag of ${row.operationId} is among them`, () => {
      const { status, flags } = closedSets(row);
      assert.ok(status.length > 1 && flags.length > 2);
      const own = EXAMPLES.filter(({ path }) => path.startsWith(`${row.path}?`));
      const shown = new Set(own.flatMap((example) => [example.answer, ...example.flags]));
      assert.deepEqual(
        [...status, ...flags].filter((word) => !shown.has(word)),
        [],
      );
    });
  }
});

const BOUGHT = ['counterparty_check', 'uk_company_check'];

test('./avouch pay buys examples from a running service, and an outage costs it nothing', async () => {
  await using service = await TestService.start({ opensSettlement: true });
  await service.service.buyer();
  const pay = ({ path }: Example) => runCommand(['pay', `${service.url}${path}`], { DATA_DIR: service.dataDir });
  for (const row of SOLD.filter(({ operationId }) => BOUGHT.includes(operationId))) {
    const example = EXAMPLES.find(({ path, flags }) => path.startsWith(`${row.path}?`) && flags.length > 0);
    assert.ok(example !== undefined, row.operationId);
    const { code, stdout, stderr } = await pay(example);
    assert.deepEqual([code, stderr], [0, ''], stdout);
    assert.match(stdout, /^receipt: valid$/m);
    const { result } = JSON.parse(stdout.slice(stdout.indexOf('\n{'))) as { result: Result };
    assert.deepEqual([result.status, result.flags], [example.answer, example.flags]);
  }
  const outage = EXAMPLES.find(({ answer }) => answer.startsWith('503')) as Example;
  const { code, stdout, stderr } = await pay(outage);
  assert.equal(code, 1);
  assert.match(stdout + stderr, /register_unavailable/);
  assert.doesNotMatch(stdout, /^transaction:/m);
});
