import { asks } from './question.ts';

export const lookCommand = asks({
  name: 'look',
  summary: 'show the light of a key: who holds it, who looks at it, what others left on it; exit code 1 when it is RED',
  first: 'key',
  parameters: ['agent', 'reward_usd', 'effort_usd', 'slots', 'attempt', 'probe', 'p_success'],
  examples: ['./avouch look acme/repo#12 --agent a7 --reward-usd 45 --effort-usd 10'],
  isNo: ({ signal }) => signal === 'RED',
});
