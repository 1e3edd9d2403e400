import { PLATFORM_KEY_HEADER } from '#kernel/api-key.ts';
import type { PaidTrace } from '#kernel/paid-operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { decode } from '#kernel/query-decoder.ts';
import * as general from '#kernel/general-problems.ts';
import * as problems from './problems.ts';
import {
  type ListedTool,
  listedTool,
  type OpenListedTool,
  type Tool,
  type ToolArguments,
  type ToolCall,
} from '#kernel/tool.ts';
import { toolAnswer, toolError, type ToolOutcome, type ToolResult } from './tool-result.ts';

type Work = (input: never, call: ToolCall) => unknown;

/** A tool as a desk offers it. */
export interface OfferedTool {
  readonly listed: ListedTool | OpenListedTool;
  /** The names of its fields. */
  readonly fields: ReadonlySet<string>;
  /** Runs the checked call. Its own deadline is the desk's unless it keeps one itself. */
  readonly run: (args: ToolArguments, asked: ReceivedToolCall) => Promise<ToolOutcome>;
  readonly keepsOwnTime?: true;
  /** True for a call that must not happen without a line in the trail; otherwise those are that change something. */
  readonly isTraced?: (asked: ReceivedToolCall) => boolean;
  /** Set where the key of a platform says who acts, and not that of an agent. */
  readonly access?: 'platform';
  /** Whether a suspended caller may not make this call. */
  readonly isBarred?: boolean | ((args: ToolArguments, asked: ReceivedToolCall) => Promise<boolean>);
  /** The scope of the key without which there is no such tool. */
  readonly scope?: string;
}

/** One tools/call as it came. */
export interface ReceivedToolCall extends ToolCall {
  readonly meta: Readonly<Record<string, unknown>>;
  /** Whose signal it is, where that is of this call alone. */
  readonly left?: AbortController;
}

type RuleCaller = Pick<ToolCall, 'addressTag' | 'agentKey'> & { readonly platformKey: string | undefined };

/** What the audit trail keeps of a call. */
export interface Trace {
  readonly op: string;
  readonly params: readonly string[];
  readonly code: string | null;
  readonly paid?: PaidTrace | undefined;
}

export interface ToolServerOptions {
  readonly isTrailFailing: () => boolean;
  readonly explainFault: (error: unknown) => Refusal | undefined;
  readonly logFault: (requestId: string, operationId: string, error: unknown) => void;
  /** The usage rules, as calls over HTTP meet them. */
  readonly rules?: {
    suspensionOfCaller(caller: RuleCaller): Refusal | undefined | Promise<Refusal | undefined>;
    refusedCaller(refusal: Refusal, caller: RuleCaller): Promise<void> | undefined;
  };
  /** The scopes of whoever calls with this key; none for a key that is not good. */
  readonly scopesOf: (agentKey: string) => Promise<readonly string[]>;
  readonly deadlineMs?: number;
}

export const DEADLINE_MS = 30_000;
const UNKNOWN_TOOL: Trace = { op: 'mcp:unknown_tool', params: [], code: 'unknown_tool' };

/** Offers a table of tools: one list, made once, and the way of every call. */
export class ToolServer {
  readonly list: readonly (ListedTool | OpenListedTool)[];
  readonly #tools: ReadonlyMap<string, OfferedTool>;
  readonly #options: ToolServerOptions;
  #listText: string | undefined;

  constructor(tools: readonly OfferedTool[], options: ToolServerOptions) {
    this.list = tools.filter(({ scope }) => scope === undefined).map((tool) => tool.listed);
    this.#tools = new Map(tools.map((tool) => [tool.listed.name, tool]));
    this.#options = options;
  }

  /** The list as JSON. */
  get listText(): string {
    return (this.#listText ??= JSON.stringify(this.list));
  }

  /** Undefined where the caller has no tool of this name. */
  async call(
    name: string,
    args: ToolArguments,
    asked: ReceivedToolCall,
  ): Promise<{ readonly result: ToolResult | undefined; readonly trace: Trace }> {
    const tool = await this.#toolFor(name, asked.agentKey);
    if (tool === undefined) return { result: undefined, trace: UNKNOWN_TOOL };
    const params = Object.keys(args).map((key) => (tool.fields.has(key) ? key : '?'));
    const { result, code, paid } = await this.#withRules(tool, args, asked);
    return { result, trace: { op: `mcp:${name}`, params, code, paid } };
  }

  /** A key is looked up for every name that is not public, so that time does not tell the internal ones. */
  async #toolFor(name: string, agentKey: string | undefined): Promise<OfferedTool | undefined> {
    const tool = this.#tools.get(name);
    if (tool !== undefined && tool.scope === undefined) return tool;
    const scopes = agentKey === undefined ? [] : await this.#options.scopesOf(agentKey);
    return tool?.scope !== undefined && scopes.includes(tool.scope) ? tool : undefined;
  }

  /** Stops a suspended caller, and notes what was against the rules before it is told. */
  async #withRules(tool: OfferedTool, args: ToolArguments, asked: ReceivedToolCall): Promise<ToolOutcome> {
    const { rules } = this.#options;
    const { addressTag } = asked;
    const agentKey = tool.access === 'platform' ? undefined : asked.agentKey;
    const caller = { addressTag, agentKey, platformKey: asked.header(PLATFORM_KEY_HEADER) };
    const suspension = tool.isBarred ? await rules?.suspensionOfCaller(caller) : undefined;
    if (suspension !== undefined && (await isBarred(tool, args, asked))) return toolError(suspension);
    const outcome = await this.#answer(tool, args, asked);
    if (outcome.refusal !== undefined) await rules?.refusedCaller(outcome.refusal, caller);
    return outcome;
  }

  async #answer(tool: OfferedTool, args: ToolArguments, asked: ReceivedToolCall): Promise<ToolOutcome> {
    const { deadlineMs = DEADLINE_MS } = this.#options;
    const isTraced = tool.isTraced?.(asked) ?? !tool.listed.annotations.readOnlyHint;
    if (isTraced && this.#options.isTrailFailing()) return toolError(trailDown());
    const over = Promise.withResolvers<ToolOutcome>();
    const { left = followerOf(asked.signal) } = asked;
    const end = () => {
      left.abort();
      over.resolve(toolError(timedOut()));
    };
    const timer = tool.keepsOwnTime ? undefined : setTimeout(end, deadlineMs);
    try {
      const { signal } = left;
      return await Promise.race([tool.run(args, signal === asked.signal ? asked : { ...asked, signal }), over.promise]);
    } catch (error) {
      return this.#fault(tool.listed.name, asked.requestId, error);
    } finally {
      clearTimeout(timer);
    }
  }

  #fault(name: string, requestId: string, error: unknown): ToolOutcome {
    const refusal = this.#options.explainFault(error);
    this.#options.logFault(requestId, `mcp:${name}`, error);
    const detail = `An internal error. ${requestId} identifies it in our log.`;
    return toolError(refusal ?? new Refusal(general.internal, { detail }));
  }
}

/** A tool with its work; one whose work is not here says so. */
export function offered(tool: Tool, work: Work | undefined, scope?: string): OfferedTool {
  return {
    listed: listedTool(tool),
    fields: new Set(Object.keys(tool.input.shape)),
    isBarred: !tool.annotations.readOnlyHint,
    ...(scope !== undefined && { scope }),
    run: async (args, { meta: _meta, left: _left, ...call }) => {
      const decoded = decode(tool.input, args);
      if (!decoded.ok) return toolError(general.refuseFields(decoded.errors));
      if (work === undefined) {
        return toolError(new Refusal(problems.notAvailable, { detail: `${tool.name} is not available here.` }));
      }
      const answer = await work(decoded.input as never, call);
      return answer instanceof Refusal ? toolError(answer) : toolAnswer(answer as object);
    },
  };
}

async function isBarred(tool: OfferedTool, args: ToolArguments, asked: ReceivedToolCall): Promise<boolean> {
  return typeof tool.isBarred === 'function' ? tool.isBarred(args, asked) : tool.isBarred === true;
}

/** Ends with the signal, or before it. */
function followerOf(signal: AbortSignal): AbortController {
  const follower = new AbortController();
  if (signal.aborted) follower.abort();
  else signal.addEventListener('abort', () => follower.abort(), { once: true });
  return follower;
}

function timedOut(): Refusal {
  return new Refusal(problems.toolTimedOut, { detail: 'The tool did not respond in time.', retryAfterSeconds: 1 });
}

function trailDown(): Refusal {
  const detail = 'The audit trail cannot be written right now. Nothing was stored.';
  return new Refusal(general.auditTrailUnavailable, { detail, retryAfterSeconds: 5 });
}
