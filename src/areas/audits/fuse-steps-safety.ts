import { type FuseStep, otherwise } from './fuse-step.ts';

const irreversibility: FuseStep = {
  step: 'F8',
  name: 'irreversibility',
  checkName: 'irreversibility',
  rows: [
    {
      code: 'reversible',
      result: 'PASS',
      when: 'reversible is yes',
      holds: ({ input }) => input.reversible === 'yes',
      why: 'The spend can be undone.',
    },
    {
      code: 'undeclared',
      result: 'CAUTION',
      when: 'reversible is not declared',
      holds: ({ input }) => input.reversible === undefined,
      why: 'reversible is not declared.',
    },
    {
      code: 'approved',
      result: 'PASS',
      when: 'reversible is no, and approved_out_of_band is yes',
      holds: ({ isApproved }) => isApproved,
      why: 'It cannot be undone. A person or a second key approved it.',
    },
    {
      code: 'within_probe',
      result: 'PASS',
      when: 'reversible is no, and the amount is within the probe',
      holds: ({ isSmall }) => isSmall,
      why: 'It cannot be undone, but the amount is a probe.',
    },
    {
      ...otherwise,
      code: 'not_approved',
      result: 'STOP',
      why: 'It cannot be undone, is more than a probe, and nobody outside the agent approved it.',
    },
  ],
};

const deliveryBinding: FuseStep = {
  step: 'F9',
  name: 'delivery binding',
  checkName: 'delivery',
  rows: [
    {
      code: 'undeclared',
      result: 'CAUTION',
      when: 'delivery is not declared',
      holds: ({ input }) => input.delivery === undefined,
      why: 'delivery is not declared.',
    },
    {
      code: 'bound',
      result: 'PASS',
      when: 'delivery is escrow or on_delivery',
      holds: ({ input }) => input.delivery !== 'prepaid',
      why: 'The money moves only with the delivery.',
    },
    {
      code: 'within_probe',
      result: 'PASS',
      when: 'prepaid, and the amount is within the probe',
      holds: ({ isSmall }) => isSmall,
      why: 'It is paid in advance, but the amount is a probe.',
    },
    {
      code: 'prepaid_verified',
      result: 'CAUTION',
      when: 'prepaid, and counterparty_verified is yes',
      holds: ({ isVerified }) => isVerified,
      why: 'It is paid in advance, more than a probe, to a verified payee.',
    },
    {
      ...otherwise,
      code: 'prepaid_unverified',
      result: 'STOP',
      why: 'It is paid in advance, more than a probe, to a payee that is not verified.',
    },
  ],
};

const record: FuseStep = {
  step: 'F10',
  name: 'record',
  checkName: 'receipt',
  rows: [
    {
      code: 'named',
      result: 'PASS',
      when: 'agent and intent_id are given',
      holds: ({ input }) => input.agent !== undefined && input.intent_id !== undefined,
      why: 'Agent and intent are declared, so the spend can be found again.',
    },
    {
      ...otherwise,
      code: 'undeclared',
      result: 'CAUTION',
      why: 'agent and intent_id are not both declared, so the spend could not be matched with its record.',
    },
  ],
};

export const SAFETY_STEPS = [irreversibility, deliveryBinding, record];
