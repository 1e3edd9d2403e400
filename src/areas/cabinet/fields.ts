import { z } from 'zod';
import { idField } from '#kernel/fields.ts';
import { csrf, noSession } from './problems.ts';

export const agentIdField = idField('agt_', 'an agent id').meta({ description: 'Id of one of your agents.' });
/** As the agent picker of the pages sends it: empty for all agents. */
export const oneAgentField = agentIdField
  .or(z.literal(''))
  .optional()
  .meta({ description: 'One agent. Leave it out for all agents.' });
export const emailField = z
  .string()
  .max(320)
  .trim()
  .toLowerCase()
  .max(254)
  .regex(
    /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    'Must be an email address, for example ops@example.org.',
  );

export const eur = z.string().meta({ description: 'Decimal text with two to six decimals.' });
export const csrfField = z.string().max(200).optional().meta({
  description: 'The csrf value of any page of the session. It can also be the X-CSRF-Token header.',
});

/** What every answer of the cabinet begins with. */
export const head = {
  email: z.string(),
  csrf: z.string().meta({ description: 'Send this value with every call that changes something.' }),
};

export const AgentName = z
  .strictObject({ agent_id: z.string(), untrusted_name: z.string() })
  .meta({ id: 'CabinetAgentName' });

/** People find the dashboard under the name that they know. */
export const people = { pagesUnder: '/dashboard' } as const;

/** A message about what a form did, a question with its answer, and the agent that was picked. */
export const PAGE_FIELDS = ['done', 'id', 'confirm', 'confirmed', 'agent_id'] as const;

const shared = {
  ...people,
  tag: 'cabinet',
  access: 'session',
  price: null,
  cache: 'no-store',
  rate: 'wallet',
  redirectsAfterPost: true,
  pageFields: PAGE_FIELDS,
} as const;

export const cabinetRead = { ...shared, method: 'get', effects: false, reads: 'store' } as const;
/** Who is logged in, or logs in, has nothing to do with what others send from the same address. */
export const changes = {
  method: 'post',
  effects: true,
  takesForm: true,
  checksOrigin: true,
  whileSuspended: 'allowed',
} as const;
export const cabinetWrite = { ...shared, ...changes } as const;
export const READ_PROBLEMS = [noSession] as const;
export const WRITE_PROBLEMS = [noSession, csrf] as const;
