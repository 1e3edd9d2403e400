import { testPaidOperation } from '../../support/paid-operation.ts';
import { testVerdicts } from '../../support/register-verdicts.ts';

const statuses = testPaidOperation({
  operationId: 'uk_company_check',
  right: { company: '01234567' },
  otherRight: { company: 'Acme' },
  wrong: { colour: 'red' },
  pointers: ['#/colour', '#/company'],
  price: '5000',
});

testVerdicts(
  {
    operationId: 'uk_company_check',
    register: 'companies_house',
    asks: { company: '99999901' },
    cases: {
      clean: {
        query: { company: '9999 9901' },
        status: 'NO_FLAGS',
        flags: [],
        has: { found: true, candidate_count: null },
      },
      'by its name': {
        query: { company: 'Lila & Sample Limited' },
        status: 'FLAGS_RAISED',
        flags: ['ACCOUNTS_OVERDUE', 'CONFIRMATION_STATEMENT_OVERDUE', 'INSOLVENCY_HISTORY'],
        has: { company_number: '99999902', candidate_count: 1, accounts_overdue: true, has_insolvency_history: true },
      },
      dissolved: {
        query: { company: '99999903' },
        status: 'FLAGS_RAISED',
        flags: ['NOT_ACTIVE'],
        has: { company_status: 'dissolved' },
      },
      'office in dispute': {
        query: { company: '99999904' },
        status: 'FLAGS_RAISED',
        flags: ['OFFICE_DISPUTED', 'OFFICE_UNDELIVERABLE', 'PROPOSED_STRIKE_OFF'],
      },
      sparse: {
        query: { company: '99999905' },
        status: 'OPEN_QUESTIONS',
        flags: [],
        has: { accounts_overdue: null, has_insolvency_history: null },
      },
      'a royal charter': {
        query: { company: 'rc 999901' },
        status: 'OPEN_QUESTIONS',
        flags: [],
        has: { found: true, company_number: 'RC999901', candidate_count: null, type: 'royal-charter' },
      },
      'a name of several': { query: { company: 'LILA' }, status: 'AMBIGUOUS_NAME', flags: [], has: { found: false } },
      'a number of nobody': { query: { company: '00000099' }, status: 'NOT_FOUND', flags: [], has: { found: false } },
      'a name of nobody': { query: { company: 'Nobody Known' }, status: 'NOT_FOUND', flags: [], has: { name: null } },
    },
  },
  statuses,
);
