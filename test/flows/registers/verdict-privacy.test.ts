// What callers ask registers about is marked; afterwards every byte that the service keeps or logs is searched for it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { verdictsArea } from '#areas/verdicts/area.ts';
import { rowsOf } from '#kernel/area.ts';
import { DAY_MS, MINUTE_MS } from '#kernel/clock.ts';
import { pathOf, RegisterBench } from '../../support/register-verdicts.ts';

const ASKED: readonly (readonly [operationId: string, query: Record<string, string>, marks: readonly string[]])[] = [
  ['sanctions_screen', { name: 'M4rkone Qweryname' }, ['M4rkone', 'Qweryname']],
  ['uk_company_check', { company: 'M4rktwo Zzcompany' }, ['M4rktwo', 'Zzcompany']],
  ['uk_company_check', { company: '00987654' }, ['00987654']],
  ['eu_vat_check', { vat_number: 'DE136695976' }, ['136695976']],
  ['eu_vat_check', { vat_number: 'DE999003015' }, ['999003015']],
  ['eu_vat_check', { vat_number: 'DE999004000' }, ['999004000']], // is told to the operator
  ['nl_vehicle_check', { kenteken: 'XQ-77-ZK' }, ['XQ77ZK', 'XQ-77-ZK']],
  ['uk_vehicle_mot_check', { plate: 'XQ77 ZKW' }, ['XQ77ZKW', 'XQ77 ZKW', 'XQ77+ZKW']],
  [
    'counterparty_check',
    { kvk_number: '40918273', vat_number: 'DE813758264', company_name: 'M4rkthree Xxfirm' },
    ['40918273', '813758264', 'M4rkthree', 'Xxfirm'],
  ],
];

/** What of a text is seen in base64, wherever in the encoded bytes it stands; what is too short may come by chance. */
function base64Forms(text: string): string[] {
  return [0, 1, 2]
    .map((shift) => {
      const encoded = Buffer.from('\0'.repeat(shift) + text).toString('base64');
      const whole = Math.floor(((shift + text.length) * 8) / 6);
      return encoded.slice(Math.ceil((shift * 8) / 6), whole);
    })
    .filter((form) => form.length >= 8);
}

/** What results repeat, and the numbers of payments that are not settled: they stay with the payment for a day. */
const SHOWN = ['136695976', '999003015', '999004000', 'XQ77ZK'];
const MARKS = ASKED.flatMap(([, , marks]) => marks).flatMap((mark) => [
  ...[mark, Buffer.from(mark).toString('hex'), encodeURIComponent(mark)],
  ...base64Forms(mark),
]);
const VERDICTS = rowsOf(verdictsArea)
  .filter(({ price }) => price !== null)
  .map(({ operationId }) => operationId);

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
    const { paid, simulators } = bench;
    assert.deepEqual(new Set(ASKED.map(([operationId]) => operationId)), new Set(VERDICTS), 'all six are asked');
    const { dataDir } = paid.service;
    for (const [operationId, query] of ASKED) {
      const answer = await paid.buy(pathOf(operationId, query));
      assert.ok([200, 503].includes(answer.status), answer.text);
    }
    simulators.setFault('rdw', 'html');
    assert.equal((await paid.buy(pathOf('nl_vehicle_check', { kenteken: 'XQ-78-ZK' }))).status, 503);
    const { store } = paid.service.service;
    const tables = await store.read("SELECT name FROM sqlite_master WHERE type = 'table'");
    const inTables = new Map<string, string[]>();
    for (const { name } of tables) {
      const found = marksIn([[String(name), JSON.stringify(await store.read(`SELECT * FROM ${String(name)}`))]]);
      if (found.length > 0) inTables.set(String(name), found);
    }
    assert.deepEqual([...inTables.keys()], ['payment'], 'the stored answers, and nothing else');
    const stored = new Set((inTables.get('payment') ?? []).map((found) => found.replace(/ in .*/, '')));
    assert.deepEqual([...stored].filter((mark) => SHOWN.includes(mark)).toSorted(), SHOWN, 'the search itself works');
    assert.deepEqual(
      [...stored].filter((mark) => !SHOWN.flatMap((shown) => [shown, ...base64Forms(shown)]).includes(mark)),
      [],
      'names, companies and UK plates are not even there',
    );
    assert.equal((await paid.call('/system/status')).status, 200);
    const database = /^avouch\.db/;
    assert.deepEqual(marksIn(filesIn(dataDir).filter(([name]) => !database.test(name))), []);
    paid.clock.advance(DAY_MS + MINUTE_MS);
    await paid.restart();
    await paid.callUntil(200, async () => {
      const left = await paid.service.service.store.read('SELECT * FROM payment');
      const isClean = marksIn([['payment', JSON.stringify(left)]]).length === 0;
      return { ...(await paid.call('/api/v1/health')), status: isClean ? 200 : 0 };
    });
    await paid.service[Symbol.asyncDispose]();
    assert.deepEqual(marksIn(filesIn(dataDir)), []);
    assert.match(logged.join(''), /VAT_BLOCKED/, 'log lines are searched');
    assert.deepEqual(marksIn([['log', logged.join('')]]), []);
  });
});
