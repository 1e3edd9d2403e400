// The service on a clock that is ahead: node test/chaos/child.ts <ms>. What a killed process had begun is then taken over at once.
import { readConfig } from '#config/config.ts';
import { readSecrets } from '#config/secrets.ts';
import { startService } from '../../src/context.ts';

const aheadMs = Number(process.argv[2]);
const config = readConfig(process.env);
const clock = { now: () => Date.now() + aheadMs, monotonicMs: () => performance.now() };
const service = await startService({ config, secrets: readSecrets(config), clock, opensSettlement: true });
process.stdout.write(`listens on ${service.listening}\n`);
process.once('SIGTERM', () => void service[Symbol.asyncDispose]());
