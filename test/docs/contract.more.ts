// The contract with many more calls, and the judgement of a linter that others use.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '../support/child-service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { Contract } from './contract.ts';
import { judgeRealAnswers } from './real-answers.ts';

const REQUESTS = 60;
const execute = promisify(execFile);

let contract: Contract;
before(async () => (contract = await Contract.open()));
after(() => contract[Symbol.asyncDispose]());

test('redocly has neither errors nor warnings for the document', async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'openapi.json');
  await writeFile(file, JSON.stringify(contract.document));
  const args = ['lint', '--config', join(ROOT, 'redocly.yaml'), '--format', 'json', '--max-problems', '1000', file];
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await execute(process.execPath, [cli, ...args], { env });
  const { totals } = JSON.parse(stdout) as { totals: { errors: number; warnings: number } };
  assert.deepEqual([totals.errors, totals.warnings], [0, 0], stdout);
  await rm(directory, { recursive: true });
});

test(`every answer to ${REQUESTS} requests for each operation is declared in the document and valid for it`, () =>
  judgeRealAnswers(contract, REQUESTS));
