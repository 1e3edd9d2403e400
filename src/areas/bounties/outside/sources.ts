import type { VenueConfig } from '#platform/config/venues.ts';
import { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import { VERSION } from '#platform/version.ts';
import type { CallPlan, SourceId } from '../budget.ts';
import type { VenueHost } from './venue-client.ts';

export type Plans = Readonly<Record<'github_core' | 'github_search', CallPlan>> & { readonly pages: number };

/** Calls in an hour. The code host gives 60 and 10 searches a minute to the nameless, more to those with a token. */
export const PLANS: Readonly<Record<'nameless' | 'token' | 'stand-in', Plans>> = {
  nameless: {
    github_core: { perHour: { crawl: 50, look: 10 }, everyMs: 0 },
    github_search: { perHour: { crawl: 60, look: 10 }, everyMs: 6_500 },
    pages: 5,
  },
  token: {
    github_core: { perHour: { crawl: 2_000, look: 2_000 }, everyMs: 0 },
    github_search: { perHour: { crawl: 300, look: 100 }, everyMs: 2_100 },
    pages: 10,
  },
  'stand-in': {
    github_core: { perHour: { crawl: 2_000, look: 2_000 }, everyMs: 0 },
    github_search: { perHour: { crawl: 300, look: 100 }, everyMs: 0 },
    pages: 10,
  },
};
const GITLAB_PLAN: CallPlan = { perHour: { crawl: 0, look: 100 }, everyMs: 0 };
const OPIRE_PLAN: CallPlan = { perHour: { crawl: 10, look: 0 }, everyMs: 0 };
/** A page of a hundred issues comes with the text of all of them. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** The venues that the settings name, each with its host, which goes with the stack. */
export function venuesOf(
  settings: VenueConfig,
  plans: Plans,
  hosts: DisposableStack,
): Partial<Record<SourceId, VenueHost>> {
  const { github, gitlab, opire } = settings;
  const host = (baseUrl: string) =>
    hosts.use(new ConfiguredHost({ baseUrl, userAgent: `avouch/${VERSION}`, maxBytes: MAX_PAGE_BYTES }));
  const sources: Partial<Record<SourceId, VenueHost>> = {};
  if (github !== null) {
    const headers = () => ({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...(github.token !== null && { authorization: `Bearer ${github.token.reveal()}` }),
    });
    const source = { host: host(github.baseUrl), headers, isUnchangedFree: github.token !== null };
    sources.github_core = { ...source, plan: plans.github_core };
    sources.github_search = { ...source, plan: plans.github_search };
  }
  if (gitlab !== null) {
    const headers = () => ({ ...(gitlab.token !== null && { 'private-token': gitlab.token.reveal() }) });
    sources.gitlab = { host: host(gitlab.baseUrl), headers, isUnchangedFree: false, plan: GITLAB_PLAN };
  }
  if (opire !== null) {
    sources.opire = { host: host(opire.baseUrl), headers: () => ({}), isUnchangedFree: false, plan: OPIRE_PLAN };
  }
  return sources;
}
