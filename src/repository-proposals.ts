import { z } from 'zod';
import type { Config } from '#platform/config/config.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { newCommandId } from '#kernel/ids.ts';
import { defineProblem, Refusal } from '#kernel/problem.ts';
import { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { InternalWorks } from '#transport/mcp/tools.ts';
import { VERSION } from '#platform/version.ts';

export const repositoryRefused = defineProblem({
  code: 'repository_refused',
  status: 503,
  title: 'The code host refused',
  help: 'The code host of the configured repository did not take a step of the pull request. What was made before it stays on a branch of its own; the default branch was not touched.',
});

interface ProposalParts {
  readonly host: Pick<ConfiguredHost, 'ask'>;
  /** owner/name */
  readonly repository: string;
  readonly headers: () => Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
}

const Sha = z.looseObject({ sha: z.string() });
const Repository = z.looseObject({ default_branch: z.string() });
const Branch = z.looseObject({ object: Sha });
const Pull = z.looseObject({ html_url: z.string() });

class RefusedByHost extends Error {
  override readonly name = 'RefusedByHost';
}

/** The work of repository_write where a repository is configured. */
export function openProposals(
  { mcp, venues, profile }: Config,
  clock: Pick<Clock, 'now'>,
  stack: AsyncDisposableStack,
): Pick<InternalWorks, 'repository_write'> {
  if (mcp.repository === null || venues.github === null) return {};
  const { name, token } = mcp.repository;
  const host = stack.use(new ConfiguredHost({ baseUrl: venues.github.baseUrl, userAgent: `avouch/${VERSION}` }));
  const headers = () => ({
    accept: 'application/vnd.github+json',
    'content-type': 'application/json',
    'x-github-api-version': '2022-11-28',
    authorization: `Bearer ${token.reveal()}`,
  });
  const sandbox = profile === 'sandbox';
  return { repository_write: repositoryProposals({ host, repository: name, headers, clock, sandbox }) };
}

/** Opens a pull request with one file. Only objects, a branch of its own and the request are written. */
function repositoryProposals(parts: ProposalParts): NonNullable<InternalWorks['repository_write']> {
  const { clock, sandbox } = parts;
  return async ({ path, content, message }, { signal }) => {
    const ask = asker(parts, signal);
    const branch = `avouch-${newCommandId()}`;
    try {
      const { default_branch: base } = await ask(Repository, '');
      const { object: parent } = await ask(Branch, `/git/ref/heads/${encodeURIComponent(base)}`);
      const blob = await ask(Sha, '/git/blobs', { content, encoding: 'utf-8' });
      const file = { path, mode: '100644', type: 'blob', sha: blob.sha };
      const tree = await ask(Sha, '/git/trees', { base_tree: parent.sha, tree: [file] });
      const commit = await ask(Sha, '/git/commits', { message, tree: tree.sha, parents: [parent.sha] });
      await ask(z.looseObject({}), '/git/refs', { ref: `refs/heads/${branch}`, sha: commit.sha });
      const pull = await ask(Pull, '/pulls', { title: message, head: branch, base });
      return { url: pull.html_url, branch, as_of: isoTime(clock.now()), ...(sandbox && { sandbox: true as const }) };
    } catch (error) {
      if (!(error instanceof RefusedByHost)) throw error;
      return new Refusal(repositoryRefused, { detail: error.message, retryAfterSeconds: 60 });
    }
  };
}

function asker({ host, repository, headers }: ProposalParts, signal: AbortSignal) {
  return async <T extends z.ZodType>(schema: T, path: string, body?: object): Promise<z.output<T>> => {
    const sent = body === undefined ? {} : { method: 'POST' as const, body: JSON.stringify(body) };
    const answer = await host.ask({ path: `/repos/${repository}${path}`, headers: headers(), signal, ...sent });
    const parsed = answer.status < 300 ? schema.safeParse(jsonOf(answer.body)) : undefined;
    if (parsed?.success !== true) throw new RefusedByHost(`the code host answered ${answer.status}`);
    return parsed.data;
  };
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
