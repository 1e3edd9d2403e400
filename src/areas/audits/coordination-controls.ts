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
    question: 'Does an agent take a claim that others can see before it starts costly work?',
    pattern: 'The same work is done twice, because nobody could see that somebody had begun.',
    measurement:
      'Without the shared task list a CooperBench team passed 20 of 48 instead of 31 of 50, without the scratchpad 15 of 46. 46.41 percent of fixes by agents were rejected, and doing what others had done is among the reasons.',
    sources: ['COOP', 'AIDEV'],
    fix: 'Claim a key that everybody uses before the first expensive step, and read the claims of others before taking work over.',
    crossing_move: 'look at the key, then claim it in mode shared with slots',
  },
  {
    id: 'leases_expire',
    severity: 'high',
    scope: ['parallel', 'market'],
    question: 'Does every claim end by itself unless its holder refreshes it?',
    pattern: 'The agent is gone and its claim still shuts everyone else out.',
    measurement:
      'Three bounties on a public board had 64 claims and 0 deliveries, and 41 of the claims just ran out. Among 136 failures by network partition, broken locks come up again and again.',
    sources: ['frantic2026', 'PART'],
    fix: 'Give claims a short life that only the holder can extend, so that nobody ever has to clean up.',
    crossing_move: 'claim with a ttl, refresh with lease and token',
  },
  {
    id: 'idempotent_side_effects',
    severity: 'critical',
    scope: ['tools', 'market'],
    question: 'Can a payment, message or write be repeated without happening twice?',
    pattern: 'A second try, or a second agent, pays, sends or writes again.',
    measurement:
      'One scheduling fault doubled 75,000 bank payments. In a single week eight ways to charge twice were reported in open x402 code. A runtime for agents ran its changing tools a second time after it had lost its lease.',
    sources: ['santander2021', 'x402double2026', 'rakazo2026'],
    fix: 'One intent id per effect, and the system that carries it out refuses the second.',
    crossing_move: 'claim the key of the intent in mode once',
  },
  {
    id: 'stop_condition',
    severity: 'critical',
    scope: ['tools', 'handoff'],
    question: 'Is it fixed beforehand, and checked by code, when work is finished or given up?',
    pattern: 'Agents carry on with work that is done or has no hope.',
    measurement:
      'Of all failures in MAST (version 3, 1,642 traces) 15.7 percent are repeated steps and 12.4 percent not knowing that the end was reached. One run took 569 rounds in 84 minutes and gave no answer.',
    sources: ['MAST3', 'rakazo2026'],
    fix: 'Before the start write down what done is, what failed is and how many steps are allowed, and let code look at it.',
    crossing_move: 'release with outcome done, failed or declined; mark blocked',
  },
  {
    id: 'independent_verification',
    severity: 'critical',
    scope: ['handoff', 'tools'],
    question: 'Is a result checked by someone other than the one who made it?',
    pattern: 'Only the maker says that it is finished.',
    measurement:
      'Verification accounts for 23.5 percent of the failures in MAST (version 3): done wrongly in 9.1 percent, not done in 8.2.',
    sources: ['MAST3'],
    fix: 'Have the result tested against its acceptance line by another agent, or by a test which the maker cannot change.',
    crossing_move: 'a brief with acceptance and evaluator; another agent marks it done with evidence',
  },
  {
    id: 'structured_handoff',
    severity: 'high',
    scope: ['handoff'],
    question: 'Does work pass on in fixed fields, and is a hand-over refused when one is empty?',
    pattern: 'On the way from one agent to the next, facts and limits get lost.',
    measurement:
      'Agents out of step with each other make up 32.3 percent of failures in MAST (version 3). Passing through one centre cut omitted context by 66.8 percent. Messages that were vague or came at the wrong time caused 26 percent of coordination failures.',
    sources: ['MAST3', 'KIM', 'COOP'],
    fix: 'Hand over a set of fields, not a conversation, and refuse it while a required one is empty.',
    crossing_move: 'the link of a brief card',
  },
  {
    id: 'hop_limit',
    severity: 'high',
    scope: ['handoff'],
    question: 'Is it counted how often work may still be passed on?',
    pattern: 'Work goes round in a ring.',
    measurement:
      'Turns grow faster than the number of agents n: T = 2.72 (n + 0.5)^1.724. The often told loop of two agents over 11 days is put at 47,000 USD, in accounts that contradict each other.',
    sources: ['KIM', 'loop47k'],
    fix: 'Send a number along that falls by one with each hand-over, and stop when it is zero.',
    crossing_move: 'claim with hops one lower than received',
  },
  {
    id: 'parallelise_gate',
    severity: 'high',
    scope: ['parallel'],
    question: 'Is it tested that the work can be split before agents are added?',
    pattern: 'Agents are added to work that has no parts.',
    measurement:
      'With more agents sequential tasks lost 39 to 70 percent, divisible ones won up to 80.8. The gain is gone where one agent alone succeeds in about 45 percent. Errors grew 17.2 times among independent agents and 4.4 times under a central one. The cost was about 15 times the tokens of a chat.',
    sources: ['KIM', 'COOP', 'ANTH'],
    fix: 'Try with one agent. Split only if it succeeds in less than half, and if the parts share neither files nor state.',
    crossing_move: 'look: how many others and which slots, before joining',
  },
  {
    id: 'context_budget',
    severity: 'medium',
    scope: ['tools', 'handoff'],
    question: 'Is the context limited per step, with the rules kept outside it?',
    pattern: 'As the context grows, rules drop out of it and answers become worse and dearer.',
    measurement:
      'All 18 of 18 models got worse with longer input. A runaway sent 499,744 prompt tokens per call in the median. A mailbox was deleted after compaction had removed the rule against it.',
    sources: ['ROT', 'rakazo2026', 'openclaw2026'],
    fix: 'Load rules from outside at each step, limit the tokens of a step, and begin afresh from a state that is written down.',
    crossing_move: 'the link of a brief card, read anew at every step',
  },
  {
    id: 'backoff_and_admission',
    severity: 'high',
    scope: ['tools', 'parallel'],
    question: 'Do retries wait longer each time and at random, and is the number of workers limited?',
    pattern: 'All try again at the same moment and hold the service down.',
    measurement:
      '22 outages at 11 organisations kept themselves going, among them at least 4 of 15 large ones of AWS in ten years.',
    sources: ['META'],
    fix: 'Wait longer and at random, limit retries, obey Retry-After, and let in no more workers than there are slots.',
    crossing_move: 'look with attempt=n; wait as a 409 or 429 says',
  },
  {
    id: 'fresh_state_before_write',
    severity: 'high',
    scope: ['parallel', 'tools'],
    question: 'Is the state read again directly before it is written, and the write made to depend on it?',
    pattern: 'What is written rests on how things were minutes ago.',
    measurement:
      'A wrong picture of what the partner had done caused 42 percent of coordination failures; 77.3 percent of the tasks held real conflicts.',
    sources: ['COOP'],
    fix: 'Read once more just before the write, and let the write fail if something has changed since.',
    crossing_move: 'look just before it; claim in mode exclusive for the write',
  },
  {
    id: 'receipts',
    severity: 'high',
    scope: ['handoff', 'market'],
    question: 'Does each finished step leave something that others can check?',
    pattern: 'Work is said to be done, and there is nothing to check it by.',
    measurement:
      'Promises broken or impossible to check are 32 percent of coordination failures. One agent made up about 4,000 records, and test results with them.',
    sources: ['COOP', 'replit2025'],
    fix: 'Leave a link or a hash with every step, and the number of a log entry that everyone can read.',
    crossing_move: 'release or mark with evidence (the number of a log entry)',
  },
  {
    id: 'counterparty_and_venue_check',
    severity: 'critical',
    scope: ['market'],
    question: 'Is it checked before the work that payer and venue exist, are open and pay?',
    pattern: 'Work is done for someone who does not pay or does not exist.',
    measurement:
      '161 of 20,338 paid endpoints wanted 1,000 USD or more per call, one wallet stood behind 10,658 services, and of some 70,000 listed endpoints about half did not answer properly.',
    sources: ['x402decoy2026'],
    fix: 'See first whether it is funded and open, how many are there already and what others marked; then try with a probe.',
    crossing_move: 'look with reward_usd and probe=yes; check before paying',
  },
  {
    id: 'shared_experience',
    severity: 'medium',
    scope: ['market', 'parallel'],
    question: 'Do agents leave word of dead ends, and read what others left?',
    pattern: 'Each agent walks into the same dead end.',
    measurement:
      'A bounty whose time window could not be met saw 16 rejections and 6 expiries, and no warning to the next.',
    sources: ['frantic2026'],
    fix: 'Note at the key what is dead, unpaid or blocked, and read such notes before starting.',
    crossing_move: 'mark dead, unpaid, blocked or failed',
  },
  {
    id: 'policy_not_prompts',
    severity: 'critical',
    scope: ['tools', 'handoff'],
    question: 'Are rules enforced where the act happens, and not only written into prompts?',
    pattern: 'The rule is only text, which a model can lose or overrule.',
    measurement:
      'A freeze ordered 11 times in capitals did not prevent a deletion; compaction dropped an order to ask first; rules of a project were read and passed over before a volume was deleted in 9 seconds.',
    sources: ['replit2025', 'openclaw2026', 'pocketos2026'],
    fix: 'Enforce it at the point of execution: by rights, by gates, by a server that refuses.',
    crossing_move: 'check before each spend; claim in mode exclusive, which the server enforces',
  },
  {
    id: 'variance_measured',
    severity: 'medium',
    scope: ['tools', 'parallel'],
    question: 'Is the same task run several times before its success rate is believed?',
    pattern: 'A single good run counts as proof.',
    measurement:
      'On the same retail tasks about 61 percent success in one try became less than 25 percent in eight tries in a row. What more agents gained varied with a standard deviation of 45.2 points.',
    sources: ['TAU', 'KIM'],
    fix: 'Run a task five times or more, report how often all of them succeed, and compute expected value with that rate.',
    crossing_move: 'mark each run done or failed, which measures the rate',
  },
] as const satisfies readonly CoordinationControl[];

export type CoordinationControlId = (typeof COORDINATION_CONTROLS)[number]['id'];
