// The service of bench/bom.ts, as a process of its own with one funded agent. Tells its parent address and key.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestService } from '../test/support/service.ts';
import { registeredAgent } from '../test/support/wallet.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'avouch-bench-'));
const service = await TestService.start({ dataDir });
const agent = await registeredAgent(service);
await agent.fund(1_000_000_000);
process.send?.({ url: service.url, key: agent.key });
process.once('disconnect', () => void service[Symbol.asyncDispose]());
