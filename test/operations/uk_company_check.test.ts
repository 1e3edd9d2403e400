import { testPaidOperation } from '../_paid-operation.ts';

testPaidOperation({
  operationId: 'uk_company_check',
  right: { company: '01234567' },
  otherRight: { company: 'Acme' },
  wrong: { colour: 'red' },
  pointers: ['#/colour', '#/company'],
  price: '5000',
  sells: false,
});
