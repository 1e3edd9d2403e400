import { execFileSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { avouchClient } from '../../client/client.ts';
import { hookSecret } from './hook-secret.ts';
import { InputError, type Run, UsageError } from './line/spec.ts';
import { objectIn } from './log-client.ts';
import { serviceUrl } from './service-url.ts';

/** What the agent reads as "do not do it, and here is why". */
const BLOCKED = 2;
const OUT_OF_REACH_MS = 10_000;

export const install: Run = async ({ operands: [hook], values }, output) => {
  const folder = git('rev-parse', '--git-path', 'hooks');
  const file = join(folder, hook as string);
  if (existsSync(file))
    throw new InputError(`${file} exists. Add the line \`avouch hook ${hook} "$@"\` to it yourself.`);
  const url = values['url'] === undefined ? '' : ` --url ${quoted(values['url'])}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `#!/bin/sh\nexec avouch hook ${hook} "$@" --agent ${quoted(values['agent'] as string)}${url}\n`);
  chmodSync(file, 0o755);
  output.result({ installed: file }, `Installed ${file}. It runs \`avouch\` from your PATH.\n`);
  return 0;
};

/** A branch names its issue: `issue-12`, `fix/issue-12-parser`. */
const BRANCH = /^refs\/heads\/(?:.*\/)?issue[-/_](\d+)(?:[-_].*)?$/;
const REPOSITORY = /[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/;

export const prePush: Run = async ({ operands: [, remoteUrl], values }, output) => {
  const agent = agentIn(values['agent'], output.env);
  const repository = REPOSITORY.exec(remoteUrl as string)?.[1];
  const lines = (await text(process.stdin)).split('\n');
  const issues = lines.flatMap((line) => BRANCH.exec(line.split(' ')[2] ?? '')?.[1] ?? []);
  if (repository === undefined || issues.length === 0) return 0;
  const client = avouchClient({ baseUrl: serviceUrl(values['url'], output.env), timeoutMs: OUT_OF_REACH_MS });
  for (const issue of new Set(issues)) {
    const key = `${repository}#${issue}`;
    const answer = await client.look({ key, agent });
    if (!answer.ok) {
      output.warn(`Not checked whether ${key} is free: ${(answer.problem ?? answer.unreachable)?.detail ?? ''}`);
      continue;
    }
    const others = answer.value.holders.filter((holder) => holder.agent !== agent && holder.mode !== 'shared');
    if (others.length === 0) continue;
    const seconds = Math.ceil(Math.max(...others.map((holder) => holder.expires_in_s)));
    throw new InputError(`Another agent holds ${key} for up to ${seconds} s. Push later, or use --no-verify.`);
  }
  return 0;
};

export const preTool: Run = async ({ values }, output) => {
  const call = objectIn(await text(process.stdin));
  const { file_path: path } = (call?.['tool_input'] ?? {}) as { file_path?: unknown };
  if (typeof path !== 'string') return 0;
  const cwd = typeof call?.['cwd'] === 'string' ? call['cwd'] : process.cwd();
  const session = typeof call?.['session_id'] === 'string' ? call['session_id'] : '';
  const named = values['agent'] ?? output.env['AVOUCH_AGENT'];
  if (session === '' && named === undefined)
    throw new InputError(`Not checked whether ${path} is free: the call has no session_id, and there is no --agent.`);
  const agent = named ?? `agent-${digest(session).slice(0, 12)}`;
  const key = `file:${fileKey(cwd, path)}`;
  // The same session gets the same token for a file, so that it can renew what it holds. Agent and key are public, and
  // a session may be too: only the secret keeps others from computing the token.
  const token = createHmac('sha256', hookSecret(output.env)).update(`${session}\n${agent}\n${key}`).digest('base64url');
  const client = avouchClient({
    baseUrl: serviceUrl(values['url'], output.env),
    timeoutMs: OUT_OF_REACH_MS,
    retries: 0,
  });
  const claim = { key, agent, token, mode: 'exclusive' } as const;
  const answer = await client.claim(claim);
  if (answer.ok) {
    if (answer.value.repeated) await client.claim({ ...claim, lease: answer.value.lease });
    return 0;
  }
  const { detail } = answer.problem ?? answer.unreachable ?? {};
  if (answer.problem?.status === 409) {
    output.note(`${path} is being edited by another agent. ${detail}`);
    return BLOCKED;
  }
  throw new InputError(`Not checked whether ${path} is free: ${detail}`);
};

function agentIn(given: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  const agent = given ?? env['AVOUCH_AGENT'];
  if (agent === undefined) throw new UsageError('Missing --agent, or set AVOUCH_AGENT.');
  return agent;
}

/** The same for every clone of the repository, wherever it lies. */
function fileKey(cwd: string, path: string): string {
  try {
    const top = git('-C', cwd, 'rev-parse', '--show-toplevel');
    const remote = gitOr('', '-C', cwd, 'remote', 'get-url', 'origin');
    return `${REPOSITORY.exec(remote)?.[1] ?? basename(top)}/${relative(top, resolve(cwd, path))}`;
  } catch {
    return resolve(cwd, path);
  }
}

function git(...args: string[]): string {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    throw new InputError('This is not a git repository.');
  }
}

function gitOr(otherwise: string, ...args: string[]): string {
  try {
    return git(...args);
  } catch {
    return otherwise;
  }
}

function digest(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
