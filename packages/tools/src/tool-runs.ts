import { type AvouchClient, type Input, payloadHash, type Seal } from '../../../client/index.ts';
import type { HeldLeases } from './held-leases.ts';
import { badInput, refusalOf } from './refusal.ts';
import type { ToolName } from './tool-table.ts';

export type ToolResult = Readonly<Record<string, unknown>>;

interface ToolContext {
  readonly client: AvouchClient;
  readonly agent: string;
  readonly leases: HeldLeases;
  readonly onSeal: ((seal: Seal) => void) | undefined;
}

type Run = (context: ToolContext, input: never, signal?: AbortSignal) => Promise<ToolResult>;

/** What each tool does. Results are made of named members only, so that no secret of an answer gets into one. */
export const TOOL_RUNS: Readonly<Record<ToolName, Run>> = {
  async avouch_look({ client, agent, leases }, input: Omit<Input<'look'>, 'agent'>, signal) {
    const answer = await client.look({ ...input, agent }, signal && { signal });
    if (!answer.ok) return refusalOf(answer);
    const { key, reasons, others, holders, marks, venue, expected_value, retry_in_s } = answer.value;
    return {
      key,
      signal: answer.value.signal,
      reasons: reasons.map(({ code, text }) => ({ code, text })),
      ...(leases.holds(key) && { held_by_you: true }),
      others,
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
      retry_in_s,
    };
  },

  async avouch_claim({ leases }, input: Parameters<HeldLeases['claim']>[0], signal) {
    return leases.claim(input, signal);
  },

  async avouch_release({ leases }, { key, ...ending }: { key: string } & Parameters<HeldLeases['release']>[1]) {
    return leases.release(key, ending);
  },

  async avouch_check_spend({ client, agent }, input: Omit<Input<'check'>, 'agent'>, signal) {
    const answer = await client.check({ ...input, agent }, signal && { signal });
    if (!answer.ok) return refusalOf(answer);
    const { verdict, checks, expected_value_usd } = answer.value;
    const reasons = checks.filter(({ result }) => result !== 'PASS');
    return { verdict, reasons: reasons.map(({ code, result, why }) => ({ code, result, why })), expected_value_usd };
  },

  async avouch_seal({ client, onSeal }, { disclosure, ...claim }: SealInput, signal) {
    const request = { schema_id: 'record.integrity.v1', claim, ...(disclosure !== undefined && { disclosure }) };
    const answer = await client.attest_seal(request, signal && { signal });
    if (!answer.ok) return refusalOf(answer);
    onSeal?.(answer.value);
    const { valid } = await client.verifySeal(answer.value);
    return {
      ...pick(answer.value, 'attestation_id', 'verdict', 'code', 'sealed_at', 'seq', 'verify_url', 'not_promised'),
      valid,
      fee_eurocents: answer.value.fee.fee_eurocents,
    };
  },

  async avouch_verify({ client }, { attestation_id }: { attestation_id: string }, signal) {
    const answer = await client.attest_verify({ attestation_id }, signal && { signal });
    if (!answer.ok) return refusalOf(answer);
    const { valid, checks, claim } = answer.value;
    // The signed bytes are checked here too; a claim without its seed only the service can tie to them.
    const here = await client.verifySeal(answer.value, { attestationId: attestation_id, ignoreClaim: true });
    const failed = [...checks, ...here.checks].filter(({ ok }) => ok === false).map(({ name }) => name);
    return {
      attestation_id,
      valid: valid && here.valid,
      failed_checks: [...new Set(failed)],
      ...pick(answer.value, 'verdict', 'code', 'schema_id', 'sealed_at', 'seq', 'sandbox', 'superseded_by'),
      ...pick(answer.value, 'means', 'does_not_mean'),
      untrusted_claim: claim,
    };
  },

  async avouch_mandate({ client }, input: MandateInput, signal) {
    const missing = MANDATE_NEEDS[input.step].filter((field) => input[field] === undefined);
    if (missing.length > 0) {
      return badInput(missing.map((field) => ({ field, detail: `Required for ${input.step}.` })));
    }
    return MANDATE_STEPS[input.step](client, input as Required<MandateInput>, signal && { signal });
  },
};

interface SealInput {
  readonly statement: string;
  readonly evidence_digests?: readonly string[];
  readonly disclosure?: 'holder' | 'public';
}

interface MandateInput
  extends Partial<Pick<Input<'amh_verify'>, 'mandate_id' | 'action' | 'amount_cents' | 'currency'>>,
    Pick<Input<'amh_verify'>, 'custom_action' | 'counterparty' | 'approval_ref'>,
    Partial<Pick<Input<'amh_seal'>, 'verify_ref' | 'outcome'>>,
    Pick<Input<'amh_seal'>, 'external_ref'> {
  readonly step: 'view' | 'verify' | 'seal';
  readonly payload?: string;
}

const MANDATE_NEEDS: Readonly<Record<MandateInput['step'], readonly (keyof MandateInput)[]>> = {
  view: ['mandate_id'],
  verify: ['mandate_id', 'action', 'amount_cents', 'currency', 'payload'],
  seal: ['verify_ref', 'outcome'],
};

type MandateStep = (
  client: AvouchClient,
  input: Required<MandateInput>,
  options: { signal: AbortSignal } | undefined,
) => Promise<ToolResult>;

const MANDATE_STEPS: Readonly<Record<MandateInput['step'], MandateStep>> = {
  async view(client, { mandate_id }, options) {
    const answer = await client.amh_mandate_view({ mandate_id }, options);
    if (!answer.ok) return refusalOf(answer);
    const { principal, counterparties, custom_actions } = answer.value;
    return {
      ...pick(answer.value, 'mandate_id', 'status', 'assurance', 'actions', 'currency', 'valid_from', 'valid_until'),
      ...pick(answer.value, 'flags', 'max_commit_cents', 'per_action_cap_cents', 'remaining', 'approval'),
      untrusted_principal: principal,
      untrusted_counterparties: counterparties,
      untrusted_custom_actions: custom_actions,
    };
  },

  async verify(client, { payload, ...input }, options) {
    const asked = pick(input, 'mandate_id', 'action', 'amount_cents', 'currency', 'custom_action', 'counterparty');
    const { approval_ref } = input;
    const payload_hash = await payloadHash(payload);
    const answer = await client.amh_verify({ ...asked, approval_ref, payload_hash }, options);
    if (!answer.ok) return refusalOf(answer);
    return {
      ...pick(answer.value, 'decision', 'reason', 'verify_ref', 'existing_verify_ref', 'assurance', 'reserved_cents'),
      ...pick(answer.value, 'expires_at', 'remaining', 'attestation_id'),
    };
  },

  async seal(client, input, options) {
    const answer = await client.amh_seal(pick(input, 'verify_ref', 'outcome', 'external_ref'), options);
    if (!answer.ok) return refusalOf(answer);
    return {
      ...pick(answer.value, 'verify_ref', 'state', 'attestation_id', 'committed_cents', 'released_cents'),
      ...pick(answer.value, 'refunded_cents', 'late', 'over_cap'),
    };
  },
};

/** Nothing but the named members, where they are there. */
function pick<T extends object, Name extends keyof T>(from: T, ...names: readonly Name[]): Pick<T, Name> {
  const there = names.filter((name) => from[name] !== undefined);
  return Object.fromEntries(there.map((name) => [name, from[name]])) as Pick<T, Name>;
}
