import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DAY_MS, ManualClock, MINUTE_MS } from '#kernel/clock.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import { TokenBucket } from '../resilience/token-bucket.ts';
import { SUPPLIER_POLICIES, SupplierSet } from './supplier-set.ts';
import { offerOf, priceText, wholeNumber } from './wire-price.ts';

const clock = new ManualClock(Date.UTC(2026, 10, 15, 10));
/** Long enough for a busy machine, but not for the minute that a supplier asks for; who waits for a time-out has less. */
const PATIENCE = 10;
let simulators: RegisterSimulators;
let suppliers: SupplierSet;
const alerts: string[] = [];

function suppliersWith(patience: number): SupplierSet {
  const secret = { reveal: () => 'sandbox' };
  const login = { clientId: 'sandbox', clientSecret: secret };
  return new SupplierSet({
    clock,
    hashKey: (...parts) => parts.join(' '),
    userAgent: 'test',
    patience,
    alert: (supplier, code) => alerts.push(`${supplier} ${code}`),
    settings: {
      nexar: { ...login, baseUrl: `${simulators.url}/nexar`, identityBaseUrl: `${simulators.url}/nexar-login` },
      mouser: { baseUrl: `${simulators.url}/mouser`, apiKey: secret },
      digikey: { ...login, baseUrl: `${simulators.url}/digikey` },
    },
  });
}

before(async () => {
  simulators = await RegisterSimulators.start(() => clock.now());
  suppliers = suppliersWith(PATIENCE);
});
after(async () => {
  suppliers[Symbol.dispose]();
  await simulators[Symbol.asyncDispose]();
});

const adapter = (name: string, { adapters } = suppliers) => {
  const found = adapters.find((one) => one.name === name);
  assert.ok(found !== undefined);
  return found;
};

test('prices are read as suppliers write them', () => {
  const rows: readonly [price: string | number | null | undefined, currency: string, text: string | null][] = [
    ['$0.52', 'USD', '0.52'],
    ['0,52 €', 'EUR', '0.52'],
    ['1.234,56', 'EUR', '1234.56'],
    ['1.234,56 €', 'EUR', '1234.56'],
    ['$1,234.56', 'USD', '1234.56'],
    ['£1,234', 'GBP', '1234'],
    ['€ 0.0021', 'EUR', '0.0021'],
    ['1,5', 'EUR', '1.5'],
    [0.1, 'EUR', '0.100000000'],
    [1e-7, 'EUR', '0.000000100'],
    [-1, 'EUR', null],
    [Number.NaN, 'EUR', null],
    ['', 'EUR', null],
    ['call us', 'EUR', null],
    ['1,2,3', 'EUR', null],
    [null, 'EUR', null],
    [undefined, 'EUR', null],
  ];
  for (const [price, currency, text] of rows) assert.equal(priceText(price, currency), text, String(price));
  const counts = [['12,345 In Stock', 12_345], ['421', 421], ['61 Days', 61], ['None', null], ['', null], [7, 7], [1.5, null], [null, null]] as const; // biome-ignore format: pairs
  for (const [given, count] of counts) assert.equal(wholeNumber(given), count, String(given));
});

test('breaks are put in order, those without a price left out, and an offer without any is none', () => {
  const wire = {
    supplier: 'S',
    sku: 'k',
    moq: null,
    multiple: 0,
    stock: null,
    leadDays: null,
    currency: 'EUR',
    lifecycle: '',
    manufacturer: null,
    source: 's',
    asOfMs: 0,
  };
  const breaks = [
    { quantity: 10, price: '0,50 €' },
    { quantity: 1, price: '0,0123456789 €' },
    { quantity: 5, price: null },
  ];
  const read = offerOf({ ...wire, breaks });
  assert.deepEqual(read?.breaks, [
    { fromThousandths: 1_000, priceNano: 12_345_678 },
    { fromThousandths: 10_000, priceNano: 500_000_000 },
  ]);
  assert.deepEqual([read?.moqThousandths, read?.multipleThousandths, read?.lifecycle], [1_000, 1_000, null]);
  assert.equal(offerOf({ ...wire, breaks: [] }), null);
  assert.equal(offerOf({ ...wire, breaks, currency: '' }), null);
});

test('each supplier is asked in its own way and tells the same of a part', async () => {
  const mpns = ['EX-MCU-32', 'EX-OLD-1', 'EX-NOPRICE-1', 'NOBODY-HAS-IT'];
  for (const [name, first, last] of [
    ['nexar', 4_123_450_000, 3_100_500_000],
    ['mouser', 4_205_920_000, 3_162_510_000],
    ['digikey', 4_329_622_500, 3_255_525_000],
  ] as const) {
    const { offers, state } = await adapter(name).lookup(mpns);
    assert.equal(state, 'ok', name);
    const [mcu] = offers.get('EX-MCU-32') ?? [];
    assert.deepEqual(
      mcu?.breaks.map(({ priceNano }) => priceNano).filter((_, at) => at !== 1),
      [first, last],
      name,
    );
    assert.deepEqual(
      [mcu?.stockThousandths, mcu?.currency, mcu?.manufacturer, mcu?.source],
      [421_000, 'EUR', 'EXAMPLE', name],
    );
    assert.deepEqual([offers.get('EX-NOPRICE-1'), offers.get('NOBODY-HAS-IT')], [[], []], name);
    assert.ok(
      (offers.get('EX-OLD-1')?.[0]?.breaks[0]?.priceNano ?? 0) > 1_234_000_000_000,
      'thousands are no decimals',
    );
  }
  const lifecycle = async (name: string) =>
    (await adapter(name).lookup(['EX-OLD-1'])).offers.get('EX-OLD-1')?.[0]?.lifecycle;
  assert.deepEqual([await lifecycle('mouser'), await lifecycle('digikey')], ['End of Life', 'End of Life']);
});

test('a supplier at its limit is limited, one out of order is down, and neither is believed', async () => {
  for (const [fault, state] of [
    ['html', 'down'],
    ['badjson', 'down'],
    ['reset', 'down'],
  ] as const) {
    for (const name of ['nexar', 'mouser', 'digikey'] as const) {
      simulators.setFault(name, fault);
      const { offers, state: seen } = await adapter(name).lookup([`EX-${fault}`]);
      simulators.setFault(name, null);
      assert.deepEqual([seen, offers.size], [state, 0], `${name} ${fault}`);
    }
  }
});

test('a supplier that never answers is given up', async () => {
  using impatient = suppliersWith(0.01);
  simulators.setFault('nexar', 'hang');
  const { offers, state } = await adapter('nexar', impatient).lookup(['EX-HANG']);
  simulators.setFault('nexar', null);
  assert.deepEqual([state, offers.size], ['down', 0]);
});

test('greedy processes together stay within what a supplier allows, in any minute and in any day', () => {
  for (const [name, windowMs, stepMs, allowed] of [
    ['mouser', MINUTE_MS, 250, 30],
    ['mouser', DAY_MS, 5_000, 1_000],
    ['digikey', MINUTE_MS, 250, 120],
  ] as const) {
    for (const processes of [1, 2, 7]) {
      const buckets = Array.from({ length: processes }, () => new TokenBucket(SUPPLIER_POLICIES[name].bucket));
      for (const bucket of buckets) bucket.share(processes);
      const takenAtMs: number[] = [];
      for (let nowMs = 0; nowMs <= 2.5 * windowMs; nowMs += stepMs) {
        for (const bucket of buckets) while (bucket.take(nowMs).waitMs === 0) takenAtMs.push(nowMs);
      }
      let [worst, first] = [0, 0];
      for (const [last, atMs] of takenAtMs.entries()) {
        while ((takenAtMs[first] as number) <= atMs - windowMs) first += 1;
        worst = Math.max(worst, last - first + 1);
      }
      assert.ok(worst <= allowed, `${name}: ${worst} calls of ${processes} processes`);
      assert.ok(worst > allowed * 0.6, `${name}: only ${worst} calls of ${processes} processes`);
    }
  }
});

test('a limit that a supplier tells of is kept', async () => {
  for (const name of ['nexar', 'mouser', 'digikey'] as const) {
    simulators.setFault(name, 'throttle');
    assert.equal((await adapter(name).lookup(['EX-LIMIT'])).state, 'limited', name);
    simulators.setFault(name, null);
  }
  assert.equal((await adapter('mouser').lookup(['EX-MCU-32'])).state, 'limited', 'it is left alone for a minute');
});
