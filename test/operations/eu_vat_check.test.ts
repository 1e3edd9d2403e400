import { testPaidOperation } from '../_paid-operation.ts';

testPaidOperation({
  operationId: 'eu_vat_check',
  right: { vat_number: 'NL123456789B01' },
  otherRight: { vat_number: 'DE123456789' },
  wrong: { vat_number: '1' },
  pointers: ['#/vat_number'],
  price: '2000',
  sells: false,
});
