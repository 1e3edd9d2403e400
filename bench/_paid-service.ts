// The service of bench/paid.ts, as a process of its own beside its chain: `node bench/_paid-service.ts <rpc url>`.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#platform/config/config.ts';
import { rateSetting } from '#platform/config/env.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { systemClock } from '#kernel/clock.ts';
import { RATE_CLASSES } from '#kernel/operation.ts';
import type { SettlementBackend } from '#platform/payments/settlement.ts';
import { startService } from '../src/service.ts';
import { openChainSettlement } from '#sandbox/chain/open-chain-settlement.ts';
import { CHAIN_FOLDER, publishChainUrl } from '../src/sandbox/chain-place.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'avouch-bench-'));
process.on('disconnect', () => {
  rmSync(dataDir, { recursive: true, force: true });
  process.exit();
});
mkdirSync(join(dataDir, CHAIN_FOLDER), { mode: 0o700 });
publishChainUrl(join(dataDir, CHAIN_FOLDER), process.argv[2] ?? '');

/** Settles in the service's own store, which is there only when the service has started. */
const opened = Promise.withResolvers<SettlementBackend>();
const settlement: SettlementBackend = {
  name: 'chain',
  payerFacts: async (authorization) => (await opened.promise).payerFacts(authorization),
  settle: async (payment) => (await opened.promise).settle(payment),
  reconcile: async (payment) => (await opened.promise).reconcile(payment),
  status: () => ({ state: 'up', detail: null }),
  async [Symbol.asyncDispose]() {},
};

const rates = Object.fromEntries(RATE_CLASSES.map((name) => [rateSetting(name), '1000000/s,1000000']));
const config = readConfig({ ...rates, DATA_DIR: dataDir, PORT: '0', AVOUCH_LOG_LEVEL: 'error' });
const secrets = readSecrets(config);
const { store, url } = await startService({ config, secrets, settlement });
const { backend, reason } = await openChainSettlement({
  config,
  secrets,
  store,
  clock: systemClock(),
  runsChain: false,
});
if (backend === null) throw new Error(reason ?? 'no chain');
opened.resolve(backend);
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.send?.({ port: Number(new URL(url).port) });
