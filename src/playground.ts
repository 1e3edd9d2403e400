import { spendFuse } from '#areas/audits/paid-operations.ts';
import { check } from '#areas/audits/operations.ts';
import { seal } from '#areas/attestation/operations.ts';
import { verify } from '#areas/attestation/verify-operations.ts';
import { lintBrief } from '#areas/briefs/operations.ts';
import { look } from '#areas/crossing/look-operations.ts';
import { mark } from '#areas/crossing/mark-operation.ts';
import { claim, release } from '#areas/crossing/operations.ts';
import type { Config } from '#platform/config/config.ts';
import type { Clock } from '#kernel/clock.ts';
import { playgroundRows } from '#areas/playground/operations.ts';
import { PlaygroundDesk, type PlaygroundOptions, type SandboxBuyer } from '#areas/playground/service.ts';
import type { Operation } from '#kernel/operation.ts';
import { problemDocument } from '#transport/http/problem-response.ts';
import type { LateSettlement } from './late-settlement.ts';

/** What can be tried on the page. */
const TRIED = [
  ...[look, claim, release, mark, check, spendFuse],
  ...[lintBrief, seal, verify],
] as unknown as readonly Operation[];

export const PLAYGROUND = playgroundRows(TRIED);

export function openPlayground(parts: Pick<PlaygroundOptions, 'bound' | 'baseUrl' | 'buyer'>): PlaygroundDesk {
  return new PlaygroundDesk({
    ...parts,
    rows: PLAYGROUND,
    tried: TRIED,
    problemDocument: (refusal, instance) => problemDocument(refusal, parts.baseUrl(), instance),
  });
}

/** Pays what the form asks for, once there is a chain of test money. */
export function sandboxBuyer(
  config: Config,
  clock: Pick<Clock, 'now'>,
  late: LateSettlement | undefined,
): SandboxBuyer {
  return async (challenge) => {
    if (config.profile !== 'sandbox' || late === undefined) throw new Error('only the chain of a sandbox has a buyer');
    await late.opened();
    // Loaded only when it is used: production has no buyer.
    const { ensureBuyerKey, payWithTestMoney } = await import('./sandbox/chain/buyer.ts');
    const key = ensureBuyerKey(config.dataDir);
    return { payment: await payWithTestMoney(challenge, key, clock.now()), from: key.address };
  };
}
