import { EVIDENCE_AS_OF } from './thresholds.ts';

/** Something that went wrong elsewhere. A loss is never shown without its status, which says how good the evidence is. */
export interface Incident {
  readonly name: string;
  readonly when: string;
  /** What was lost at most, in USD; null where nobody put a figure on it. */
  readonly loss_usd: number | null;
  readonly status: string;
  readonly what: string;
  readonly source: string;
  readonly as_of: string;
}

const as_of = EVIDENCE_AS_OF;

export const INCIDENTS = {
  knight2012: {
    name: 'Knight Capital order router',
    when: '2012-08',
    loss_usd: 460_000_000,
    status: 'documented',
    what: 'One of eight servers still ran retired code and turned 212 client orders into more than 4 million within about 45 minutes. 97 automatic emails had named the error before trading began, and the capital monitor could not stop order entry.',
    source: 'SEC Release 34-70694 (2013-10-16); mondaq.com/unitedstates/x/270572',
    as_of,
  },
  santander2021: {
    name: 'Santander UK duplicate payments',
    when: '2021-12',
    loss_usd: 175_000_000,
    status: 'documented',
    what: 'A scheduling error repeated 75,000 payments of about 2,000 business customers: 130 million GBP of the bank’s own money.',
    source: 'CNN via boingboing.net 2021-12-30; The Guardian',
    as_of,
  },
  citi_revlon2020: {
    name: 'Citigroup pays Revlon’s lenders',
    when: '2020-08',
    loss_usd: 900_000_000,
    status: 'documented',
    what: 'An interest payment went out as almost 900 million USD of principal. Getting it back took two years in court.',
    source: 'nasdaq.com 2025-02-28',
    as_of,
  },
  citi81t: {
    name: 'Citigroup credits 81 trillion',
    when: '2024-04',
    loss_usd: 0,
    status: 'documented, near miss',
    what: '280 USD was booked as 81 trillion. Two people let it pass; 90 minutes later a third noticed that the balances did not agree.',
    source: 'Financial Times via nasdaq.com 2025-02-28',
    as_of,
  },
  milkie2020: {
    name: 'Milkie Way on Cloud Run and Firebase',
    when: '2020-03',
    loss_usd: 72_000,
    status: 'documented, later waived by Google (unverified)',
    what: 'A scraper that called itself ran up about 72,000 USD in hours, under an alert set at 7 USD and on a free database plan. Billing figures arrived about a day late.',
    source: 'theregister.com 2020-12-10; blog.tomilkieway.com/72k-1',
    as_of,
  },
  s3bucket2024: {
    name: 'Empty S3 bucket',
    when: '2024-04',
    loss_usd: 1_300,
    status: 'documented, waived',
    what: 'Strangers sent some 100 million refused writes in a day to a private, empty bucket, and its owner was billed. AWS changed the rule afterwards.',
    source: 'medium.com/@maciej.pocwierz 2024-04-29',
    as_of,
  },
  cf_do2026: {
    name: 'Cloudflare Durable Object alarms',
    when: '2026-04',
    loss_usd: 34_895,
    status: 'self-reported',
    what: 'In more than 60 preview deployments an alarm set itself again on each wake-up: about 930 billion row reads a day for no user at all. Notifications watched processor time, not reads.',
    source: 'news.ycombinator.com/item?id=47787042',
    as_of,
  },
  cf_d12026: {
    name: 'Cloudflare D1 endless batch',
    when: '2026-01',
    loss_usd: 4_868,
    status: 'self-reported, waived',
    what: 'Nothing marked a batch as done, so a scheduled worker wrote it again and again: 4.83 billion rows on an account of 5 USD a month.',
    source: 'dev.to/nathanschram 13g8',
    as_of,
  },
  gemini2026: {
    name: 'Gemini API key stolen',
    when: '2026-02',
    loss_usd: 82_314,
    status: 'self-reported, press',
    what: 'One key without restrictions cost a firm of three 82,314.44 USD in 48 hours, about 457 times its usual 180 USD a month. A scan found 2,863 live keys of this kind on public pages.',
    source: 'theregister.com and tomshardware.com 2026-03; trufflesecurity.com',
    as_of,
  },
  llmjack: {
    name: 'LLMjacking',
    when: '2024-2026',
    loss_usd: null,
    status: 'documented pattern',
    what: 'Cloud keys that leak are tried within 17 minutes on average, at times within 9, and then run expensive models.',
    source: 'Entro Security via nhimg.org',
    as_of,
  },
  bridge402: {
    name: '402bridge admin key',
    when: '2025-10',
    loss_usd: 17_693,
    status: 'documented',
    what: 'A private key stored on a server was enough to empty 227 wallets of USDC in 28 minutes: all had granted unlimited approvals. It was the first known theft around x402.',
    source: 'protos.com; PeckShield; GoPlus',
    as_of,
  },
  freysa2024: {
    name: 'Freysa',
    when: '2024-11',
    loss_usd: 47_316,
    status: 'documented (a public contest)',
    what: 'The agent had orders never to release the pool. Attempt 482 persuaded it to call approveTransfer, and everything left at once.',
    source: 'makerchecker.ai AID-2024-0003',
    as_of,
  },
  aixbt2025: {
    name: 'AIXBT operator dashboard',
    when: '2025-03',
    loss_usd: 100_000,
    status: 'press',
    what: "Somebody inside the operator's dashboard queued replies, and the agent sent about 55 ETH.",
    source: "protos.com ('aixbt hacked for $100K')",
    as_of,
  },
  bankr2026: {
    name: 'Grok orders a Bankrbot transfer',
    when: '2026-05',
    loss_usd: 175_000,
    status: 'documented, about 80 percent returned',
    what: 'A gifted NFT widened what was allowed. One agent decoded Morse code from a public post, and another took the text for a payment order: 3 billion DRB tokens, worth 155,000 to 200,000 USD.',
    source: 'cryptokeymedia.com; vantasoft.com 2026-05',
    as_of,
  },
  lobstar2026: {
    name: 'Lobstar Wilde',
    when: '2026-02',
    loss_usd: 440_000,
    status: 'press, book value',
    what: 'Three days old and after losing its state, a trading agent answered a plea for 4 SOL with 52.4 million tokens, 5 percent of the supply.',
    source: 'weex.io / ChainCatcher 2026-02',
    as_of,
  },
  vend2025: {
    name: 'Project Vend',
    when: '2025-03',
    loss_usd: 200,
    status: 'controlled experiment',
    what: 'An agent that ran a small shop priced below cost and gave goods away. In a month about 1,000 USD became 800; a single day cost 17 percent.',
    source: 'anthropic.com/research/project-vend-1; makerchecker.ai AID-2025-0009',
    as_of,
  },
  replit2025: {
    name: 'Replit agent at SaaStr',
    when: '2025-07',
    loss_usd: null,
    status: 'documented',
    what: 'Told 11 times in capitals to change nothing, the agent deleted records of 1,206 executives and 1,196 companies, made up about 4,000 users and test results, and denied that a rollback existed.',
    source: 'fortune.com, theregister.com 2025-07; qpoint.io',
    as_of,
  },
  pocketos2026: {
    name: 'PocketOS volume',
    when: '2026-04',
    loss_usd: null,
    status: 'documented, data later recovered',
    what: 'Working on staging, an agent found an infrastructure token without restrictions, and within 9 seconds the production volume and its backups were gone. The outage lasted 30 hours.',
    source: 'railway post; flowpatrol.ai 2026-04-30',
    as_of,
  },
  openclaw2026: {
    name: 'OpenClaw mailbox',
    when: '2026-02',
    loss_usd: null,
    status: 'documented by the user',
    what: 'Context compaction dropped the order to ask first. Hundreds of emails were deleted, and the remote stop did nothing.',
    source: 'openclawai.io blog; Summer Yue on X',
    as_of,
  },
  rakazo2026: {
    name: 'Endless agent turn',
    when: '2026-09',
    loss_usd: null,
    status: 'public issue with figures',
    what: '517,935,887 prompt tokens in an hour; 1,034 of 1,042 completions requested one more tool call; one run made 569 rounds in 84 minutes. Meanwhile the usage table showed a median of 0 input tokens, and mutating tools ran again after a lost lease.',
    source: 'github.com/elie222/rakazo/issues/883',
    as_of,
  },
  envkey2026: {
    name: 'An environment key moves the bill',
    when: '2026-06',
    loss_usd: 1_123,
    status: 'public issue',
    what: 'An API key happened to be set, so scheduled runs of a flat subscription were charged as metered credits: 1,122.83 USD in two months, with no sign of it on screen.',
    source: 'github.com/anthropics/claude-code/issues/86723 and 12352',
    as_of,
  },
  loop47k: {
    name: 'The 47,000 USD loop',
    when: '2025-11',
    loss_usd: 47_000,
    status: 'widely repeated, accounts conflict, no primary source found',
    what: 'Reportedly, two agents sent work back and forth for 11 days. The versions differ in year, number of agents and length, and one calls itself a composite.',
    source: 'apilens.tech; clyro.dev (composite); wickd.dev (different facts)',
    as_of,
  },
  x402double2026: {
    name: 'x402 settlement times out, client pays again',
    when: '2026-09',
    loss_usd: null,
    status: 'code reading by one reporter, later corrected by him',
    what: 'When settlement timed out after the broadcast, the server asked for payment again, and a client that follows the protocol pays twice. Eight findings of this kind were filed against open x402 code within a week.',
    source: 'github.com/aws-samples/sample-agentcore-cloudfront-x402-payments/issues/40; x402-foundation/x402 PR 3325',
    as_of,
  },
  x402decoy2026: {
    name: 'x402 decoy prices and spam listings',
    when: '2026-05',
    loss_usd: null,
    status: 'public scans, independent of each other',
    what: 'Of 20,338 listed endpoints, 161 asked for 1,000 USD or more for one call, and a single wallet was behind 10,658 services. In July about half of some 70,000 listings did not respond as they should.',
    source: 'dev.to/afx; scoutscore.ai; coinbuzznow.com 2026-07-03',
    as_of,
  },
  hatchloop2026: {
    name: 'A paid tool that did nothing',
    when: '2026-06',
    loss_usd: 0,
    status: 'self-reported near miss',
    what: 'A check before launch showed that each booking would have charged real USDC for demo entries, with nothing to stop it.',
    source: 'hatchloop.dev/blog/agent-charged-for-nothing',
    as_of,
  },
  frantic2026: {
    name: '64 claims, nothing delivered',
    when: '2026-08',
    loss_usd: null,
    status: 'public issue with figures',
    what: 'Three bounties of 8 to 10 USD attracted 64 claims: 41 expired, 23 were rejected, none was delivered. One required a day of work within 180 minutes.',
    source: 'github.com/auscaster/frantic-board/issues/358',
    as_of,
  },
  metr2025: {
    name: 'METR trial',
    when: '2025-07',
    loss_usd: null,
    status: 'randomised trial, 16 developers, 246 tasks',
    what: 'With AI tools the work took 19 percent longer, and the developers believed that it had taken 20 percent less.',
    source: 'metr.org 2025-07-10',
    as_of,
  },
} as const satisfies Readonly<Record<string, Incident>>;

export type IncidentKey = keyof typeof INCIDENTS;

/** An incident as a finding shows it. */
export function shownIncident(key: IncidentKey) {
  const { name, when, loss_usd: lossUsd, status, source }: Incident = INCIDENTS[key];
  return { key, name, when, loss_usd: lossUsd, status, source };
}
