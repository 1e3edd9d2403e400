import { z } from 'zod';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { newCommandId } from '#kernel/ids.ts';
import { Refusal } from '#kernel/problem.ts';
import { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { ToolWork } from '#kernel/tool.ts';
import { repositoryRefused } from '../problems.ts';
import type { repositoryWrite } from '../tools.ts';
import type { Platform } from '#platform/platform.ts';
import { VERSION } from '#platform/version.ts';

interface ProposalDeps {
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

type Propose = ToolWork<typeof repositoryWrite>;

/** The work of repository_write; undefined where no repository is configured. */
export function openProposals(
  { config, clock, sandbox }: Pick<Platform, 'config' | 'clock' | 'sandbox'>,
  stack: DisposableStack,
): Propose | undefined {
  const { mcp, venues } = config;
  if (mcp.repository === null || venues.github === null) return undefined;
  const { name, token } = mcp.repository;
  const host = stack.use(new ConfiguredHost({ baseUrl: venues.github.baseUrl, userAgent: `avouch/${VERSION}` }));
  const headers = () => ({
    accept: 'application/vnd.github+json',
    'content-type': 'application/json',
    'x-github-api-version': '2022-11-28',
    authorization: `Bearer ${token.reveal()}`,
  });
  return repositoryProposals({ host, repository: name, headers, clock, sandbox });
}

/** Opens a pull request with one file. Only objects, a branch of its own and the request are written. */
function repositoryProposals(parts: ProposalDeps): Propose {
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

function asker({ host, repository, headers }: ProposalDeps, signal: AbortSignal) {
  return async <T extends z.ZodType>(schema: T, path: string, body?: object): Promise<z.output<T>> => {
    const sent = body === undefined ? {} : { method: 'POST' as const, body: JSON.stringify(body) };
    const answer = await host.ask({ path: `/repos/${repository}${path}`, headers: headers(), signal, ...sent });
    const parsed = answer.status < 300 ? schema.safeParse(jsonOf(answer.body)) : undefined;
    if (parsed?.success !== true) throw new RefusedByHost(`The code host answered ${answer.status}.`);
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
