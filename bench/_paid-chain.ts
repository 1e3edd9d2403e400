// The chain of bench/paid.ts, as a process of its own: `node bench/_paid-chain.ts [milliseconds per block]`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandboxChain } from '../src/sandbox/chain/sandbox-chain.ts';

const directory = mkdtempSync(join(tmpdir(), 'avouch-bench-chain-'));
process.on('disconnect', () => {
  rmSync(directory, { recursive: true, force: true });
  process.exit();
});
const blockTimeMs = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
const { rpcUrl } = await startSandboxChain({ directory, blockTimeMs, cutAfter: Infinity });
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.send?.({ rpcUrl });
