import { DAY_MS } from '#kernel/clock.ts';
import type { FieldError } from '#kernel/problem.ts';
import { isLoopbackHost } from '#platform/config/loopback.ts';
import type { Ap2Error } from '#protocol/ap2/ap2-error.ts';
import type { VerifyInput } from './handshake-operations.ts';
import { type MandateBody, momentOf } from './mandate-body.ts';
import type { ApproveInput, CreateMandateInput, RevokeInput } from './mandate-operations.ts';

const MAX_VALID_MS = 366 * DAY_MS;
const SIGNED_WITHIN_MS = 600_000;

function fault(field: string, code: string, detail: string): FieldError {
  return { pointer: `#/${field}`, code, detail };
}

export function addressFaults(address: string, sandbox: boolean): FieldError[] {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLoopback = url?.protocol === 'http:' && isLoopbackHost(url.hostname);
  if (url?.protocol === 'https:' || (sandbox && isLoopback)) return [];
  return [fault('mcp_url', 'wrong_format', 'Must be an https address.')];
}

export function contactFaults(contact: string): FieldError[] {
  const isMail = /^[^\s@]{1,64}@[^\s@]{1,120}\.[^\s@.]+$/.test(contact);
  if (isMail || (contact.startsWith('https://') && URL.canParse(contact))) return [];
  return [fault('contact', 'wrong_format', 'Must be an email address or an https address.')];
}

const BESIDE_AP2: ReadonlySet<string> = new Set(['ap2', 'agent_id', 'principal']);

/** An imported mandate says itself what it allows. */
export function importFaults(body: Omit<CreateMandateInput, 'idempotency_key'>): FieldError[] {
  return Object.keys(body)
    .filter((name) => !BESIDE_AP2.has(name))
    .map((name) => fault(name, 'not_allowed', 'Leave this out: the AP2 mandate says it.'));
}

/** What is wrong with a token or mandate of AP2, in the member of `ap2` that has it. */
export function ap2Faults(field: string, { code, message }: Ap2Error): FieldError[] {
  return [fault(`ap2/${field}`, code, message)];
}

/** Rules between fields, once each field is right. */
export function bodyFaults(body: MandateBody, nowMs: number): FieldError[] {
  const { period, principal_pubkey: pubkey, principal_signature: signature } = body;
  const fromMs = body.valid_from === undefined ? nowMs : momentOf(body.valid_from, 'from');
  const untilMs = momentOf(body.valid_until, 'until');
  const rules: readonly (readonly [boolean, FieldError])[] = [
    [untilMs <= fromMs, fault('valid_until', 'before_start', 'Must be after valid_from.')],
    [untilMs <= nowMs, fault('valid_until', 'in_the_past', 'Must be in the future.')],
    [untilMs > nowMs + MAX_VALID_MS, fault('valid_until', 'too_late', 'Must be at most 366 days ahead.')],
    [
      (body.per_action_cap_cents ?? 0) > body.max_commit_cents,
      fault('per_action_cap_cents', 'too_large', 'Must be at most max_commit_cents.'),
    ],
    [
      period !== undefined && period.cap_cents === undefined && period.max_actions === undefined,
      fault('period', 'empty', 'Must have cap_cents or max_actions.'),
    ],
    [
      (pubkey === undefined) !== (signature === undefined),
      fault(
        pubkey === undefined ? 'principal_pubkey' : 'principal_signature',
        'missing',
        'Send principal_pubkey and principal_signature together.',
      ),
    ],
    [signature !== undefined && body.nonce === undefined, fault('nonce', 'missing', 'A signed mandate needs a nonce.')],
  ];
  return rules.flatMap(([isBroken, found]) => (isBroken ? [found] : []));
}

/** The name belongs to the action custom alone: with another one, it would make a second payload of the same. */
export function actionFaults({ action, custom_action: name }: Pick<ApproveInput, 'action' | 'custom_action'>) {
  const isNamed = name !== undefined && name !== null;
  if (isNamed === (action === 'custom')) return [];
  return isNamed
    ? [fault('custom_action', 'not_allowed', 'Leave this out: only the action custom has a name.')]
    : [fault('custom_action', 'missing', 'The action custom needs a name here.')];
}

export function verifyFaults({ request_id, idempotency_key, ...asked }: VerifyInput): FieldError[] {
  const differ = request_id !== undefined && idempotency_key !== undefined && request_id !== idempotency_key;
  return [
    ...actionFaults(asked),
    ...(differ ? [fault('request_id', 'differs', 'Must equal the Idempotency-Key if both are given.')] : []),
  ];
}

export function signingFaults({ nonce, at }: Pick<RevokeInput, 'nonce' | 'at'>, nowMs: number): FieldError[] {
  if (nonce === undefined || at === undefined) {
    return [
      ...(nonce === undefined ? [fault('nonce', 'missing', 'This field is required with principal_signature.')] : []),
      ...(at === undefined ? [fault('at', 'missing', 'This field is required with principal_signature.')] : []),
    ];
  }
  const isNear = Math.abs(Date.parse(at) - nowMs) <= SIGNED_WITHIN_MS;
  return isNear ? [] : [fault('at', 'not_now', 'Must be within ten minutes of now.')];
}
