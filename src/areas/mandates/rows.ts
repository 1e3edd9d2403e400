import type { Cell, Row } from '#platform/storage/store.ts';
import type { CheckResult, Counters, VerifyRequest } from './checks.ts';
import { type MandateBody, termsOf } from './mandate-body.ts';
import type {
  Approval,
  KeptAnswer,
  KeptSeal,
  Mandate,
  Narrowing,
  Platform,
  PlatformKey,
  Remaining,
  Verification,
  VoidRecord,
} from './state.ts';

export function platformOf(row: Row): Platform {
  return {
    id: row['id'] as string,
    name: row['name'] as string,
    mcpUrl: row['mcp_url'] as string,
    contact: row['contact'] as string,
    status: row['status'] as Platform['status'],
    addressTag: row['addr'] as string,
    createdAtMs: row['created_at'] as number,
  };
}

export function platformRow({ id, name, mcpUrl, contact, status, addressTag, createdAtMs }: Platform): Cell[] {
  return [id, name, mcpUrl, contact, status, addressTag, createdAtMs];
}

export function keyOf(row: Row): PlatformKey {
  return {
    hash: row['key_sha256'] as string,
    keyId: row['key_id'] as string,
    platformId: row['platform_id'] as string,
    createdAtMs: row['created_at'] as number,
    lastUsedAtMs: row['last_used_at'] as number | null,
    revokedAtMs: row['revoked_at'] as number | null,
  };
}

export function keyRow({ hash, keyId, platformId, createdAtMs, lastUsedAtMs, revokedAtMs }: PlatformKey): Cell[] {
  return [hash, keyId, platformId, createdAtMs, lastUsedAtMs, revokedAtMs];
}

export function mandateOf(row: Row): Mandate {
  const bodyText = row['body'] as string;
  const body = JSON.parse(bodyText) as MandateBody;
  const createdAtMs = row['created_at'] as number;
  const revocation = row['revocation'] as string | null;
  const narrowings = JSON.parse((row['narrowings'] as string | null) ?? '[]') as Narrowing[];
  return {
    ...countersOf(row),
    id: row['id'] as string,
    body,
    bodyText,
    terms: termsOf(body, createdAtMs, narrowings.at(-1)?.platforms),
    sha256: row['sha256'] as string,
    assurance: row['assurance'] as Mandate['assurance'],
    controlHash: row['control_sha256'] as string,
    holds: row['holds'] as number,
    isOverCap: row['over_cap'] === 1,
    isSealedAfterRevocation: row['sealed_after_revocation'] === 1,
    createdAtMs,
    attestationId: row['attestation_id'] as string,
    seq: row['log_seq'] as number,
    revocation: revocation === null ? null : (JSON.parse(revocation) as Mandate['revocation']),
    narrowings,
    voids: row['voids'] as number,
  };
}

export function mandateRow(mandate: Mandate): Cell[] {
  const { id, bodyText, body, sha256, assurance, controlHash, terms, reserved, committed, actions, holds } = mandate;
  const { isOverCap, isSealedAfterRevocation, createdAtMs, attestationId, seq, revocation, narrowings } = mandate;
  return [
    id,
    bodyText,
    sha256,
    assurance,
    body.principal_pubkey ?? null,
    controlHash,
    terms.cap,
    terms.validFromMs,
    terms.validUntilMs,
    reserved,
    committed,
    actions,
    holds,
    Number(isOverCap),
    Number(isSealedAfterRevocation),
    createdAtMs,
    attestationId,
    seq,
    revocation === null ? null : JSON.stringify(revocation),
    body.agent_id,
    narrowings.length === 0 ? null : JSON.stringify(narrowings),
    mandate.voids,
  ];
}

export function countersOf(row: Row): Counters {
  return {
    reserved: row['reserved'] as number,
    committed: row['committed'] as number,
    actions: row['actions'] as number,
  };
}

export function verificationOf(row: Row): Verification {
  const remaining = row['remaining'] as string | null;
  const voided = row['voided'] as string | null;
  return {
    ref: row['ref'] as string,
    mandateId: row['mandate_id'] as string,
    platformId: row['platform_id'] as string,
    payloadKey: row['payload_key'] as string,
    request: JSON.parse(row['request'] as string) as VerifyRequest,
    decision: row['decision'] as Verification['decision'],
    reason: row['reason'] as Verification['reason'],
    checks: JSON.parse(row['checks'] as string) as CheckResult[],
    remaining: remaining === null ? null : (JSON.parse(remaining) as Remaining),
    state: row['state'] as Verification['state'],
    reserved: row['reserved'] as number,
    committed: row['committed'] as number,
    isLate: row['late'] === 1,
    isOverCap: row['over_cap'] === 1,
    periodStartMs: row['period_start'] as number,
    createdAtMs: row['created_at'] as number,
    expiresAtMs: row['expires_at'] as number | null,
    attestationId: row['attestation_id'] as string,
    seq: row['log_seq'] as number,
    voided: voided === null ? null : (JSON.parse(voided) as VoidRecord),
  };
}

export function verificationRow(verification: Verification): Cell[] {
  const { ref, mandateId, platformId, payloadKey, request, decision, reason, checks, remaining } = verification;
  const { state, reserved, committed, isLate, isOverCap, periodStartMs, createdAtMs, expiresAtMs } = verification;
  return [
    ref,
    mandateId,
    platformId,
    payloadKey,
    JSON.stringify(request),
    request.amount,
    decision,
    reason,
    JSON.stringify(checks),
    remaining === null ? null : JSON.stringify(remaining),
    state,
    reserved,
    committed,
    Number(isLate),
    Number(isOverCap),
    periodStartMs,
    createdAtMs,
    expiresAtMs,
    verification.attestationId,
    verification.seq,
    verification.voided === null ? null : JSON.stringify(verification.voided),
  ];
}

export function sealOf(row: Row): KeptSeal {
  return {
    attestationId: row['attestation_id'] as string,
    ref: row['ref'] as string,
    outcome: row['outcome'] as KeptSeal['outcome'],
    bodySha256: row['body_sha256'] as string,
    externalRef: row['external_ref'] as string | null,
    settlementRef: row['settlement_ref'] as string | null,
    evidence: row['evidence'] as string | null,
    answer: row['answer'] as string,
    atMs: row['at'] as number,
    seq: row['log_seq'] as number,
  };
}

export function sealRow(seal: KeptSeal): Cell[] {
  const { attestationId, ref, outcome, bodySha256, externalRef, settlementRef, evidence, answer, atMs, seq } = seal;
  return [attestationId, ref, outcome, bodySha256, externalRef, settlementRef, evidence, answer, atMs, seq];
}

export function approvalOf(row: Row): Approval {
  return {
    ref: row['ref'] as string,
    mandateId: row['mandate_id'] as string,
    payloadKey: row['payload_key'] as string,
    amount: row['amount'] as number,
    currency: row['currency'] as string,
    expiresAtMs: row['expires_at'] as number,
    usedBy: row['used_by'] as string | null,
  };
}

export function approvalRow({ ref, mandateId, payloadKey, amount, currency, expiresAtMs, usedBy }: Approval): Cell[] {
  return [ref, mandateId, payloadKey, amount, currency, expiresAtMs, usedBy];
}

export function answerOf(row: Row): KeptAnswer {
  return {
    keyHash: row['key_hash'] as string,
    bodySha256: row['body_sha256'] as string,
    answer: row['answer'] as string,
    expiresAtMs: row['expires_at'] as number,
  };
}

export function answerRow({ keyHash, bodySha256, answer, expiresAtMs }: KeptAnswer): Cell[] {
  return [keyHash, bodySha256, answer, expiresAtMs];
}
