import { PLATFORM_KEY_HEADER } from '#kernel/api-key.ts';
import { type BoundOperation, inputFrom, rowAsker } from '#kernel/bound-operation.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { Refusal } from '#kernel/problem.ts';
import type { HostResult, HostTool, ToolArguments, ToolCall } from '#kernel/tool.ts';
import { hostAgent } from './host-agent.ts';
import { isRefused, problemRefusal, type Refused } from './tools/refusal.ts';
import { runTool, type AskTool, type ToolContext, type ToolLeases, type ToolResult } from './tools/tool-runs.ts';
import { TOOL_TABLE, type ToolName } from './tools/tool-table.ts';

export interface HostToolsDeps {
  /** The free rows with what answers them. */
  readonly rows: () => readonly BoundOperation[];
  /** The id of the live lease that the token proves; null where the agent holds none. */
  readonly ownLease: (key: string, agent: string, token: string) => Promise<string | null>;
}

type AskAnyRow = (row: string, input: ToolResult) => Promise<ToolResult | Refused>;

/** Whose leases they are. */
interface Holder {
  readonly agent: string;
  readonly token: string;
}

const NO_TOKEN: Refused = {
  refused: 'token_required',
  detail:
    'This host sends no X-Crossing-Token, so nothing can prove that a claim is yours. Its owner finds a configuration with a token at /connect.',
};
const NOT_HELD: Refused = { refused: 'not_held', detail: 'You hold no lease on this work key.' };

/** The table of tools over HTTP: the token that a host sends with every request takes the place of a memory. */
export function hostTools(deps: HostToolsDeps): HostTool[] {
  return TOOL_TABLE.map((row): HostTool => {
    const { name, title, description, inputSchema, readOnly } = row;
    const annotations = {
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: readOnly,
      openWorldHint: true,
    } as const;
    return {
      listed: { name, title, description, inputSchema: { ...inputSchema }, annotations },
      ...(name === 'avouch_mandate' && { access: 'platform' as const }),
      isBarred: async (args, call) => !readOnly && !(await keepsOwn(name, args, call, deps)),
      run: (args, call) => runCall(row, deps, args, call),
    };
  });
}

/** A suspended caller may give back what it has, keep it, and say how it ended. */
async function keepsOwn(name: ToolName, args: ToolArguments, call: ToolCall, deps: HostToolsDeps): Promise<boolean> {
  if (name === 'avouch_release') return true;
  if (name === 'avouch_mandate') return args['step'] !== 'verify';
  const holder = holderOf(call);
  const { key } = args;
  if (name !== 'avouch_claim' || holder === undefined || typeof key !== 'string') return false;
  return (await deps.ownLease(key, holder.agent, holder.token)) !== null;
}

async function runCall(
  row: (typeof TOOL_TABLE)[number],
  deps: HostToolsDeps,
  args: ToolArguments,
  call: ToolCall,
): Promise<HostResult> {
  let refusal: Refusal | undefined;
  let seal: ToolResult | undefined;
  const ask: AskAnyRow = async (id, input) => {
    const answer = await askRow(deps.rows(), id, { ...input, ...credentialsOf(id, call) }, call);
    if (!(answer instanceof Refusal)) return answer;
    refusal = answer;
    const { type, details } = answer;
    const { retryAfterSeconds, errors, members, detail } = details;
    return problemRefusal({ ...members, code: type.code, detail, errors, retry_after_s: retryAfterSeconds });
  };
  const holder = holderOf(call);
  const context: ToolContext = {
    ask: ask as AskTool,
    agent: holder?.agent ?? call.header('x-avouch-agent'),
    leases: hostLeases(holder, ask, deps),
    payloadHash: (payload) => `sha256:${sha256Hex(payload)}`,
    onSeal: (made) => {
      seal = made;
    },
  };
  const result = await runTool(row, context, args);
  return { result, refusal, ...(seal !== undefined && { meta: { 'avouch/seal': seal } }) };
}

async function askRow(
  rows: readonly BoundOperation[],
  operationId: string,
  input: ToolResult,
  call: ToolCall,
): Promise<ToolResult | Refusal> {
  const row = rows.find(({ operation }) => operation.operationId === operationId);
  if (row === undefined) throw new Error(`${operationId} is not offered here`);
  const decoded = inputFrom(row.operation, JSON.stringify(input));
  if (decoded instanceof Refusal) return decoded;
  return (await rowAsker([row])({ operationId }, decoded, call)) as ToolResult | Refusal;
}

function credentialsOf(row: string, { header }: ToolCall): ToolResult {
  const key = row.startsWith('amh_') ? header(PLATFORM_KEY_HEADER) : undefined;
  return key === undefined ? {} : { api_key: key };
}

function holderOf({ header }: ToolCall): Holder | undefined {
  const token = header('x-crossing-token');
  return token === undefined ? undefined : { token, agent: header('x-avouch-agent') ?? hostAgent(token) };
}

function hostLeases(holder: Holder | undefined, ask: AskAnyRow, { ownLease }: HostToolsDeps): ToolLeases {
  if (holder === undefined) {
    return { holds: () => false, claim: async () => NO_TOKEN, release: async () => NO_TOKEN };
  }
  const { agent, token } = holder;
  const own = (key: string) => ownLease(key, agent, token);
  return {
    holds: async (key) => (await own(key)) !== null,
    async claim({ mode = 'exclusive', ...asked }) {
      const lease = await own(asked.key);
      const answer = await ask('claim', { ...asked, mode, agent, token, ...(lease !== null && { lease }) });
      if (isRefused(answer)) return answer;
      const { key, fence, expires_in_s } = answer;
      const detail = 'Nothing renews this lease for you. To keep it, claim the work key again before it ends.';
      return {
        granted: true,
        key,
        mode: answer['mode'],
        fence,
        expires_in_s,
        ...(lease !== null && { again: true }),
        detail,
      };
    },
    async release(key, ending) {
      const lease = await own(key);
      if (lease === null) return NOT_HELD;
      const answer = await ask('release', { ...ending, lease, token });
      if (isRefused(answer)) return answer;
      const { released, outcome, log, mark_refused } = answer;
      return { released, key: answer['key'], outcome, log, ...(mark_refused !== undefined && { mark_refused }) };
    },
  };
}
