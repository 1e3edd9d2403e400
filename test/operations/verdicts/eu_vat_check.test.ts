import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { testPaidOperation } from '../../support/paid-operation.ts';
import { PaidService } from '../../support/paid-service.ts';
import { pathOf, RegisterBench, testVerdicts } from '../../support/register-verdicts.ts';

const statuses = testPaidOperation({
  operationId: 'eu_vat_check',
  right: { vat_number: 'NL999900018B01' },
  otherRight: { vat_number: 'DE999001001' },
  wrong: { vat_number: '1' },
  pointers: ['#/vat_number'],
  price: '2000',
});

testVerdicts(
  {
    operationId: 'eu_vat_check',
    register: 'vies',
    asks: { vat_number: 'DE999001001' },
    cases: {
      'valid with name': {
        query: { vat_number: 'nl 9999.00018 b01' },
        status: 'VALID',
        flags: [],
        has: { valid: true },
      },
      'valid in another writing': {
        query: { vat_number: 'ＮＬ/9999-\u00a000018 / b01' },
        status: 'VALID',
        flags: [],
        has: { valid: true, vat: 'NL999900018B01' },
      },
      'valid without name': {
        query: { vat_number: 'DE999001001' },
        status: 'VALID',
        flags: ['DETAILS_UNDISCLOSED'],
        has: { name: null, address: null, country_code: 'DE' },
      },
      'not valid': { query: { vat_number: 'DE999002004' }, status: 'INVALID', flags: ['VAT_NOT_VALID'] },
      'wrong check digit': {
        query: { vat_number: 'DE136695977' },
        status: 'INVALID',
        flags: ['CHECKSUM_MISMATCH', 'VAT_NOT_VALID'],
      },
      Greece: {
        query: { vat_number: 'GR094259216' },
        status: 'INVALID',
        flags: ['VAT_NOT_VALID'],
        has: { vat: 'EL094259216', country_code: 'EL' },
      },
    },
    outages: [
      [{ vat_number: 'DE999002029' }, 'INVALID_REQUESTER_INFO'],
      [{ vat_number: 'DE999003007' }, 'SERVICE_UNAVAILABLE'],
      [{ vat_number: 'DE999003015' }, 'MS_UNAVAILABLE'],
      [{ vat_number: 'DE999003023' }, 'TIMEOUT'],
      [{ vat_number: 'DE999004000' }, 'VAT_BLOCKED'],
      [{ vat_number: 'DE999004018' }, 'IP_BLOCKED'],
      [{ vat_number: 'DE999005002' }, 'GLOBAL_MAX_CONCURRENT_REQ'],
      [{ vat_number: 'DE999005019' }, 'GLOBAL_MAX_CONCURRENT_REQ_TIME'],
      [{ vat_number: 'DE999006005' }, 'MS_MAX_CONCURRENT_REQ'],
      [{ vat_number: 'DE999006013' }, 'MS_MAX_CONCURRENT_REQ_TIME'],
    ],
  },
  statuses,
);

test('"not valid" soon after an outage of the member state is asked twice, and says so', async () => {
  await using bench = await RegisterBench.start();
  await bench.paid.buy(pathOf('eu_vat_check', { vat_number: 'DE999003015' }));
  bench.paid.clock.advance(20_000);
  const answer = await bench.paid.buy(pathOf('eu_vat_check', { vat_number: 'DE999002004' }));
  const { flags } = answer.json['result'] as { flags: string[] };
  assert.deepEqual(flags, ['CONFIRMED_AFTER_OUTAGE', 'VAT_NOT_VALID']);
});

test('a 503 says whether VIES is down, at a limit or closed to this installation', async () => {
  const paid = await PaidService.on('sqlite');
  const said = {
    DE999003015: 'Avouch got no usable response from VIES (MS_UNAVAILABLE). Nothing was charged.',
    DE999006005: 'The limit of queries to VIES is reached (MS_MAX_CONCURRENT_REQ). Nothing was charged.',
    DE999004018: 'This installation has no access to VIES (IP_BLOCKED). Nothing was charged.',
  };
  for (const [vat, detail] of Object.entries(said)) {
    const body = expectProblem(
      await paid.buy(pathOf('eu_vat_check', { vat_number: vat })),
      503,
      'register_unavailable',
    );
    assert.equal(body['detail'], detail);
  }
});

test('what no member state issues, what VIES does not hold and what VIES refuses is 400 and costs nothing', async () => {
  const paid = await PaidService.on('sqlite');
  for (const vat of ['DE1', 'GB123456789', 'EU123456789', 'DEDE136695976', 'DE999002012']) {
    const body = expectProblem(await paid.buy(pathOf('eu_vat_check', { vat_number: vat })), 400, 'invalid_parameters');
    assert.deepEqual([(body['errors'] as { pointer: string }[])[0]?.pointer, body['charged']], ['#/vat_number', false]);
  }
  assert.deepEqual(paid.transfers(), []);
});
