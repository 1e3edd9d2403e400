// The service on a clock that runs fast and jumps: node test/chaos/crossing-child.ts <clock file> <start of the fast time>.
import { readFileSync } from 'node:fs';
import { HOUR_MS } from '#kernel/clock.ts';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { startService } from '../../src/service.ts';

const [file = '', startedMs = '0'] = process.argv.slice(2);
const SPEED = 20;
let jumpedMs = 0;
let wobbleMs = 0;
/** What the whole run has jumped forward, and for this process alone a second or two either way, or an hour back. */
const wobble = () => {
  jumpedMs = Math.max(jumpedMs, Number(readFileSync(file, 'utf8')) || 0);
  wobbleMs = Math.random() < 0.02 ? -HOUR_MS : Math.round(4_000 * Math.random() - 2_000);
};
wobble();
setInterval(wobble, 50).unref();

const start = Number(startedMs);
const now = () => Math.round(start + SPEED * (Date.now() - start)) + jumpedMs + wobbleMs;
const config = readConfig(process.env);
const clock = { now, monotonicMs: () => performance.now() };
const service = await startService({ config, secrets: readSecrets(config), clock });
process.stdout.write(`listens on ${service.listening}\n`);
process.once('SIGTERM', () => void service[Symbol.asyncDispose]());
