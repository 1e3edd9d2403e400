// A client that is generated from the served interface document and from nothing else.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { challengeOf } from '../support/buyer.ts';
import { ROOT } from '../support/child-service.ts';
import { PaidService } from '../support/paid-service.ts';
import { OUT_OF_REACH } from './registry.ts';

const run = promisify(execFile);
const TSC = [
  '--strict',
  '--noEmit',
  '--module',
  'nodenext',
  '--target',
  'es2022',
  '--skipLibCheck',
  '--lib',
  'es2023,dom',
];

const folder = mkdtempSync(join(tmpdir(), 'avouch-test-generated-'));
after(() => rmSync(folder, { recursive: true }));

const here = (command: string, ...args: string[]) => run(command, args, { cwd: folder });
const installed = await (async () => {
  cpSync(join(ROOT, 'test/outside/generated-client'), folder, { recursive: true });
  renameSync(join(folder, 'program.ts.txt'), join(folder, 'program.ts'));
  return here('npm', 'ci').then(
    () => true as const,
    (error: Error & { stderr?: string }) => error.stderr ?? error.message,
  );
})();
const skip = installed !== true && OUT_OF_REACH.test(installed) && 'the package registry cannot be reached';

test('a client that was generated from /openapi.json registers an agent, shows its key and pays', {
  skip,
}, async () => {
  assert.equal(installed, true);
  await using paid = await PaidService.start();
  const { text } = await paid.call('/openapi.json');
  writeFileSync(join(folder, 'openapi.json'), text);
  await here('node_modules/.bin/openapi-typescript', 'openapi.json', '-o', 'api.d.ts');
  await here('node_modules/.bin/tsc', ...TSC, 'program.ts');
  const program = (...args: string[]) => here(process.execPath, 'program.ts', paid.service.url, ...args);
  const first = JSON.parse((await program()).stdout) as Record<string, unknown>;
  assert.deepEqual([first['available'], first['keyless'], first['unpaid']], ['0.00', 401, 402]);
  const headers = { 'payment-required': String(first['challenge']) };
  const asked = challengeOf({ status: 402, headers, json: {}, text: '' });
  const { header } = await paid.buyer.sign(asked, { nowSeconds: paid.nowSeconds });
  const second = JSON.parse((await program(header)).stdout) as Record<string, unknown>;
  assert.deepEqual([second['paid'], second['kind'], second['settled']], [200, 'coord_audit', true]);
  assert.equal(paid.transfers().length, 1);
});
