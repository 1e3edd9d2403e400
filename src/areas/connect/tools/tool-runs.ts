import { inputErrors } from './input-check.ts';
import { badInput, isRefused, type Refused } from './refusal.ts';
import type { TOOL_TABLE, ToolName } from './tool-table.ts';

export type ToolResult = Readonly<Record<string, unknown>>;

/** What the tools read of the answers of the service; the rest is passed on by name. */
export interface ToolAnswers {
  readonly look: ToolResult & {
    readonly key: string;
    readonly reasons: readonly { readonly code: string; readonly text: string }[];
    readonly holders: readonly (Said & {
      readonly mode: string;
      readonly expires_in_s: number;
      readonly intent: string | null;
    })[];
    readonly marks: readonly (Said & {
      readonly kind: string;
      readonly weight: number;
      readonly age_s: number;
      readonly note: string | null;
      readonly evidence: string | null;
    })[];
    readonly venue: unknown;
    readonly expected_value: { readonly usd: number } | null;
  };
  readonly check: ToolResult & {
    readonly checks: readonly { readonly code: string; readonly result: string; readonly why: string }[];
  };
  readonly attest_seal: ToolResult & { readonly fee: { readonly fee_eurocents: number } };
  readonly attest_verify: ToolResult & {
    readonly valid: boolean;
    readonly checks: readonly { readonly name: string; readonly ok: boolean | null }[];
  };
  readonly amh_mandate_view: ToolResult;
  readonly amh_verify: ToolResult;
  readonly amh_seal: ToolResult;
}

/** By whom something was said. */
interface Said {
  readonly agent: string;
}

/** Has the service answer a row. */
export type AskTool = <Row extends keyof ToolAnswers>(
  row: Row,
  input: ToolResult,
  signal?: AbortSignal,
) => Promise<ToolAnswers[Row] | Refused>;

/** The leases of the agent that calls. Its tokens stay there. */
export interface ToolLeases {
  holds(key: string): Promise<boolean> | boolean;
  claim(asked: ToolInput & { readonly key: string }, signal?: AbortSignal): Promise<ToolResult>;
  release(key: string, ending: ToolInput): Promise<ToolResult>;
}

export interface ToolContext {
  readonly ask: AskTool;
  /** Undefined where the caller did not say who it is. */
  readonly agent: string | undefined;
  readonly leases: ToolLeases;
  readonly payloadHash: (payload: string) => Promise<string> | string;
  /** Given each seal whole. */
  readonly onSeal?: ((seal: ToolAnswers['attest_seal']) => void) | undefined;
  /** Checks what the service says of a seal, where the tools do not run in the service itself. */
  readonly checkSeal?: (
    seal: ToolResult,
    attestationId?: string,
  ) => Promise<{ readonly valid: boolean; readonly checks: ToolAnswers['attest_verify']['checks'] }>;
}

type ToolInput = ToolResult;
type Run = (context: ToolContext, input: never, signal?: AbortSignal) => Promise<ToolResult>;

/** What each tool does. Results are made of named members only, so that no secret of an answer gets into one. */
const TOOL_RUNS: Readonly<Record<ToolName, Run>> = {
  async avouch_look({ ask, agent, leases }, input: ToolInput, signal) {
    const answer = await ask('look', named(input, agent), signal);
    if (isRefused(answer)) return answer;
    const { key, reasons, holders, marks, venue, expected_value } = answer;
    return {
      ...pick(answer, 'key', 'signal'),
      reasons: reasons.map(({ code, text }) => ({ code, text })),
      ...((await leases.holds(key)) && { held_by_you: true }),
      ...pick(answer, 'others'),
      holders: holders.map((holder) => ({
        ...pick(holder, 'mode', 'expires_in_s'),
        untrusted_agent: holder.agent,
        untrusted_intent: holder.intent,
      })),
      marks: marks.map((mark) => ({
        ...pick(mark, 'kind', 'weight', 'age_s'),
        untrusted_agent: mark.agent,
        untrusted_note: mark.note,
        untrusted_evidence: mark.evidence,
      })),
      ...(venue !== null && { venue }),
      ...(expected_value !== null && { expected_value_usd: expected_value.usd }),
      ...pick(answer, 'retry_in_s'),
    };
  },

  async avouch_claim({ leases }, input: ToolInput & { key: string }, signal) {
    return leases.claim(input, signal);
  },

  async avouch_release({ leases }, { key, ...ending }: ToolInput & { key: string }) {
    return leases.release(key, ending);
  },

  async avouch_check_spend({ ask, agent }, input: ToolInput, signal) {
    const answer = await ask('check', named(input, agent), signal);
    if (isRefused(answer)) return answer;
    const reasons = answer.checks.filter(({ result }) => result !== 'PASS');
    return {
      ...pick(answer, 'verdict'),
      reasons: reasons.map(({ code, result, why }) => ({ code, result, why })),
      ...pick(answer, 'expected_value_usd'),
    };
  },

  async avouch_seal({ ask, onSeal, checkSeal }, { disclosure, ...claim }: ToolInput, signal) {
    const request = { schema_id: 'record.integrity.v1', claim, ...(disclosure !== undefined && { disclosure }) };
    const answer = await ask('attest_seal', request, signal);
    if (isRefused(answer)) return answer;
    onSeal?.(answer);
    const checked = await checkSeal?.(answer);
    return {
      ...pick(answer, 'attestation_id', 'verdict', 'code', 'sealed_at', 'seq', 'verify_url', 'not_promised'),
      ...(checked !== undefined && { valid: checked.valid }),
      fee_eurocents: answer.fee.fee_eurocents,
    };
  },

  async avouch_verify({ ask, checkSeal }, { attestation_id }: { attestation_id: string }, signal) {
    const answer = await ask('attest_verify', { attestation_id }, signal);
    if (isRefused(answer)) return answer;
    const here = await checkSeal?.(answer, attestation_id);
    const failed = [...answer.checks, ...(here?.checks ?? [])].filter(({ ok }) => ok === false);
    return {
      attestation_id,
      valid: answer.valid && here?.valid !== false,
      failed_checks: [...new Set(failed.map(({ name }) => name))],
      ...pick(answer, 'verdict', 'code', 'schema_id', 'sealed_at', 'seq', 'sandbox', 'superseded_by'),
      ...pick(answer, 'means', 'does_not_mean'),
      untrusted_claim: answer['claim'],
    };
  },

  async avouch_mandate(context, input: MandateInput, signal) {
    const missing = MANDATE_NEEDS[input.step].filter((field) => input[field] === undefined);
    if (missing.length > 0) {
      return badInput(missing.map((field) => ({ field, detail: `Required for ${input.step}.` })));
    }
    return MANDATE_STEPS[input.step](context, input, signal);
  },
};

type MandateStep = 'view' | 'verify' | 'seal';
type MandateInput = ToolInput & { readonly step: MandateStep };

const MANDATE_NEEDS: Readonly<Record<MandateStep, readonly string[]>> = {
  view: ['mandate_id'],
  verify: ['mandate_id', 'action', 'amount_cents', 'currency', 'payload'],
  seal: ['verify_ref', 'outcome'],
};

type MandateRun = (context: ToolContext, input: MandateInput, signal: AbortSignal | undefined) => Promise<ToolResult>;

const MANDATE_STEPS: Readonly<Record<MandateStep, MandateRun>> = {
  async view({ ask }, input, signal) {
    const answer = await ask('amh_mandate_view', pick(input, 'mandate_id'), signal);
    if (isRefused(answer)) return answer;
    return {
      ...pick(answer, 'mandate_id', 'status', 'assurance', 'actions', 'currency', 'valid_from', 'valid_until'),
      ...pick(answer, 'flags', 'max_commit_cents', 'per_action_cap_cents', 'remaining', 'approval'),
      untrusted_principal: answer['principal'],
      untrusted_counterparties: answer['counterparties'],
      untrusted_custom_actions: answer['custom_actions'],
    };
  },

  async verify({ ask, payloadHash }, input, signal) {
    const asked = pick(input, 'mandate_id', 'action', 'amount_cents', 'currency', 'custom_action', 'counterparty');
    const payload_hash = await payloadHash(input['payload'] as string);
    const answer = await ask('amh_verify', { ...asked, ...pick(input, 'approval_ref'), payload_hash }, signal);
    if (isRefused(answer)) return answer;
    return {
      ...pick(answer, 'decision', 'reason', 'verify_ref', 'existing_verify_ref', 'assurance', 'reserved_cents'),
      ...pick(answer, 'expires_at', 'remaining', 'attestation_id'),
    };
  },

  async seal({ ask }, input, signal) {
    const answer = await ask('amh_seal', pick(input, 'verify_ref', 'outcome', 'external_ref'), signal);
    if (isRefused(answer)) return answer;
    return {
      ...pick(answer, 'verify_ref', 'state', 'attestation_id', 'committed_cents', 'released_cents'),
      ...pick(answer, 'refunded_cents', 'late', 'over_cap'),
    };
  },
};

/** Runs one tool on what a model sent; throws only what no model can act on. */
export async function runTool(
  row: (typeof TOOL_TABLE)[number],
  context: ToolContext,
  input: unknown,
  signal?: AbortSignal,
): Promise<ToolResult> {
  const errors = inputErrors(row.inputSchema, input);
  return errors.length > 0 ? badInput(errors) : TOOL_RUNS[row.name](context, input as never, signal);
}

function named(input: ToolInput, agent: string | undefined): ToolInput {
  return agent === undefined ? input : { ...input, agent };
}

/** Nothing but the named members, where they are there. */
function pick<T extends object, Name extends keyof T>(from: T, ...names: readonly Name[]): Pick<T, Name> {
  const there = names.filter((name) => from[name] !== undefined);
  return Object.fromEntries(there.map((name) => [name, from[name]])) as Pick<T, Name>;
}
