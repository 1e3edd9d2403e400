import { testPaidOperation } from '../../support/paid-operation.ts';

testPaidOperation({
  operationId: 'agent_budget_audit',
  right: { budget_period_usd: '100', agent: 'scout-1' },
  otherRight: { budget_period_usd: '200' },
  wrong: { budget_period_usd: 'x', colour: 'red' },
  pointers: ['#/budget_period_usd', '#/colour'],
  price: '50000',
});
