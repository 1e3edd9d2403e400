import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import { type DraftRow, type PageReader, timeMs } from './source.ts';
import { SOURCES } from './source-table.ts';
import { periodStartMs } from './economy.ts';

const nowMs = Date.UTC(2026, 10, 15, 10);
const link = (_host: string, url: string) => url;

function read(id: string, text: string): readonly DraftRow[] {
  const reader = SOURCES.find((source) => source.id === id)?.readFile({ nowMs, link }) as PageReader<
    readonly DraftRow[]
  >;
  // Byte by byte in the middle of everything: pieces of an answer end anywhere.
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += 7) reader.write(bytes.subarray(from, from + 7));
  return reader.end();
}

const items = (rows: readonly DraftRow[]) => rows.map(({ item }) => item);

test('permits are read by local names, whatever the prefixes, and their text is cleaned', () => {
  const record = (p: string, title: string, more = '') =>
    `<${p}record><x:meta><dcterms:identifier>gmb-2026-1</dcterms:identifier><q:title>${title}</q:title><creator>Gemeente Utrecht</creator>
     <dc:available>2026-11-14</dc:available><activiteit>bouwen</activiteit><activiteit>slopen</activiteit>${more}</x:meta></${p}record>`;
  const page = (inner: string) =>
    `<a:searchRetrieveResponse><numberOfRecords>1</numberOfRecords>${inner}</a:searchRetrieveResponse>`;
  for (const prefix of ['', 'sru:', 'zs:']) {
    const [row] = read(
      'koop-sru',
      page(record(prefix, 'Verleende vergun\u200Bning &amp; meer', '<geometrie>POINT (5.12 52.09)</geometrie>')),
    );
    assert.deepEqual(row?.item, {
      identifier: 'gmb-2026-1',
      title: 'Verleende vergunning & meer',
      type: 'decision',
      authority: 'Gemeente Utrecht',
      activity: 'bouwen; slopen',
      reference: '',
      published: '2026-11-14',
      decided: '2026-11-14',
      lat: 52.09,
      lon: 5.12,
    });
    assert.equal(row?.authority, 'utrecht');
  }
  const types = ['Aanvraag om vergunning', 'Besluit op aanvraag', 'Verlenging beslistermijn aanvraag', 'Iets'].map(
    (title) => read('koop-sru', page(record('', title)))[0]?.kind,
  );
  assert.deepEqual(types, ['application', 'decision', 'extension', 'other']);
});

test('209 features of Natura 2000 are 162 areas', () => {
  const features = Array.from({ length: 209 }, (_, index) => ({
    properties: {
      nr: (index % 162) + 1,
      naamN2K: `Area ${index % 162}`,
      beschermin: index < 162 ? 'HR' : 'VR',
      sitecodeV: ' ',
      sitecodeH: `NL${index}`,
      shape_area: 10_000,
    },
  }));
  const rows = read('pdok-natura2000', JSON.stringify({ features }));
  assert.equal(rows.length, 162);
  assert.deepEqual(rows[0]?.item, {
    area_nr: 1,
    name: 'Area 0',
    protection: ['HR', 'VR'],
    site_codes: ['NL0', 'NL162'],
    area_ha: 2,
  });
});

test('figures outside of the totals, without a value or of long ago are left out', () => {
  const value = { Measure: 'M1', Value: 1, Perioden: '2026KW03', Componenten: 'T001363' };
  const rows = read(
    'cbs-85728NED',
    JSON.stringify({
      value: [value, { ...value, Componenten: 'A1' }, { ...value, Value: null }, { ...value, Perioden: '2019JJ00' }],
    }),
  );
  assert.deepEqual(items(rows), [
    { table: '85728NED', measure: 'M1', period: '2026KW03', region: null, value: 1, unit: null, status: 'provisional' },
  ]);
  assert.deepEqual(['2026KW03', '2026MM09', '2025JJ00', '2026'].map(periodStartMs), [
    Date.UTC(2026, 6),
    Date.UTC(2026, 8),
    Date.UTC(2025, 0),
    undefined,
  ]);
});

test('notices speak many languages, and a time without its zone is never later than it is', () => {
  const notice = {
    'publication-number': '1-2026',
    'publication-date': '2026-11-01+01:00',
    'buyer-country': 'DEU',
    'notice-title': { deu: 'Neubau' },
    'buyer-name': { deu: ['Stadt'] },
    'classification-cpv': ['45000000'],
  };
  const elsewhere = { ...notice, 'publication-number': '2-2026', 'buyer-country': 'constructor' };
  const [row, ...others] = read('ted', JSON.stringify({ notices: [notice, elsewhere], totalNoticeCount: 2 }));
  assert.deepEqual(others, [], 'no country of ours');
  assert.deepEqual([row?.item['title'], row?.item['country'], row?.item['closes']], ['Neubau', 'DE', null]);
  assert.deepEqual([row?.item['published'], row?.sortAtMs], ['2026-11-01', Date.UTC(2026, 10, 1)]);
  assert.equal(timeMs('2026-12-14T12:00:00'), Date.UTC(2026, 11, 14, 10));
  assert.equal(timeMs('2026-11-01+01:00'), Date.UTC(2026, 9, 31, 23));
  assert.equal(timeMs('soon'), undefined);
});

test('an emission zone is valid from a day in the Netherlands, however its time is written', () => {
  for (const time of ['2027-01-01', '2027-01-01T00:00:00+01:00', '2026-12-31T23:00:00Z']) {
    const inner = `<c:controlledZone id="z1"><name>Zone</name><overallStartTime>${time}</overallStartTime></c:controlledZone>`;
    const [row] = read('ndw-emissiezones', `<mc:messageContainer><p>${inner}</p></mc:messageContainer>`);
    assert.equal(row?.item['valid_from'], '2027-01-01', time);
  }
});

test('of road works only what falls into the next ninety days is kept', () => {
  const situation = (id: string, startDays: number, endDays: number | null, kind = 'MaintenanceWorks') => {
    const day = (days: number) => new Date(nowMs + days * DAY_MS).toISOString();
    const end = endDays === null ? '' : `<overallEndTime>${day(endDays)}</overallEndTime>`;
    return `<s:situation id="${id}"><s:situationRecord xsi:type="s:${kind}"><overallStartTime>${day(startDays)}</overallStartTime>${end}</s:situationRecord></s:situation>`;
  };
  const inner = [
    situation('over', -9, -1),
    situation('now', -9, 1),
    situation('open', -9, null),
    situation('far', 91, 95),
    situation('of no kind', -9, 1, 'constructor'),
  ];
  const rows = read('ndw-planning', `<mc:messageContainer><p>${inner.join('')}</p></mc:messageContainer>`);
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['now', 'open'],
  );
});

test('an answer that is another document is refused, never read as nothing', () => {
  for (const [id, text] of [
    ['koop-sru', '<html><body>maintenance</body></html>'],
    ['bwb-sru', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['tenderned', '{"content":{}}'],
    ['cbs-85728NED', '{"value":[{"Identifier":"x"}]}'],
    ['pdok-gemeenten', '[]'],
    ['ndw-planning', '<messageContainer><situation id="a"></messageContainer>'],
  ] as const) {
    assert.throws(() => read(id, text), { name: 'SourceError', code: 'WRONG_FORMAT' }, id);
  }
});
