import { testPaidOperation } from '../../support/paid-operation.ts';

testPaidOperation({
  operationId: 'agent_coordination_audit',
  right: { system: 'demo' },
  otherRight: { system: 'other' },
  wrong: { agents: '0', colour: 'red' },
  pointers: ['#/agents', '#/colour'],
  price: '50000',
});
