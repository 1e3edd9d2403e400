import { testPaidOperation } from '../_paid-operation.ts';

testPaidOperation({
  operationId: 'uk_vehicle_mot_check',
  right: { plate: 'AB12 CDE' },
  otherRight: { plate: 'AB12CDF' },
  wrong: { plate: '?' },
  pointers: ['#/plate'],
  price: '5000',
  sells: false,
});
