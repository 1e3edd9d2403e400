import { testPaidOperation } from '../_paid-operation.ts';

testPaidOperation({
  operationId: 'nl_vehicle_check',
  right: { kenteken: 'AB-12-CD' },
  otherRight: { kenteken: 'AB12CE' },
  wrong: { kenteken: 'A' },
  pointers: ['#/kenteken'],
  price: '10000',
  sells: false,
});
