// Commands with everything that the caller did not say filled in, for the tests of this area.
import { newCommandId, newLeaseSalt, newToken, tokenHash } from '#kernel/ids.ts';
import type { ClaimCommand, MarkCommand, RefreshCommand, ReleaseCommand } from './state.ts';

export function claimCommand(given: Partial<ClaimCommand> & { token?: string }): ClaimCommand {
  const { token, ...fields } = given;
  return {
    type: 'claim',
    commandId: newCommandId(),
    key: 'k',
    publicVenue: false,
    agent: 'a1',
    mode: 'shared',
    ttlMs: 600_000,
    intent: null,
    onceIntent: 'once-k',
    hops: null,
    slots: null,
    brief: null,
    addressTag: 'tag',
    leaseSalt: newLeaseSalt(),
    newTokenHash: tokenHash(newToken()),
    givenTokenHash: token === undefined ? null : tokenHash(token),
    hasEvidence: false,
    queues: false,
    proof: token === undefined ? 'tag' : tokenHash(token),
    attempt: 0,
    identity: null,
    ...fields,
  };
}

export function refreshCommand(
  given: Pick<RefreshCommand, 'leaseId'> & Partial<RefreshCommand> & { token: string },
): RefreshCommand {
  const { token, ...fields } = given;
  return {
    type: 'refresh',
    commandId: newCommandId(),
    key: 'k',
    ttlMs: 600_000,
    tokenHash: tokenHash(token),
    hasEvidence: false,
    ...fields,
  };
}

function secrets() {
  return { commandId: newCommandId(), sandbox: true, seed: newToken(), nonce: newCommandId() };
}

export function releaseCommand(
  given: Pick<ReleaseCommand, 'leaseId'> & Partial<ReleaseCommand> & { token: string },
): ReleaseCommand {
  const { token, ...fields } = given;
  const said = { key: 'k', note: null, evidence: null, addressTag: 'tag', identity: null };
  const mark = { ...said, seed: newToken(), nonce: newCommandId() };
  return {
    type: 'release',
    ...secrets(),
    tokenHash: tokenHash(token),
    outcome: null,
    mark: given.outcome === undefined || given.outcome === null ? null : mark,
    ruleRefused: false,
    ...fields,
  };
}

export function markCommand(given: Partial<MarkCommand>): MarkCommand {
  return {
    type: 'mark',
    ...secrets(),
    key: 'k',
    kind: 'done',
    agent: 'a1',
    note: null,
    evidence: null,
    addressTag: 'tag',
    proof: null,
    identity: null,
    ...given,
  };
}
