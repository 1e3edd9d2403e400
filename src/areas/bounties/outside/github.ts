import { z } from 'zod';
import { cleanText } from '#kernel/foreign-text.ts';
import { sha256Hex } from '#kernel/ids.ts';
import type { CrowdFacts, ItemFacts } from '../facts.ts';
import { isBounty, isRewarded, statedReward } from '../reward.ts';
import type { VenueRequest } from './venue-client.ts';

/** The searches that together are the list. */
export const SEARCHES = ['label:"💎 Bounty"', 'label:bounty'] as const;
export const PAGE_SIZE = 100;
const MAX_TITLE = 280;

const User = z.object({ login: z.string().min(1).max(200) });
const Issue = z.object({
  number: z.int().min(1).max(9_999_999_999),
  title: z.string(),
  repository_url: z.string(),
  state: z.enum(['open', 'closed']),
  labels: z.array(z.union([z.string(), z.object({ name: z.string() })])),
  assignees: z.array(User),
  updated_at: z.iso.datetime(),
});
const SearchPage = z.object({
  total_count: z.int().min(0),
  incomplete_results: z.boolean(),
  items: z.array(z.unknown()),
});
const Timeline = z.array(z.unknown());
const PullRequestLinked = z.object({
  event: z.literal('cross-referenced'),
  source: z.object({
    issue: z.object({ id: z.int(), state: z.literal('open'), pull_request: z.object({}), user: User.nullable() }),
  }),
});
const Commented = z.object({ event: z.literal('commented'), user: User.nullable(), body: z.string() });

interface FoundIssue {
  readonly key: string;
  readonly repository: string;
  readonly facts: ItemFacts;
}

export interface FoundPage {
  readonly issues: readonly FoundIssue[];
  /** How many there are by the source's own count. */
  readonly total: number;
  readonly isFull: boolean;
  readonly isIncomplete: boolean;
}

export function searchPage(search: string, page: number): VenueRequest<FoundPage> {
  return {
    source: 'github_search',
    path: '/search/issues',
    kind: 'list',
    query: {
      q: `${search} is:issue is:open archived:false`,
      sort: 'updated',
      per_page: String(PAGE_SIZE),
      page: String(page),
    },
    read(body) {
      const read = SearchPage.safeParse(body);
      if (!read.success) return undefined;
      const items = read.data.items.slice(0, PAGE_SIZE);
      const issues = items.flatMap((item) => foundIssue(item) ?? []);
      const isIncomplete = read.data.incomplete_results || issues.length < items.length;
      return { issues, total: read.data.total_count, isFull: items.length === PAGE_SIZE, isIncomplete };
    },
  };
}

/** How many issues of the repository carry the label of a paid reward. */
export function rewardedCount(repository: string): VenueRequest<number> {
  return {
    source: 'github_search',
    path: '/search/issues',
    query: { q: `repo:${repository} label:"💰 Rewarded"`, per_page: '1' },
    read(body) {
      const read = SearchPage.safeParse(body);
      return read.success ? read.data.total_count : undefined;
    },
  };
}

export function oneIssue(repository: string, number: number): VenueRequest<ItemFacts> {
  return {
    source: 'github_core',
    path: `/repos/${repository}/issues/${number}`,
    read(body) {
      const found = foundIssue(body);
      return found?.key.endsWith(`/issues/${number}`) ? found.facts : undefined;
    },
  };
}

export function issueTimeline(repository: string, number: number): VenueRequest<CrowdFacts> {
  return {
    source: 'github_core',
    path: `/repos/${repository}/issues/${number}/timeline`,
    query: { per_page: String(PAGE_SIZE) },
    read(body) {
      const read = Timeline.safeParse(body);
      return read.success ? crowdOf(read.data) : undefined;
    },
  };
}

const CLAIM_LINE = /^\/(?:attempt|claim|try)(?![\w-])/im;

/** A comment takes up the work when one of its lines begins with a command that says so. */
export function isTakingUp(comment: string): boolean {
  return CLAIM_LINE.test(comment);
}

/** People are only counted, so only what tells them apart is kept. */
export function personTag(login: string): string {
  return sha256Hex(login.toLowerCase()).slice(0, 12);
}

function crowdOf(events: readonly unknown[]): CrowdFacts {
  const pullRequests = new Set<number>();
  const people = new Set<string>();
  for (const event of events.slice(0, PAGE_SIZE)) {
    const linked = PullRequestLinked.safeParse(event).data?.source.issue;
    if (linked !== undefined) pullRequests.add(linked.id);
    const comment = Commented.safeParse(event).data;
    const isClaim = comment !== undefined && isTakingUp(comment.body);
    const login = (linked ?? (isClaim ? comment : undefined))?.user?.login;
    if (login !== undefined) people.add(personTag(login));
  }
  return { openPullRequests: pullRequests.size, people: [...people], isComplete: events.length < PAGE_SIZE };
}

function foundIssue(body: unknown): FoundIssue | undefined {
  const read = Issue.safeParse(body);
  const [, owner, name] = /\/([\w-]{1,100})\/([\w.-]{1,100})$/.exec(read.data?.repository_url ?? '') ?? [];
  if (!read.success || owner === undefined || name === undefined || /^\.\.?$/.test(name)) return undefined;
  const repository = `${owner}/${name}`.toLowerCase();
  const { number, title, state, labels, assignees, updated_at: updatedAt } = read.data;
  const names = labels.map((label) => (typeof label === 'string' ? label : label.name));
  return {
    key: `https://github.com/${repository}/issues/${number}`,
    repository,
    facts: {
      state,
      title: shortTitle(title),
      reward: statedReward(names),
      isRewarded: isRewarded(names),
      isBounty: isBounty(names),
      assignees: [...new Set(assignees.map(({ login }) => personTag(login)))],
      updatedMs: Date.parse(updatedAt),
    },
  };
}

export function shortTitle(title: string): string {
  return Array.from(cleanText(title.slice(0, 4 * MAX_TITLE)))
    .slice(0, MAX_TITLE)
    .join('')
    .trim();
}
