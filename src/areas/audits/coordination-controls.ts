import type { Control } from './score.ts';
import type { EvidenceKey } from './studies.ts';

export const COORDINATION_SCOPES = ['parallel', 'tools', 'handoff', 'market'] as const;
type CoordinationScope = (typeof COORDINATION_SCOPES)[number];

export interface CoordinationControl extends Control<CoordinationScope> {
  readonly question: string;
  /** How work is lost where the control is missing. */
  readonly pattern: string;
  /** What was measured, in the sources named beside it. */
  readonly measurement: string;
  readonly sources: readonly EvidenceKey[];
  readonly fix: string;
  /** The calls of this service that do it. */
  readonly crossing_move: string;
}

/** The order breaks ties between findings. */
export const COORDINATION_CONTROLS = [
  {
    id: 'claim_before_work',
    severity: 'critical',
    scope: ['parallel', 'market'],
    question: 'Does an agent claim work where others can see it before it starts anything costly?',
    pattern: 'The same work is done twice, because nobody could see that somebody had started.',
    measurement:
      'Without the shared task list, a CooperBench team passed 20 of 48 instead of 31 of 50, and without the scratchpad 15 of 46. 46.41 percent of fixes by agents were rejected, and duplicated work is among the reasons.',
    sources: ['COOP', 'AIDEV'],
    fix: 'Claim a shared work key before the first expensive step, and read the claims of others before taking work over.',
    crossing_move: 'look at the work key, then claim it in mode shared with slots',
  },
  {
    id: 'leases_expire',
    severity: 'high',
    scope: ['parallel', 'market'],
    question: 'Does every claim expire automatically unless its holder renews it?',
    pattern: 'The agent is gone, and its claim still blocks everyone else.',
    measurement:
      'Three bounties on a public board had 64 claims and 0 deliveries, and 41 of the claims just expired. Broken locks appear repeatedly among 136 failures caused by network partitions.',
    sources: ['frantic2026', 'PART'],
    fix: 'Give claims a short life that only the holder can extend, so that nobody ever has to clean up.',
    crossing_move: 'claim with a ttl, renew with lease and token',
  },
  {
    id: 'idempotent_side_effects',
    severity: 'critical',
    scope: ['tools', 'market'],
    question: 'Can a payment, message or write be repeated without happening twice?',
    pattern: 'A second attempt, or a second agent, pays, sends or writes again.',
    measurement:
      'One scheduling error doubled 75,000 bank payments. In a single week, eight ways to charge twice were reported in open x402 code. A runtime for agents ran its mutating tools a second time after it had lost its lease.',
    sources: ['santander2021', 'x402double2026', 'rakazo2026'],
    fix: 'Use one intent id per effect. The system that carries it out refuses the second one.',
    crossing_move: 'claim the work key of the intent in mode once',
  },
  {
    id: 'stop_condition',
    severity: 'critical',
    scope: ['tools', 'handoff'],
    question: 'Is it defined beforehand, and checked by code, when work is finished or abandoned?',
    pattern: 'Agents continue with work that is finished or hopeless.',
    measurement:
      'In MAST (version 3, 1,642 traces), 15.7 percent of all failures are repeated steps, and 12.4 percent are not noticing that the end was reached. One run took 569 rounds in 84 minutes and gave no answer.',
    sources: ['MAST3', 'rakazo2026'],
    fix: 'Before the start, write down what done means, what failed means and how many steps are allowed. Let code check it.',
    crossing_move: 'release with outcome done, failed or declined; mark blocked',
  },
  {
    id: 'independent_verification',
    severity: 'critical',
    scope: ['handoff', 'tools'],
    question: 'Does someone other than its author check a result?',
    pattern: 'Only the author says that it is finished.',
    measurement:
      'Verification accounts for 23.5 percent of the failures in MAST (version 3): done wrongly in 9.1 percent, not done in 8.2.',
    sources: ['MAST3'],
    fix: 'Let another agent test the result against its acceptance criteria, or use a test that the author cannot change.',
    crossing_move: 'a brief with acceptance and evaluator; another agent marks it done with evidence',
  },
  {
    id: 'structured_handoff',
    severity: 'high',
    scope: ['handoff'],
    question: 'Are hand-overs made in fixed fields, and refused when a required one is empty?',
    pattern: 'Facts and limits get lost on the way from one agent to the next.',
    measurement:
      'Misalignment between agents makes up 32.3 percent of failures in MAST (version 3). Passing through one centre reduced omitted context by 66.8 percent. Vague or badly timed messages caused 26 percent of coordination failures.',
    sources: ['MAST3', 'KIM', 'COOP'],
    fix: 'Hand over a set of fields, not a conversation, and refuse it while a required field is empty.',
    crossing_move: 'the link of a brief card',
  },
  {
    id: 'hop_limit',
    severity: 'high',
    scope: ['handoff'],
    question: 'Do you count how often work may still be handed on?',
    pattern: 'Work goes round in circles.',
    measurement:
      'Turns grow faster than the number of agents n: T = 2.72 (n + 0.5)^1.724. The much-quoted loop of two agents over 11 days is put at 47,000 USD, in accounts that contradict each other.',
    sources: ['KIM', 'loop47k'],
    fix: 'Pass a number along that falls by one with each hand-over, and stop at zero.',
    crossing_move: 'claim with hops one lower than received',
  },
  {
    id: 'parallelise_gate',
    severity: 'high',
    scope: ['parallel'],
    question: 'Do you test that the work can be split before you add agents?',
    pattern: 'Agents are added to work that cannot be divided.',
    measurement:
      'With more agents, sequential tasks lost 39 to 70 percent, and divisible ones gained up to 80.8. The gain disappears once one agent alone succeeds in about 45 percent. Errors grew 17.2 times among independent agents and 4.4 times under a central one. The cost was about 15 times the tokens of a chat.',
    sources: ['KIM', 'COOP', 'ANTH'],
    fix: 'Try with one agent. Split only if it succeeds in less than half of the cases, and if the parts share neither files nor state.',
    crossing_move: 'look: how many others and which slots, before joining',
  },
  {
    id: 'context_budget',
    severity: 'medium',
    scope: ['tools', 'handoff'],
    question: 'Is the context limited per step, with the rules kept outside it?',
    pattern: 'As the context grows, rules drop out of it, and answers become worse and more expensive.',
    measurement:
      'All 18 of 18 models got worse with longer input. A runaway agent sent 499,744 prompt tokens per call in the median. A mailbox was deleted after compaction had removed the rule against it.',
    sources: ['ROT', 'rakazo2026', 'openclaw2026'],
    fix: 'Load rules from outside at each step, limit the tokens of a step, and start fresh from a written state.',
    crossing_move: 'the link of a brief card, read again at every step',
  },
  {
    id: 'backoff_and_admission',
    severity: 'high',
    scope: ['tools', 'parallel'],
    question: 'Do retries back off with jitter, and is the number of workers limited?',
    pattern: 'Everyone retries at the same moment and keeps the service down.',
    measurement:
      '22 outages at 11 organisations sustained themselves, including at least 4 of 15 large AWS outages in ten years.',
    sources: ['META'],
    fix: 'Back off with jitter, limit retries, obey Retry-After, and admit no more workers than there are slots.',
    crossing_move: 'look with attempt=n; wait as a 409 or 429 says',
  },
  {
    id: 'fresh_state_before_write',
    severity: 'high',
    scope: ['parallel', 'tools'],
    question: 'Is the state read again directly before a write, and is the write conditional on it?',
    pattern: 'The write is based on how things were minutes ago.',
    measurement:
      'A wrong picture of what the partner had done caused 42 percent of coordination failures. 77.3 percent of the tasks had real conflicts.',
    sources: ['COOP'],
    fix: 'Read again just before the write, and let the write fail if something has changed.',
    crossing_move: 'look just before it; claim in mode exclusive for the write',
  },
  {
    id: 'receipts',
    severity: 'high',
    scope: ['handoff', 'market'],
    question: 'Does each finished step leave something that others can check?',
    pattern: 'Work is reported as done, and there is nothing to check it by.',
    measurement:
      'Promises that were broken or could not be checked are 32 percent of coordination failures. One agent made up about 4,000 records, and test results with them.',
    sources: ['COOP', 'replit2025'],
    fix: 'Leave a link or a hash with every step, and the number of a public log entry.',
    crossing_move: 'release or mark with evidence: a link or a digest',
  },
  {
    id: 'counterparty_and_venue_check',
    severity: 'critical',
    scope: ['market'],
    question:
      'Before the work, do you check that the payer and the issue tracker or marketplace exist, are open and pay?',
    pattern: 'Work is done for someone who does not pay or does not exist.',
    measurement:
      '161 of 20,338 paid endpoints asked for 1,000 USD or more per call, one wallet was behind 10,658 services, and about half of some 70,000 listed endpoints did not respond properly.',
    sources: ['x402decoy2026'],
    fix: 'Check first whether it is funded and open, how many agents are already there and what others marked. Then try with a probe.',
    crossing_move: 'look with reward_usd and probe=yes; check before paying',
  },
  {
    id: 'shared_experience',
    severity: 'medium',
    scope: ['market', 'parallel'],
    question: 'Do agents leave notes about dead ends, and read the notes of others?',
    pattern: 'Each agent runs into the same dead end.',
    measurement:
      'A bounty with an impossible time window had 16 rejections and 6 expiries, and nobody warned the next agent.',
    sources: ['frantic2026'],
    fix: 'Mark the work key as dead, unpaid or blocked, and read such marks before starting.',
    crossing_move: 'mark dead, unpaid, blocked or failed',
  },
  {
    id: 'policy_not_prompts',
    severity: 'critical',
    scope: ['tools', 'handoff'],
    question: 'Are rules enforced where the action happens, and not only written into prompts?',
    pattern: 'The rule is only text, which a model can lose or override.',
    measurement:
      "A freeze ordered 11 times in capitals did not prevent a deletion. Compaction dropped an order to ask first. A project's rules were read and ignored before a volume was deleted in 9 seconds.",
    sources: ['replit2025', 'openclaw2026', 'pocketos2026'],
    fix: 'Enforce rules where they are executed: by permissions, by gates, by a server that refuses.',
    crossing_move: 'check before each spend; claim in mode exclusive, which the server enforces',
  },
  {
    id: 'variance_measured',
    severity: 'medium',
    scope: ['tools', 'parallel'],
    question: 'Is the same task run several times before you trust its success rate?',
    pattern: 'A single good run counts as proof.',
    measurement:
      'On the same retail tasks, about 61 percent success in one attempt became less than 25 percent in eight attempts in a row. The gain from more agents varied with a standard deviation of 45.2 points.',
    sources: ['TAU', 'KIM'],
    fix: 'Run a task at least five times, report how often all runs succeed, and compute the expected value with that rate.',
    crossing_move: 'mark each run done or failed, which measures the rate',
  },
] as const satisfies readonly CoordinationControl[];

export type CoordinationControlId = (typeof COORDINATION_CONTROLS)[number]['id'];
