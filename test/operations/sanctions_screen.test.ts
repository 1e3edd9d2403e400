import { testPaidOperation } from '../_paid-operation.ts';

testPaidOperation({
  operationId: 'sanctions_screen',
  right: { name: 'Voorbeeld' },
  otherRight: { name: 'Other' },
  wrong: { name: 'x', colour: 'red' },
  pointers: ['#/colour', '#/name'],
  price: '10000',
  sells: false,
});
