import { testPaidOperation } from '../_paid-operation.ts';

testPaidOperation({
  operationId: 'counterparty_check',
  right: { kvk_number: '12345678' },
  otherRight: { company_name: 'Voorbeeld' },
  wrong: { kvk_number: '1', colour: 'red' },
  pointers: ['#/colour', '#/kvk_number'],
  price: '30000',
  sells: false,
});
