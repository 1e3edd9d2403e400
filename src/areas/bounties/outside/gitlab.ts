import { z } from 'zod';
import type { ItemFacts } from '../facts.ts';
import { isBounty, isRewarded, statedReward } from '../reward.ts';
import { isTakingUp, PAGE_SIZE, personTag, shortTitle } from './github.ts';
import type { VenueRequest } from './venue-client.ts';

const User = z.object({ username: z.string().min(1).max(255) });
const Issue = z.object({
  iid: z.int().min(1),
  title: z.string(),
  state: z.enum(['opened', 'closed']),
  labels: z.array(z.string()),
  assignees: z.array(User),
  updated_at: z.iso.datetime({ offset: true }),
});
const MergeRequests = z.array(z.object({ state: z.string(), author: User.nullable() }));
const Notes = z.array(z.object({ body: z.string(), author: User.nullable(), system: z.boolean().optional() }));

/** A part of the crowd: how many open merge requests, and who. */
export interface CrowdPart {
  readonly open: number;
  readonly people: readonly string[];
  readonly isComplete: boolean;
}

function issuePath(project: string, iid: number): string {
  return `/projects/${encodeURIComponent(project)}/issues/${iid}`;
}

export function gitlabIssue(project: string, iid: number): VenueRequest<ItemFacts> {
  return {
    source: 'gitlab',
    path: issuePath(project, iid),
    read(body) {
      const read = Issue.safeParse(body);
      if (!read.success || read.data.iid !== iid) return undefined;
      const { state, title, labels, assignees, updated_at: updatedAt } = read.data;
      return {
        state: state === 'opened' ? 'open' : 'closed',
        title: shortTitle(title),
        reward: statedReward(labels),
        isRewarded: isRewarded(labels),
        isBounty: isBounty(labels),
        assignees: [...new Set(assignees.map(({ username }) => personTag(username)))],
        updatedMs: Date.parse(updatedAt),
      };
    },
  };
}

export function mergeRequests(project: string, iid: number): VenueRequest<CrowdPart> {
  return {
    source: 'gitlab',
    path: `${issuePath(project, iid)}/related_merge_requests`,
    query: { per_page: String(PAGE_SIZE) },
    kind: 'part',
    read(body) {
      const read = MergeRequests.safeParse(body);
      if (!read.success) return undefined;
      const open = read.data.filter(({ state }) => state === 'opened');
      return { open: open.length, people: tagsOf(open), isComplete: read.data.length < PAGE_SIZE };
    },
  };
}

export function notes(project: string, iid: number): VenueRequest<CrowdPart> {
  return {
    source: 'gitlab',
    path: `${issuePath(project, iid)}/notes`,
    query: { per_page: String(PAGE_SIZE) },
    kind: 'part',
    read(body) {
      const read = Notes.safeParse(body);
      if (!read.success) return undefined;
      const claims = read.data.filter(({ body: text, system }) => system !== true && isTakingUp(text));
      return { open: 0, people: tagsOf(claims), isComplete: read.data.length < PAGE_SIZE };
    },
  };
}

function tagsOf(made: readonly { readonly author: z.output<typeof User> | null }[]): string[] {
  return [...new Set(made.flatMap(({ author }) => (author === null ? [] : [personTag(author.username)])))];
}
