import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { applicationText, listEntry, requestsPerDay } from '#platform/log/application.ts';
import { runCommand } from '../support/command.ts';
import { serviceEnv } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const APPLICATION = {
  origin: 'attest.example/astralock',
  vkey: 'attest.example/astralock+890106d5+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  everySeconds: 30,
  list: 'staging',
  contact: 'ops@attest.example',
  operator: 'Example BV',
};

test('the entry has key, rate and contact in the order of the list', () => {
  assert.equal(listEntry(APPLICATION), `vkey ${APPLICATION.vkey}\nqpd 2880\ncontact ops@attest.example\n`);
  assert.ok(readFileSync('docs/standards.md', 'utf8').includes(listEntry(APPLICATION)));
  assert.deepEqual([1, 7, 30, 3_600].map(requestsPerDay), [86_400, 12_343, 2_880, 24]);
});

test('the email says the five facts, the purpose and the lifetime', () => {
  const text = applicationText(APPLICATION);
  for (const fact of [
    'Origin: attest.example/astralock\n',
    'Rate: 2880 ',
    'List: staging\n',
    'Contact: ops@',
    'Purpose: ',
    'Lifetime: ',
  ]) {
    assert.ok(text.includes(fact), fact);
  }
  assert.ok(text.endsWith(listEntry(APPLICATION)));
});

test('the log of a sandbox cannot apply', async () => {
  const service = await sharedService();
  const env = serviceEnv(service.dataDir, service.databaseUrl);
  const { code, stdout, stderr } = await runCommand(['log', 'application'], env);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /sandbox\.invalid\/\S+ is the log of a sandbox or of this machine\./);
});
