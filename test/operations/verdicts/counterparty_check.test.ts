import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { testPaidOperation } from '../../support/paid-operation.ts';
import { PaidService } from '../../support/paid-service.ts';
import { expectOutage, pathOf, RegisterBench, testVerdicts } from '../../support/register-verdicts.ts';

const statuses = testPaidOperation({
  operationId: 'counterparty_check',
  right: { kvk_number: '12345678' },
  otherRight: { company_name: 'Voorbeeld' },
  wrong: { kvk_number: '1', colour: 'red' },
  pointers: ['#/colour', '#/kvk_number'],
  price: '30000',
});

const NOT_ASKED = { status: 'NOT_ASKED' };

testVerdicts(
  {
    operationId: 'counterparty_check',
    register: 'vies',
    asks: { vat_number: 'DE999001001' },
    cases: {
      'in order by number': {
        query: { kvk_number: '90000001' },
        status: 'NO_OPEN_QUESTIONS',
        flags: [],
        has: {
          registry: { status: 'ANSWERED', active_registration: true, name_match: null },
          vat: { ...NOT_ASKED, valid: null },
          sanctions: { status: 'ANSWERED', hit_count: 0 },
          insolvency: { status: 'ANSWERED', found: false, state: 'NONE' },
        },
      },
      'in order by name': {
        query: { company_name: 'SAMPLE B.V.' },
        status: 'NO_OPEN_QUESTIONS',
        flags: [],
        has: { registry: { status: 'ANSWERED', active_registration: true, name_match: true } },
      },
      'insolvency runs': { query: { kvk_number: '11998877' }, status: 'FLAGS_RAISED', flags: ['INSOLVENCY_ACTIVE'] },
      'ended and deregistered': {
        query: { kvk_number: '11998878' },
        status: 'FLAGS_RAISED',
        flags: ['INSOLVENCY_ENDED', 'REGISTRY_NOT_ACTIVE'],
      },
      'on the list, insolvency cannot be told': {
        query: { kvk_number: '11998879' },
        status: 'FLAGS_RAISED',
        flags: ['REGISTRY_NOT_ACTIVE', 'SANCTIONS_CANDIDATES'],
        has: { sanctions: { hit_count: 1 }, insolvency: { state: 'UNDETERMINED' } },
      },
      'a number of nobody': {
        query: { kvk_number: '12345678' },
        status: 'FLAGS_RAISED',
        flags: ['REGISTRY_NOT_FOUND'],
        has: { sanctions: { ...NOT_ASKED, hit_count: null } },
      },
      'a name of two': {
        query: { company_name: 'Dubbele Naam B.V.' },
        status: 'OPEN_QUESTIONS',
        flags: [],
        has: { registry: { status: 'UNDETERMINED', active_registration: null }, insolvency: NOT_ASKED },
      },
      'a name that the matcher cannot read': {
        query: { company_name: 'ឈ្មោះ' },
        status: 'FLAGS_RAISED',
        flags: ['SANCTIONS_SCRIPT_NOT_READ'],
        has: { sanctions: { status: 'UNDETERMINED', hit_count: null } },
      },
      'another name': {
        query: { kvk_number: '90000001', company_name: 'Other B.V.' },
        status: 'FLAGS_RAISED',
        flags: ['NAME_MISMATCH'],
      },
      'register at odds with itself': {
        query: { kvk_number: '90000009' },
        status: 'OPEN_QUESTIONS',
        flags: [],
        has: { registry: { status: 'UNAVAILABLE', active_registration: null }, insolvency: { status: 'ANSWERED' } },
      },
      'insolvency register out of order': {
        query: { kvk_number: '11998870', company_name: 'Voorbeeld Handel' },
        status: 'FLAGS_RAISED',
        flags: ['REGISTRY_NOT_FOUND'],
        has: { insolvency: { status: 'UNAVAILABLE', found: null, state: null } },
      },
      'VAT not valid, wrong check digit': {
        query: { vat_number: 'DE136695977' },
        status: 'FLAGS_RAISED',
        flags: ['VAT_CHECKSUM_MISMATCH', 'VAT_NOT_VALID'],
        has: { vat: { status: 'ANSWERED', valid: false }, registry: NOT_ASKED },
      },
      'VAT out of order beside a company in order': {
        query: { kvk_number: '90000001', vat_number: 'DE999003015' },
        status: 'OPEN_QUESTIONS',
        flags: [],
        has: { vat: { status: 'UNAVAILABLE', valid: null }, registry: { status: 'ANSWERED' } },
      },
    },
    outages: [[{ vat_number: 'DE999006005' }, 'MS_MAX_CONCURRENT_REQ']],
  },
  statuses,
);

suite('counterparty_check: parts', () => {
  test('one part that answers is a verdict; when none does there is none, and nothing is charged', async () => {
    await using bench = await RegisterBench.start();
    const { paid, simulators } = bench;
    const path = pathOf('counterparty_check', { kvk_number: '90000001' });
    simulators.setFault('kvk', '500');
    const half = statuses.saw(await paid.buy(path));
    const result = half.json['result'] as { open_questions: { code: string }[] };
    const questions = result.open_questions.map(({ code }) => code);
    assert.deepEqual(questions, ['REGISTRY_UNAVAILABLE', 'SANCTIONS_NO_NAME']);
    assert.equal(paid.chain.transfers.size, 1);
    simulators.setFault('cir', '500');
    paid.clock.advance(2 * HOUR_MS);
    expectOutage(statuses.saw(await paid.buy(path)), 'kvk');
    assert.equal(paid.chain.transfers.size, 1);
  });

  test('registers that are switched off leave questions open', async () => {
    await using bench = await RegisterBench.start({ AVOUCH_REGISTERS: 'kvk' });
    const answer = await bench.paid.buy(pathOf('counterparty_check', { kvk_number: '90000001' }));
    const result = answer.json['result'] as { status: string; open_questions: { code: string; text: string }[] };
    assert.equal(result.status, 'OPEN_QUESTIONS');
    assert.deepEqual(
      result.open_questions.map(({ code, text }) => `${code}: ${text}`),
      [
        'SANCTIONS_UNAVAILABLE: This installation does not query the EU sanctions list. Check there yourself.',
        'INSOLVENCY_UNAVAILABLE: This installation does not query the Dutch insolvency register. Check there yourself.',
      ],
    );
  });

  test('nothing of a register is passed on but verdicts', async () => {
    const paid = await PaidService.on('sqlite');
    const query = { kvk_number: '11998877', vat_number: 'NL999900018B01' };
    const { text } = await paid.buy(pathOf('counterparty_check', query));
    const { result } = JSON.parse(text) as { result: unknown };
    for (const word of ['voorbeeld', '11998877', 'nl999900018']) {
      assert.ok(!JSON.stringify(result).toLowerCase().includes(word), word);
    }
  });
});

test('a paid call that names no company is refused uncharged, with a code of its own', async () => {
  const paid = await PaidService.on('sqlite');
  const answer = await paid.buy(pathOf('counterparty_check', {}));
  const { errors } = expectProblem(answer, 400, 'invalid_parameters');
  assert.deepEqual(
    (errors as { code: string }[]).map(({ code }) => code),
    ['identifier_required'],
  );
  assert.deepEqual(paid.transfers(), []);
});
