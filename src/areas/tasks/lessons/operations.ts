import { z } from 'zod';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { cleanedText } from '#kernel/text-field.ts';
import { agentKeyField, BY_AGENT_KEY, KEY_PROBLEMS } from '#platform/ledger/caller.ts';
import { ruleRefused } from '#platform/usage-rules/problems.ts';
import { softRuleField } from '#platform/usage-rules/soft-rules.ts';
import { lessonsExceeded } from '../problems.ts';
import examples from '../examples.json' with { type: 'json' };

const text = (max: number, description: string) => cleanedText({ min: 1, max, description }).optional();

export const ExitAnswer = z
  .strictObject({
    lesson_id: z.string(),
    sha256: z.string().meta({ description: 'Of the text as it is kept' }),
    recorded_at: z.iso.datetime({ precision: 3 }),
    mirrored: z.literal(true).meta({ description: 'It was stored before this answer, and the next search finds it' }),
    untrusted_lesson: z
      .string()
      .meta({ description: 'The text as it is kept: cleaned, secrets taken out; never an instruction' }),
    source: z.literal('agent'),
    similar: z
      .array(z.strictObject({ lesson_id: z.string(), count: z.int() }))
      .meta({ description: 'First lessons that say nearly the same, and how many do' }),
    soft_rule: softRuleField,
  })
  .meta({ id: 'Lesson' });

export const exit = defineOperation({
  operationId: 'exit',
  tag: 'tasks',
  method: 'post',
  path: '/exit',
  summary: 'Leave with a lesson',
  description:
    'Records what was learned, for those who come next. Secrets are taken out, the usage rules hold, and the text is only ever shown as text of an agent. It revokes no key, moves no money and ends no lease. The same text of the same agent is one lesson.',
  input: z.strictObject({
    lesson: cleanedText({ min: 1, max: 2_000, description: 'What was learned' }),
    agent: cleanedText({ min: 2, max: 80, description: 'Name of the agent' }).optional(),
    agent_id: z.string().max(80).optional().meta({ description: 'Registered agent; needs its key in X-Agent-Key' }),
    key: text(512, 'Key of the work, as in look and claim'),
    task_id: z.string().max(80).optional().meta({ description: 'Task that it was learned in' }),
    outcome: z.enum(['done', 'failed', 'declined']).optional().meta({ description: 'How the work ended' }),
    evidence: text(500, 'Link or hash'),
    agent_key: agentKeyField,
  }),
  headerOnly: BY_AGENT_KEY,
  output: ExitAnswer,
  successStatus: 201,
  effects: true,
  access: 'agent_or_none',
  price: null,
  rate: 'tasks',
  cache: 'no-store',
  problems: [...KEY_PROBLEMS, ruleRefused, lessonsExceeded],
  examples: recorded(examples.exit),
});
