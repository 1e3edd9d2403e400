import { join } from 'node:path';
import { type OpenArea, on } from '#kernel/area.ts';
import type { Job } from '#kernel/job.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { getAgent, register, revokeKey, rotateKey } from './agent-operations.ts';
import { Agents, type AgentsOptions } from './agents.ts';
import { StripeProcessor, TIMEOUT_MS } from './outside/stripe.ts';
import { cardAccess } from './topup-access.ts';
import { TopUpJob } from './topup-job.ts';
import { getTopUp, stripeWebhook, topUpReturn, topUpWallet } from './topup-operations.ts';
import { TopUps } from './topup-service.ts';
import { getWallet, getWalletLedger } from './wallet-operations.ts';
import { Wallets } from './wallets.ts';

export interface WalletNeeds {
  /** What the usage rules watch of agents. */
  readonly watch: AgentsOptions['rules'];
}

export interface OpenWallet extends OpenArea {
  readonly agents: Agents;
  readonly wallets: Wallets;
  readonly topUps: TopUps;
  readonly jobs: readonly Job[];
  /** Called when the public address is known: from then on the stand-in sends its webhooks there. */
  connect(listening: string): void;
}

export const walletArea = {
  name: 'wallet',
  open: openWallet,
  operations: [
    on(register, ({ agents }, input, call) => agents.register(input, call)),
    on(getAgent, ({ agents }, input) => agents.view(input)),
    on(rotateKey, ({ agents }, input) => agents.rotateKey(input)),
    on(revokeKey, ({ agents }, input) => agents.revokeKey(input)),
    on(getWallet, ({ wallets }, input) => wallets.view(input)),
    on(getWalletLedger, ({ wallets }, input, call) => wallets.ledger(input, call)),
    on(topUpWallet, ({ topUps }, input) => topUps.create(input)),
    on(getTopUp, ({ topUps }, input) => topUps.read(input)),
    on(topUpReturn, ({ topUps }, input) => topUps.returned(input)),
    on(stripeWebhook, ({ topUps }, input) => topUps.webhook(input)),
  ],
} satisfies PlatformArea<OpenWallet, WalletNeeds>;

/** Agents, their wallets, and card top-ups by Stripe or its stand-in, which are spoken to in the same way. */
function openWallet(platform: Platform, { watch }: WalletNeeds): OpenWallet {
  const { config, store, clock, logger, sandbox, rules, serverSecret, standIns, baseUrl, patience } = platform;
  const agents = new Agents({
    store,
    clock,
    keySecret: serverSecret.hasher('agent-key'),
    refuseName: (field, name) => rules.ofName(field, name),
    contact: config.operator.contact,
    rules: watch,
  });
  const warn = (message: string, fields: Readonly<Record<string, string>>) => logger.warn(message, fields);
  const access = cardAccess(config, serverSecret, standIns?.cards && standIns.url);
  const processor =
    access && new StripeProcessor({ ...access, nowMs: () => clock.now(), timeoutMs: patience * TIMEOUT_MS });
  const topUps = new TopUps({ store, clock, callers: agents, processor, baseUrl, warn, patience });
  const job = new TopUpJob({ topUps, clock, warn });
  return {
    agents,
    wallets: new Wallets({ store, clock, agents, openTopups: (agentId) => topUps.openOf(agentId), sandbox }),
    topUps,
    jobs: [{ name: 'topups', everyMs: 1_000, ownTimer: true, run: () => job.run(), stop: () => job.stop() }],
    connect(listening) {
      if (access === null || config.topUp.by !== 'standin') return;
      const webhook = { url: `${listening}/api/webhooks/stripe`, secret: access.webhookSecret(), patience };
      standIns?.cards?.connect({ baseUrl: baseUrl(), webhook, file: join(config.dataDir, 'card-processor.json') });
    },
  };
}
