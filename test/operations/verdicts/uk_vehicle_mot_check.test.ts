import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { testPaidOperation } from '../../support/paid-operation.ts';
import { PaidService } from '../../support/paid-service.ts';
import { pathOf, testVerdicts } from '../../support/register-verdicts.ts';

const statuses = testPaidOperation({
  operationId: 'uk_vehicle_mot_check',
  right: { plate: 'AB12 CDE' },
  otherRight: { plate: 'AB12CDF' },
  wrong: { plate: '?' },
  pointers: ['#/plate'],
  price: '5000',
});

testVerdicts(
  {
    operationId: 'uk_vehicle_mot_check',
    register: 'dvsa_mot',
    asks: { plate: 'TEST01' },
    cases: {
      clean: { query: { plate: 'test 01' }, status: 'NO_FLAGS', flags: [], has: { result: { found: true, tests: 3 } } },
      'with a hyphen': { query: { plate: 'TEST-01' }, status: 'NO_FLAGS', flags: [], has: { result: { found: true } } },
      'odometer down': { query: { plate: 'TEST02' }, status: 'FLAGS_RAISED', flags: ['ODOMETER_WENT_DOWN'] },
      'last test failed': {
        query: { plate: 'TEST03' },
        status: 'FLAGS_RAISED',
        flags: ['LAST_TEST_FAILED', 'MOT_EXPIRED'],
      },
      'no tests yet': { query: { plate: 'TEST04' }, status: 'NO_TESTS_YET', flags: [], has: { result: { tests: 0 } } },
      'typing spike': {
        query: { plate: 'TEST05' },
        status: 'FLAGS_RAISED',
        flags: ['ODOMETER_INCONSISTENT', 'OUTSTANDING_RECALL'],
      },
      unknown: { query: { plate: 'ZZ99 ZZZ' }, status: 'NOT_FOUND', flags: [], has: { result: { found: false } } },
    },
    outages: [
      [{ plate: 'TESTRL2' }, 'MOTH-RL-02'],
      [{ plate: 'TESTNF2' }, 'MOTH-NF-02'],
    ],
  },
  statuses,
);

test('a plate that the register refuses is 400 and costs nothing', async () => {
  const paid = await PaidService.on('sqlite');
  const body = expectProblem(
    await paid.buy(pathOf('uk_vehicle_mot_check', { plate: 'TESTIV3' })),
    400,
    'invalid_parameters',
  );
  assert.deepEqual([body['charged'], paid.transfers()], [false, []]);
});
