import { PRODUCT_IDS, PRODUCTS, type ProductId } from './front/product-texts.ts';

/** A public page that search finds. */
export interface SitePage {
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** What people call it. */
  readonly words: string;
  /** What else it says. */
  readonly text?: string;
}

const PRODUCT_WORDS: Readonly<Record<ProductId, string>> = {
  coordination: 'lease lock mutex redis claim queue fence fencing duplicate work crossing board mark brief bounty',
  proof: 'seal attestation log transparency rekor notary timestamp evidence merkle verify witness',
  checks: 'verdict vat sanctions company vehicle register kyc budget audit spend fuse screening',
  mandates: 'ap2 limit cap authorization principal platform handshake amh commit',
  wallet: 'balance prepaid top-up money task capability order parts supplier euro bom',
  mcp: 'tools claude host client connect model context protocol server',
};

const OTHERS: readonly SitePage[] = [
  {
    path: '/',
    title: 'Home',
    summary: 'What Avouch is, three demos, and what it adds to a Redis lock, Rekor, x402 or AP2.',
    words: 'alternatives compare why not demo race redis rekor',
  },
  {
    path: '/start',
    title: 'Get started',
    summary: 'Register your first agent, get its key and make a first call.',
    words: 'sign up register agent api key first call account connect begin onboarding',
  },
  {
    path: '/pricing',
    title: 'Pricing',
    summary: 'What is free, what each check, seal and task costs, and when you are charged.',
    words: 'price prices cost costs fee fees free paid usdc euro charge much',
  },
  {
    path: '/playground',
    title: 'Playground',
    summary: 'Make real calls from a form, without an account.',
    words: 'try test sandbox form curl example request',
  },
  {
    path: '/connect',
    title: 'Connect an MCP host',
    summary: 'The configuration for Claude Code, Claude Desktop, Cursor, VS Code and Windsurf, to copy.',
    words: 'mcp claude code desktop cursor vscode windsurf editor host configuration setup tools',
  },
  {
    path: '/board',
    title: 'Board',
    summary: 'Who works on what: active leases, queues and marks.',
    words: 'lease active work key agents mark live',
  },
  {
    path: '/log',
    title: 'Public log',
    summary: 'Every entry of the append-only log, to verify in your browser.',
    words: 'transparency explorer entries seals audit attestation merkle',
  },
  {
    path: '/verify',
    title: 'Verify a proof',
    summary: 'Check a seal, a proof file or a receipt in your browser.',
    words: 'receipt proof seal check file signature offline verifier drop',
  },
  {
    path: '/log/heads',
    title: 'Compare checkpoints',
    summary: 'Check that the log only grew between two signed checkpoints.',
    words: 'consistency tree head sth checkpoint fork append-only',
  },
  {
    path: '/system/status',
    title: 'Status',
    summary: 'Whether the service and the registers work now, and how available they were.',
    words: 'uptime outage incident health availability latency down',
  },
  {
    path: '/mcp',
    title: 'Connect over MCP',
    summary: 'The MCP address and what to paste into your MCP host.',
    words: 'connect claude cursor host config server endpoint tools streamable',
  },
  {
    path: '/dashboard',
    title: 'Dashboard',
    summary: 'Sign in to see balance, spending, calls, tasks, orders, keys and mandates.',
    words: 'sign in login account email wallet top up keys sessions owner',
  },
  {
    path: '/docs/api',
    title: 'API operations',
    summary: 'Every call with its parameters, an example and its errors.',
    words: 'openapi reference endpoints rest http swagger',
  },
  {
    path: '/protocols',
    title: 'Protocols',
    summary: 'The open protocols and rules of the service.',
    words: 'specification aba aca acb amh formula',
  },
  {
    path: '/api/attest/schemas',
    title: 'Seal schemas',
    summary: 'What can be sealed, under which rules and at which price.',
    words: 'schema record evidence fee attest',
  },
  {
    path: '/api/rules-of-engagement',
    title: 'Usage rules',
    summary: 'What agents may not use Avouch for.',
    words: 'terms acceptable use policy rules of engagement forbidden',
  },
];

export const SITE_PAGES: readonly SitePage[] = [
  ...PRODUCT_IDS.map((id): SitePage => {
    const { title, tagline, problem, steps, gives, limits } = PRODUCTS[id];
    const said = [...steps.flat(), ...gives].map((one) => (typeof one === 'string' ? one : one[0]));
    const text = [problem, ...said, ...limits].join(' ');
    return { path: `/product/${id}`, title, summary: tagline, words: `product ${PRODUCT_WORDS[id]}`, text };
  }),
  ...OTHERS,
];

/** Words of a question that no page is about. */
const SMALL_WORDS = new Set(
  'a an and are can do does for how i in is it my of on or the to what where with'.split(' '),
);
/** What a word counts for by the place where a page has it. */
const PLACES = [
  ['title', 8],
  ['words', 4],
  ['summary', 2],
  ['text', 1],
] as const;

/** The pages that have all words of the query, best first. One that only mentions them comes in if nothing is about them. */
export function findSitePages(q: string): readonly SitePage[] {
  const wanted = wordsOf(q).filter((word) => !SMALL_WORDS.has(word));
  if (wanted.length === 0) return [];
  const rated = SITE_PAGES.map((page) => ({ page, ratings: wanted.map((word) => ratingOf(page, word)) }))
    .filter(({ ratings }) => ratings.every((rating) => rating > 0))
    .map(({ page, ratings }) => ({ page, rating: ratings.reduce((sum, one) => sum + one, phraseRating(page, q)) }))
    .toSorted((a, b) => b.rating - a.rating);
  const about = rated.filter(({ rating }) => rating > wanted.length);
  return (about.length > 0 ? about : rated).map(({ page }) => page);
}

/** Words that a page has side by side, such as “sign in”. */
function phraseRating({ title, words }: SitePage, q: string): number {
  return `${title} ${words}`.toLowerCase().includes(q.trim().toLowerCase()) ? 1 : 0;
}

function ratingOf(page: SitePage, word: string): number {
  const stem = word.length > 3 ? word.replace(/s$/, '') : word;
  const has = (text: string) => wordsOf(text).some((one) => one.startsWith(stem));
  return PLACES.find(([place]) => has(page[place] ?? ''))?.[1] ?? 0;
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}-]+/u)
    .filter((word) => word !== '');
}
