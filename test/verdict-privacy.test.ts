// What callers ask registers about is marked; afterwards every byte that the service keeps or logs is searched for it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { pathOf, RegisterBench } from './_register-verdicts.ts';

const ASKED: readonly (readonly [operationId: string, query: Record<string, string>, marks: readonly string[]])[] = [
  ['sanctions_screen', { name: 'M4rkone Qweryname' }, ['M4rkone', 'Qweryname']],
  ['uk_company_check', { company: 'M4rktwo Zzcompany' }, ['M4rktwo', 'Zzcompany']],
  ['uk_company_check', { company: '00987654' }, ['00987654']],
  ['eu_vat_check', { vat_number: 'DE136695976' }, ['136695976']],
  ['eu_vat_check', { vat_number: 'DE999003015' }, ['999003015']],
  ['nl_vehicle_check', { kenteken: 'XQ-77-ZK' }, ['XQ77ZK', 'XQ-77-ZK']],
  ['uk_vehicle_mot_check', { plate: 'XQ77 ZKW' }, ['XQ77ZKW', 'XQ77 ZKW', 'XQ77+ZKW']],
  [
    'counterparty_check',
    { kvk_number: '40918273', company_name: 'M4rkthree Xxfirm' },
    ['40918273', 'M4rkthree', 'Xxfirm'],
  ],
];
const MARKS = ASKED.flatMap(([, , marks]) => marks).flatMap((mark) => [mark, Buffer.from(mark).toString('hex')]);
const DAY_MS = 86_400_000;

function filesIn(directory: string): [name: string, bytes: Buffer][] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(directory, name)).isFile());
  return files.map((name) => [name, readFileSync(join(directory, name))]);
}

function marksIn(files: readonly (readonly [name: string, bytes: Buffer | string])[]): string[] {
  return files.flatMap(([name, bytes]) =>
    MARKS.filter((mark) => bytes.includes(mark)).map((mark) => `${mark} in ${name}`),
  );
}

suite('what is kept of questions to registers', () => {
  test('no log line, audit line or file has them but the stored answers, and after a day nothing has', async (t) => {
    const logged: string[] = [];
    t.mock.method(process.stderr, 'write', (text: unknown) => logged.push(String(text)) > 0);
    await using bench = await RegisterBench.start({ AVOUCH_LOG_LEVEL: 'debug' });
    const { paid, standIns } = bench;
    const { dataDir } = paid.service;
    for (const [operationId, query] of ASKED) {
      const answer = await paid.buy(pathOf(operationId, query));
      assert.ok([200, 503].includes(answer.status), answer.text);
    }
    standIns.setFault('rdw', 'html');
    assert.equal((await paid.buy(pathOf('nl_vehicle_check', { kenteken: 'XQ-78-ZK' }))).status, 503);
    const rows = await paid.service.service.store.read('SELECT * FROM payment');
    assert.notDeepEqual(marksIn([['payment', JSON.stringify(rows)]]), [], 'the search itself works');
    const database = /^avouch\.db/;
    assert.deepEqual(marksIn(filesIn(dataDir).filter(([name]) => !database.test(name))), []);
    paid.clock.advance(DAY_MS + 60_000);
    await paid.restart();
    await paid.callUntil(200, async () => {
      const left = await paid.service.service.store.read('SELECT * FROM payment');
      const isClean = marksIn([['payment', JSON.stringify(left)]]).length === 0;
      return { ...(await paid.call('/api/v1/health')), status: isClean ? 200 : 0 };
    });
    await paid.service[Symbol.asyncDispose]();
    assert.deepEqual(marksIn(filesIn(dataDir)), []);
    assert.deepEqual(marksIn([['log', logged.join('')]]), []);
  });
});
