import { HOUR_MS, MINUTE_MS } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { jsonAnswer, type Simulator, type SimulatorAnswer, type SimulatorRequest } from '../registers/simulator.ts';
import { fictionalIssues, type SimulatorIssue } from './fictional-issues.ts';

/** Calls with a token and without in one window. */
const LIMITS = {
  core: { windowMs: HOUR_MS, withToken: 5_000, without: 60 },
  search: { windowMs: MINUTE_MS, withToken: 30, without: 10 },
} as const;

/** A code host in the wire format of the real one: pages, ETags, limits. Its issues may be changed while it runs. */
export class CodeHost implements Simulator {
  readonly issues: SimulatorIssue[];
  /** Says of every search that it timed out half-way. */
  isIncomplete = false;
  /** Leaves out ETags, as some answers of the real one do. */
  hasEtags = true;
  /** Calls that counted against a limit, those that were answered by 304, and those beyond a limit. */
  readonly calls = { core: 0, search: 0, unchanged: 0, refused: 0 };
  readonly #windows = { core: { sinceMs: 0, used: 0 }, search: { sinceMs: 0, used: 0 } };

  constructor(nowMs: number) {
    this.issues = fictionalIssues(nowMs);
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    const resource = request.path.startsWith('/search/') ? 'search' : 'core';
    const limit = this.#limit(resource, request);
    const headers = this.#headers(resource, limit, request.nowMs);
    const used = this.#windows[resource].used;
    if (used >= limit) {
      this.calls.refused += 1;
      return jsonAnswer(403, { message: 'API rate limit exceeded' }, headers);
    }
    const answer = this.#read(request);
    const etag =
      this.hasEtags && answer.status === 200 ? `W/"${sha256Hex(String(answer.body)).slice(0, 32)}"` : undefined;
    if (etag !== undefined && request.header('if-none-match') === etag) {
      this.calls.unchanged += 1;
      // Only those who say who they are get it free.
      if (request.header('authorization') === undefined) this.#count(resource);
      return { status: 304, headers: { ...headers, etag }, body: '' };
    }
    this.#count(resource);
    const counted = this.#headers(resource, limit, request.nowMs);
    return { ...answer, headers: { ...answer.headers, ...counted, ...(etag !== undefined && { etag }) } };
  }

  throttle(): SimulatorAnswer {
    return jsonAnswer(403, { message: 'You have exceeded a secondary rate limit' }, { 'retry-after': '120' });
  }

  #count(resource: 'core' | 'search'): void {
    this.calls[resource] += 1;
    this.#windows[resource].used += 1;
  }

  #limit(resource: 'core' | 'search', { nowMs, header }: SimulatorRequest): number {
    const { windowMs, withToken, without } = LIMITS[resource];
    if (nowMs >= this.#windows[resource].sinceMs + windowMs) this.#windows[resource] = { sinceMs: nowMs, used: 0 };
    return header('authorization') === undefined ? without : withToken;
  }

  #headers(resource: 'core' | 'search', limit: number, nowMs: number): Record<string, string> {
    const { sinceMs, used } = this.#windows[resource];
    return {
      date: new Date(nowMs).toUTCString(),
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(0, limit - used)),
      'x-ratelimit-reset': String(Math.ceil((sinceMs + LIMITS[resource].windowMs) / 1_000)),
      'x-ratelimit-resource': resource,
    };
  }

  #read({ path, query, isMismatched }: SimulatorRequest): SimulatorAnswer {
    if (path === '/search/issues') return this.#search(query);
    const [, repository, number, rest] = /^\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)(\/timeline)?$/.exec(path) ?? [];
    const issue = this.issues.find((one) => one.repository === repository && one.number === Number(number));
    if (issue === undefined) return jsonAnswer(404, { message: 'Not Found' });
    if (rest !== undefined) return jsonAnswer(200, isMismatched ? {} : issue.timeline.slice(0, 100));
    return jsonAnswer(200, isMismatched ? { ...wire(issue), number: issue.number + 1 } : wire(issue));
  }

  #search(query: URLSearchParams): SimulatorAnswer {
    const q = query.get('q') ?? '';
    const [, quoted, plain] = /label:(?:"([^"]+)"|(\S+))/.exec(q) ?? [];
    const label = (quoted ?? plain ?? '').toLowerCase();
    const repository = /repo:(\S+)/.exec(q)?.[1];
    const found = this.issues
      .filter(({ labels }) => labels.some((name) => name.toLowerCase() === label))
      .filter((issue) => repository === undefined || issue.repository === repository)
      .filter(({ state }) => !q.includes('is:open') || state === 'open')
      .toSorted((a, b) => b.updatedAtMs - a.updatedAtMs);
    const size = Math.min(100, Number(query.get('per_page') ?? '30'));
    const from = (Number(query.get('page') ?? '1') - 1) * size;
    return jsonAnswer(200, {
      total_count: found.length,
      incomplete_results: this.isIncomplete,
      items: found.slice(from, from + size).map(wire),
    });
  }
}

function wire(issue: SimulatorIssue): Record<string, unknown> {
  const { repository, number, title, state, labels, assignees, updatedAtMs, timeline } = issue;
  const at = `${new Date(updatedAtMs).toISOString().slice(0, 19)}Z`;
  return {
    html_url: `https://github.com/${repository}/issues/${number}`,
    repository_url: `https://api.github.com/repos/${repository}`,
    number,
    title,
    state,
    comments: timeline.length,
    user: { login: 'sandbox-owner' },
    labels: labels.map((name) => ({ name })),
    assignees: assignees.map((login) => ({ login })),
    created_at: at,
    updated_at: at,
  };
}
