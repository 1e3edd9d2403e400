import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../support/child-service.ts';
import { TestService } from '../support/service.ts';

const run = promisify(execFile);
const probe = (env: Readonly<Record<string, string>>, ...args: string[]) =>
  run(process.execPath, [join(ROOT, 'bin/probe.mjs'), ...args], { env });

suite('the probe of a container', () => {
  test('ends with 0 where the service is ready, and with 1 where it is not', async () => {
    const service = await TestService.start();
    const { port } = new URL(service.url);
    const { stdout } = await probe({ PORT: port }, 'readyz');
    assert.match(stdout, /"status":"ready"/);
    await assert.rejects(probe({ PORT: port }, 'nowhere'), { code: 1 });
    await service[Symbol.asyncDispose]();
    await assert.rejects(probe({ PORT: port }, 'readyz'), { code: 1, stderr: /ECONNREFUSED/ });
  });

  test('asks the port of operators where there is one', async () => {
    await using service = await TestService.start();
    const { port } = new URL(service.url);
    await probe({ PORT: '1', AVOUCH_OPS_PORT: port }, 'livez');
  });
});
