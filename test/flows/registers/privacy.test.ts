// Registers are asked about marked numbers, plates and names; then everything that the service writes is searched.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import pg from 'pg';
import { ENGINES, type EngineName, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { TestService } from '../../support/service.ts';
import { LogCaller, type SealAnswer } from '../../referees/log-traffic.ts';

interface Asked {
  readonly value: string;
  readonly schemaId: string;
  readonly claim: Readonly<Record<string, unknown>>;
}

const snapshot = (source: string, query: string, value = query): Asked => ({
  value,
  schemaId: 'registry.snapshot.v1',
  claim: { sources: [{ source, query }], purpose: 'm4rk3r-purpose' },
});

/** What is asked is different under every row, so that each trace leads to its register. */
const ASKED: Readonly<Record<string, Asked>> = {
  'a VAT number': {
    value: '999900018B01',
    schemaId: 'vat.vies.v1',
    claim: { country_code: 'NL', vat_number: '999900018B01' },
  },
  'a VAT number of a member state that is out of order': {
    value: '999003014',
    schemaId: 'vat.vies.v1',
    claim: { country_code: 'DE', vat_number: '999003014' },
  },
  'a number of the commercial register': {
    value: '68750110',
    schemaId: 'kvk.liveness.v1',
    claim: { kvk_number: '68750110' },
  },
  'a number that the commercial register does not have': {
    value: '73928461',
    schemaId: 'kvk.liveness.v1',
    claim: { kvk_number: '73928461' },
  },
  'a VAT number in a snapshot': snapshot('vies', 'DE864213579', '864213579'),
  'a number of the commercial register in a snapshot': snapshot('kvk', '90001354'),
  'a number of the insolvency register': snapshot('cir', '11998877'),
  'a number at which the insolvency register fails': snapshot('cir', '11998870'),
  'a Dutch plate': snapshot('rdw', 'TEST06'),
  'a Dutch plate that nobody has': snapshot('rdw', 'QX73ZW'),
  'a number of a UK company': snapshot('companies_house', '99999901'),
  'a UK plate': snapshot('dvsa_mot', 'TEST03'),
  'a UK plate that is refused': snapshot('dvsa_mot', 'TESTIV3'),
  'a name': snapshot('eu_fsf', 'Zyx Marked Wvutsrq'),
  'what a caller wants it for': snapshot('kvk', '90000749', 'm4rk3r-purpose'),
};
/** Words of the registers' answers about them. */
const ANSWERED = ['VOORBEELD HANDEL', 'Test BV Donald', 'MODEL A', 'Model A'];

function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [...new Set([text, base64, bytes.toString('base64url'), bytes.toString('hex'), encodeURIComponent(text)])];
}

type Kept = ReadonlyMap<string, Buffer>;

function filesIn(directory: string): Kept {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(directory, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(directory, name))]));
}

async function rowsOf(databaseUrl: string | undefined): Promise<Kept> {
  if (databaseUrl === undefined) return new Map();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const rows = new Map<string, Buffer>();
  for (const { name } of tables.rows) {
    rows.set(`table ${name}`, Buffer.from(JSON.stringify((await client.query(`SELECT * FROM ${name}`)).rows)));
  }
  await client.end();
  return rows;
}

function foundIn(kept: Kept, texts: readonly string[]): string[] {
  // Eight digits may stand by chance in the hexadecimal digits of a hash.
  const isApart = (text: string, bytes: Buffer) =>
    new RegExp(`(?<![0-9a-f])${RegExp.escape(text)}(?![0-9a-f])`).test(bytes.toString('latin1'));
  return [...kept].flatMap(([place, bytes]) =>
    texts.filter((text) => bytes.includes(text) && isApart(text, bytes)).map((text) => `${text} in ${place}`),
  );
}

/** Where claims are kept for their holders until they erase them. */
const RECORDS = /^(?:avouch\.db|table records$)/;
const outside = (kept: Kept): Kept => new Map([...kept].filter(([place]) => !RECORDS.test(place)));

/** Asks every register, takes what is kept while the claims are, erases all claims, and takes what is kept then. */
async function keptAround(
  t: TestContext,
  engine: EngineName,
): Promise<{ readonly sealed: Kept; readonly erased: Kept }> {
  const dataDir = await temporaryDirectory();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const databaseUrl = await freshDatabase(engine);
  let logged = '';
  t.mock.method(process.stderr, 'write', (text: unknown) => {
    logged += String(text);
    return true;
  });
  const kept = async (): Promise<Kept> =>
    new Map([...filesIn(dataDir), ...(await rowsOf(databaseUrl)), ['log lines', Buffer.from(logged)] as const]);
  let sealed: Kept;
  {
    await using service = await TestService.start({ dataDir, databaseUrl, env: { AVOUCH_LOG_LEVEL: 'debug' } });
    using caller = new LogCaller(service.url);
    const seals: SealAnswer[] = [];
    for (const { schemaId, claim } of Object.values(ASKED)) seals.push(await caller.seal(schemaId, claim));
    // A repeat, and claims that are refused before any register is asked.
    for (const { schemaId, claim } of Object.values(ASKED))
      await caller.call('/api/attest/seal', { schema_id: schemaId, claim, odd: claim });
    await caller.call('/system/status');
    sealed = await kept();
    for (const { attestation_id, disclosure_seed } of seals) {
      const answer = await caller.call('/api/attest/erase', { attestation_id, disclosure_seed });
      assert.equal(answer.status, 200, answer.text);
    }
  }
  return { sealed, erased: await kept() };
}

for (const engine of ENGINES) {
  suite(`what is kept of questions to registers on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('log lines and trail never hold what was asked or answered; after erasure nothing does', async (t) => {
      const { sealed, erased } = await keptAround(t, engine);
      const values = [...Object.values(ASKED).map(({ value }) => value), ...ANSWERED];
      assert.ok(
        [...sealed.keys()].some((place) => place.endsWith('.ndjson')),
        'the trail is searched',
      );
      assert.notEqual(sealed.get('log lines')?.length, 0, 'log lines are searched');
      for (const [what, { value }] of Object.entries(ASKED)) {
        assert.notDeepEqual(foundIn(sealed, [value]), [], `the search works: ${what} is kept for its holder`);
      }
      for (const value of values) {
        assert.deepEqual(foundIn(outside(sealed), formsOf(value)), []);
        assert.deepEqual(foundIn(erased, formsOf(value)), [], 'after erasure');
      }
    });
  });
}
