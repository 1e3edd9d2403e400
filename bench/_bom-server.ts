// The service of bench/bom.ts, as a process of its own with one funded agent. Tells its parent address and key.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestService } from '../test/support/service.ts';
import { registeredAgent } from '../test/support/wallet.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'avouch-bench-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const service = await TestService.start({ dataDir });
const agent = await registeredAgent(service);
await agent.fund(1_000_000_000);
process.send?.({ url: service.url, key: agent.key });
process.once('disconnect', () => void service[Symbol.asyncDispose]());
