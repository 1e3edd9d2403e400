// Commands with everything that the caller did not say filled in, for the tests of this area.
import { newCommandId, newLeaseSalt, newToken, tokenHash } from '#kernel/ids.ts';
import type { ClaimCommand, RefreshCommand, ReleaseCommand } from './state.ts';

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
    addressTag: 'tag',
    leaseSalt: newLeaseSalt(),
    newTokenHash: tokenHash(newToken()),
    givenTokenHash: token === undefined ? null : tokenHash(token),
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
    ...fields,
  };
}

export function releaseCommand({
  token,
  leaseId,
}: Pick<ReleaseCommand, 'leaseId'> & { token: string }): ReleaseCommand {
  const secrets = { seed: newToken(), nonce: newCommandId() };
  return {
    type: 'release',
    commandId: newCommandId(),
    leaseId,
    tokenHash: tokenHash(token),
    sandbox: true,
    ...secrets,
  };
}
