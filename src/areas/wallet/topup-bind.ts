import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import { getTopUp, stripeWebhook, topUpReturn, topUpWallet } from './topup-operations.ts';
import type { TopUps } from './topup-service.ts';

export const TOPUP_OPERATIONS = [topUpWallet, getTopUp, topUpReturn, stripeWebhook];

export function bindTopUps(topUps: TopUps): BoundOperation[] {
  return [
    bind(topUpWallet, (input) => topUps.create(input)),
    bind(getTopUp, (input) => topUps.read(input)),
    bind(topUpReturn, (input) => topUps.returned(input)),
    bind(stripeWebhook, (input) => topUps.webhook(input)),
  ];
}
