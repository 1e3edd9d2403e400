import { testPaidOperation } from '../../support/paid-operation.ts';
import { testVerdicts } from '../../support/register-verdicts.ts';

const statuses = testPaidOperation({
  operationId: 'nl_vehicle_check',
  right: { kenteken: 'AB-12-CD' },
  otherRight: { kenteken: 'AB12CE' },
  wrong: { kenteken: 'A' },
  pointers: ['#/kenteken'],
  price: '10000',
});

const FLAGGED = 'FLAGS_IN_OPEN_REGISTER';

testVerdicts(
  {
    operationId: 'nl_vehicle_check',
    register: 'rdw',
    asks: { kenteken: 'TEST01' },
    cases: {
      ordinary: {
        query: { kenteken: 'te-st-01' },
        status: 'NO_FLAGS_IN_OPEN_REGISTER',
        flags: [],
        has: { found: true },
      },
      'other dashes and the country': {
        query: { kenteken: 'NL te–st_01' },
        status: 'NO_FLAGS_IN_OPEN_REGISTER',
        flags: [],
        has: { found: true, kenteken: 'TEST01' },
      },
      'uninsured, inspection expired': {
        query: { kenteken: 'TEST02' },
        status: FLAGGED,
        flags: ['APK_EXPIRED', 'NOT_INSURED'],
        has: { facts: { wam_verzekerd: 'Nee' } },
      },
      recalled: {
        query: { kenteken: 'TEST03' },
        status: FLAGGED,
        flags: ['OPEN_RECALL'],
        has: { facts: { open_recalls: ['XXX260001'] } },
      },
      'imported taxi': {
        query: { kenteken: 'TEST04' },
        status: FLAGGED,
        flags: ['IMPORTED', 'ODOMETER_ILLOGICAL', 'TAXI'],
      },
      'recalls out of order': {
        query: { kenteken: 'TEST05' },
        status: 'OPEN_QUESTIONS',
        flags: [],
        has: { facts: { open_recalls: null } },
      },
      'for export': {
        query: { kenteken: 'TEST06' },
        status: FLAGGED,
        flags: ['APK_DUE_30D', 'AWAITING_INSPECTION', 'EXPORTED', 'ODOMETER_NO_JUDGEMENT', 'TRANSFER_BLOCKED'],
      },
      sparse: {
        query: { kenteken: 'TEST07' },
        status: FLAGGED,
        flags: ['NO_APK_DATE'],
        has: { facts: { wam_verzekerd: null } },
      },
      unknown: {
        query: { kenteken: '11-ZKZ-3' },
        status: 'NOT_IN_OPEN_REGISTER',
        flags: [],
        has: { found: false, facts: {}, sidecode: 7, display: '11-ZKZ-3' },
      },
    },
  },
  statuses,
);
