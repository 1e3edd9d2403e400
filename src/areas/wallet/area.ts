import { join } from 'node:path';
import { AGENT_KEY_HEADER, suspended } from '#kernel/api-key.ts';
import { on, type OpenArea } from '#kernel/area.ts';
import type { Job } from '#kernel/job.ts';
import { notInstalled } from '#kernel/general-problems.ts';
import { installCommand, missingPackages } from '#platform/config/packages.ts';
import { Refusal } from '#kernel/problem.ts';
import { hashOfAgentKey } from '#platform/ledger/caller.ts';
import { MINIMUM_CHARGE_EUR, PLATFORM_FEE_PCT } from '#platform/ledger/steps.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { getAgent, registerAgent, revokeAgentKey, rotateAgentKey } from './agents/agent-operations.ts';
import { Agents } from './agents/agents.ts';
import { PROCESSOR_TIMEOUT_MS, StripeProcessor } from './outside/stripe.ts';
import { TIERS } from './topup/tiers.ts';
import { CARD_SUMS } from './topup/topup-sql.ts';
import { cardAccess } from './topup/topup-access.ts';
import { TopUpJob } from './topup/topup-job.ts';
import { getTopUp, stripeWebhook, topUpReturn, topUpWallet } from './topup/topup-operations.ts';
import { TopUps, type TopUpsOptions } from './topup/topup-service.ts';
import { getWallet, getWalletLedger } from './wallet-operations.ts';
import { Wallets } from './wallets.ts';

export interface OpenWallet extends OpenArea {
  readonly agents: Agents;
  readonly wallets: Wallets;
  readonly topUps: TopUps;
  readonly jobs: readonly Job[];
}

/** Who is signed in to the dashboard. */
export type WalletNeeds = Pick<TopUpsOptions, 'visitorOf'>;

export const walletArea = {
  name: 'wallet',
  services: 'all',
  open: openWallet,
  operations: [
    on(registerAgent, ({ agents }, input, call) => agents.register(input, call)),
    on(getAgent, ({ agents }, input) => agents.view(input)),
    on(rotateAgentKey, ({ agents }, input) => agents.rotateKey(input)),
    on(revokeAgentKey, ({ agents }, input) => agents.revokeKey(input)),
    on(getWallet, ({ wallets }, input) => wallets.view(input)),
    on(getWalletLedger, ({ wallets }, input, call) => wallets.ledger(input, call)),
    on(topUpWallet, ({ topUps }, input) => topUps.create(input)),
    on(getTopUp, ({ topUps }, input) => topUps.read(input)),
    on(topUpReturn, ({ topUps }, input, call) => topUps.returned(input, call)),
    on(stripeWebhook, ({ topUps }, input) => topUps.webhook(input)),
  ],
  published: {
    terms: () => ({
      currency: 'EUR',
      tiers: TIERS,
      minimum_charge_eur: Number(MINIMUM_CHARGE_EUR),
      platform_fee_pct: PLATFORM_FEE_PCT,
      no_subsidies: true,
    }),
  },
  ledgerChecks: CARD_SUMS,
} satisfies PlatformArea<OpenWallet, WalletNeeds>;

/** Agents, their wallets, and card top-ups by Stripe or its simulator, which are spoken to in the same way. */
function openWallet(platform: Platform, { visitorOf }: WalletNeeds): OpenWallet {
  const { config, store, clock, logger, sandbox, rules, ruleFlags, serverSecret, simulators, baseUrl, patience } =
    platform;
  const agents = new Agents({
    store,
    clock,
    keySecret: serverSecret.hasher('agent-key'),
    refuseName: (field, name) => rules.ofName(field, name),
    contact: config.operator.contact,
    rules: ruleFlags,
  });
  const warn = (message: string, fields: Readonly<Record<string, string>>) => logger.warn(message, fields);
  const access = cardAccess(config, serverSecret, simulators?.cards && simulators.url);
  const timeoutMs = patience * PROCESSOR_TIMEOUT_MS;
  const isInstalled = missingPackages('cards').length === 0;
  const topUps = new TopUps({
    store,
    clock,
    callers: agents,
    processor: isInstalled ? access && new StripeProcessor({ ...access, nowMs: () => clock.now(), timeoutMs }) : null,
    ...(access !== null && !isInstalled && { notInstalled: cardsNotInstalled() }),
    baseUrl,
    visitorOf,
    warn,
    patience,
  });
  const job = new TopUpJob({ topUps, clock, warn });
  return {
    agents,
    wallets: new Wallets({ store, clock, agents, openTopups: (agentId) => topUps.openOf(agentId), sandbox }),
    topUps,
    jobs: [{ name: 'topups', everyMs: 1_000, ownTimer: true, run: () => job.run(), stop: () => job.stop() }],
    keyJudge: {
      access: 'agent',
      header: AGENT_KEY_HEADER,
      refuseForm(key) {
        const hash = hashOfAgentKey(key);
        return hash instanceof Refusal ? hash : undefined;
      },
      async refuse(key, { problems }) {
        // Some calls are open to a suspended agent too.
        const caller = await (problems.includes(suspended) ? agents.authenticate(key) : agents.recognise(key));
        return caller instanceof Refusal ? caller : undefined;
      },
    },
    // From now on the simulator sends its webhooks there.
    onListening(listening) {
      if (access === null || config.topUp.by !== 'standin') return;
      const webhook = { url: `${listening}/api/webhooks/stripe`, secret: access.webhookSecret(), patience };
      simulators?.cards?.connect({ baseUrl: baseUrl(), webhook, file: join(config.dataDir, 'card-processor.json') });
    },
  };
}

function cardsNotInstalled(): Refusal {
  const detail = `Card payments need a package that is not installed. The operator can install it with ${installCommand('cards')}. Nothing was charged.`;
  return new Refusal(notInstalled, { detail, retryAfterSeconds: 3_600 });
}
