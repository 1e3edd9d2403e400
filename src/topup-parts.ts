import { join } from 'node:path';
import { StripeProcessor, TIMEOUT_MS } from '#areas/wallet/outside/stripe.ts';
import { TopUpJob } from '#areas/wallet/topup-job.ts';
import { TopUps, type TopUpsOptions } from '#areas/wallet/topup-service.ts';
import type { Config } from '#config/config.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ServerSecret } from '#keys/server-secret.ts';
import type { CardProcessor } from '#sandbox/card-processor/card-processor.ts';
import type { Store } from '#storage/store.ts';
import type { Job } from '#kernel/job.ts';
import type { Logger } from '#platform/logger.ts';

export interface TopUpParts {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly serverSecret: ServerSecret;
  readonly callers: TopUpsOptions['callers'];
  readonly baseUrl: () => string;
  /** Of the sandbox, with its address; undefined in production. */
  readonly standIn: { readonly url: string; readonly cards?: CardProcessor } | undefined;
  /** How many times longer than usual others may take. */
  readonly patience?: number;
}

export interface OpenTopUps {
  readonly topUps: TopUps;
  readonly job: Job;
  /** Called when the public address is known: from then on the stand-in sends its webhooks there. */
  connect(listening: string): void;
}

/** Card top-ups by Stripe or, in the sandbox, by its stand-in; both are spoken to in the same way. */
export function openTopUps(parts: TopUpParts): OpenTopUps {
  const { config, store, clock, logger, serverSecret, callers, baseUrl, standIn, patience = 1 } = parts;
  const warn = (message: string, fields: Readonly<Record<string, string>>) => logger.warn(message, fields);
  const access = accessOf(config, serverSecret, standIn?.cards && standIn.url);
  const processor =
    access && new StripeProcessor({ ...access, nowMs: () => clock.now(), timeoutMs: patience * TIMEOUT_MS });
  const topUps = new TopUps({ store, clock, callers, processor, baseUrl, warn, patience });
  const job = new TopUpJob({ topUps, clock, warn });
  return {
    topUps,
    job: { name: 'topups', everyMs: 1_000, ownTimer: true, run: () => job.run(), stop: () => job.stop() },
    connect(listening) {
      if (access === null || config.topUp.by !== 'standin') return;
      const webhook = { url: `${listening}/api/webhooks/stripe`, secret: access.webhookSecret(), patience };
      standIn?.cards?.connect({ baseUrl: baseUrl(), webhook, file: join(config.dataDir, 'card-processor.json') });
    },
  };
}

interface Access {
  readonly secretKey: () => string;
  readonly webhookSecret: () => string;
  readonly baseUrl: string;
}

function accessOf({ topUp }: Config, secret: ServerSecret, standInUrl: string | undefined): Access | null {
  if (topUp.by === 'stripe') {
    const { secretKey, webhookSecret, baseUrl } = topUp;
    return { secretKey: () => secretKey.reveal(), webhookSecret: () => webhookSecret.reveal(), baseUrl };
  }
  if (topUp.by === 'off' || standInUrl === undefined) return null;
  const made = secret.hasher('card-stand-in');
  return {
    secretKey: () => `sk_test_${made('key').slice(0, 32)}`,
    webhookSecret: () => topUp.webhookSecret?.reveal() ?? `whsec_${made('webhook').slice(0, 32)}`,
    baseUrl: standInUrl,
  };
}
