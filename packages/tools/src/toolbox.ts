/// <reference lib="esnext.disposable" preserve="true" />
import {
  type AvouchClient,
  avouchClient,
  type ClientOptions,
  guardSpend,
  type HeldLease,
  type Input,
  type LeaseRequest,
  type Outcome,
  payloadHash,
  type Seal,
  type SpendOptions,
  SpendRefused,
  type Time,
} from '../../../client/index.ts';
import type { Refused } from '../../../src/areas/connect/tools/refusal.ts';
import {
  runTool,
  type AskTool,
  type ToolAnswers,
  type ToolContext,
  type ToolResult,
} from '../../../src/areas/connect/tools/tool-runs.ts';
import { type InputSchema, TOOL_TABLE, type ToolName } from '../../../src/areas/connect/tools/tool-table.ts';
import { noAnswer, refusalOf } from './client-refusal.ts';
import { HeldLeases } from './held-leases.ts';

export interface ToolboxOptions extends Pick<ClientOptions, 'baseUrl' | 'fetch' | 'agentKey' | 'platformKey'> {
  /** The name under which the agent claims work. */
  readonly agent: string;
  /** Gets each seal whole. Keep its `disclosure_seed`, which reveals or erases the claim: the model never sees it. */
  readonly onSeal?: (seal: Seal) => void;
  /** Another clock for the leases. */
  readonly time?: Time;
}

/** One tool in nobody's form. */
export interface AgentTool {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly readOnly: boolean;
  /** Gives refusals as values; throws only what no model can act on. */
  readonly run: (input: unknown, signal?: AbortSignal) => Promise<ToolResult>;
}

type Question = Input<'check'>;

/** For one call of a tool that works on something shared. */
export interface GuardOptions<ToolInput> extends Omit<LeaseRequest, 'key' | 'agent' | 'signal'> {
  /** Names what the call works on. */
  readonly key: string | ((input: ToolInput) => string);
}

/** For one call of a tool that spends: each field of the question, or how it follows from the input of the tool. */
export type SpendingOptions<ToolInput> = SpendOptions & {
  readonly [Field in keyof Question]: Question[Field] | ((input: ToolInput) => Question[Field]);
};

/** The tools of one agent, its leases and its guards. */
export interface Toolbox extends AsyncDisposable {
  readonly tools: readonly AgentTool[];
  /** What the agent holds: its fencing tokens, and signals that say when the work must stop. */
  readonly leases: () => readonly HeldLease[];
  /** Runs a call under a lease; gives a refusal where there is none or it is lost. */
  guard<ToolInput, T>(
    options: GuardOptions<ToolInput>,
    input: ToolInput,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | Refused>;
  /** Runs a call after GO; gives a refusal otherwise. */
  spend<ToolInput, T>(
    options: SpendingOptions<ToolInput>,
    input: ToolInput,
    work: () => Promise<T>,
  ): Promise<T | Refused>;
  /** Releases what is held. */
  readonly close: () => Promise<void>;
}

/** Tools for one agent. Tokens stay in here: no result, refusal or description has one. */
export function avouchToolbox({ agent, onSeal, time, ...options }: ToolboxOptions): Toolbox {
  const client = avouchClient(options);
  const leases = new HeldLeases(client, agent, time);
  const context: ToolContext = {
    ask: asker(client),
    agent,
    leases,
    payloadHash,
    onSeal: onSeal as ToolContext['onSeal'],
    // A claim without its seed only the service can tie to the signed bytes.
    checkSeal: (seal, attestationId) =>
      attestationId === undefined
        ? client.verifySeal(seal)
        : client.verifySeal(seal, { attestationId, ignoreClaim: true }),
  };
  const tools = TOOL_TABLE.map((row): AgentTool => {
    const run: AgentTool['run'] = async (input, signal) => {
      const result = await runTool(row, context, input, signal);
      const lost = leases.takeLost();
      return lost.length > 0 ? { ...result, lost_leases: lost } : result;
    };
    return { ...row, run };
  });
  return {
    tools,
    leases: () => leases.all,
    guard({ key, ...request }, input, work) {
      return leases.during({ ...request, key: resolved(key, input) }, ({ signal }) => work(signal));
    },
    async spend({ allow, signed, ...asked }, input, work) {
      const fields = Object.entries(asked).map(([field, value]) => [field, resolved(value, input)]);
      const question = { agent, ...(Object.fromEntries(fields) as Question) };
      try {
        const { result } = await guardSpend(client, question, work, {
          ...(allow !== undefined && { allow }),
          ...(signed !== undefined && { signed }),
        });
        return result;
      } catch (error) {
        if (!(error instanceof SpendRefused)) throw error;
        return UNANSWERED.has(error.code) ? noAnswer(error.code) : { refused: error.code, detail: error.message };
      }
    },
    close: () => leases.close(),
    [Symbol.asyncDispose]: () => leases.close(),
  };
}

/** What the tools read is in the answers: the compiler compares them. */
function asker(client: Pick<AvouchClient, keyof ToolAnswers>): AskTool {
  const rows: { readonly [Row in keyof ToolAnswers]: Called<Row> } = client;
  return async (row, input, signal) => {
    const answer = await rows[row](input as never, signal && { signal });
    return answer.ok ? answer.value : refusalOf(answer);
  };
}

type Called<Row extends keyof ToolAnswers> = (
  input: never,
  options?: { readonly signal: AbortSignal },
) => Promise<{ readonly ok: true; readonly value: ToolAnswers[Row] } | Exclude<Outcome, { readonly ok: true }>>;

const UNANSWERED = new Set(['network', 'timeout', 'aborted', 'unreadable']);

function resolved<Value, ToolInput>(value: Value | ((input: ToolInput) => Value), input: ToolInput): Value {
  return typeof value === 'function' ? (value as (input: ToolInput) => Value)(input) : value;
}
