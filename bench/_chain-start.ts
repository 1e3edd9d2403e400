// Starts the sandbox chain of a directory and tells how long that took: `node bench/_chain-start.ts <directory> [mints]`.
// With a number, mints so often afterwards: the next start has that much to make again. Compiled code is kept, as the
// service keeps it.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)));
const directory = process.argv[2] ?? '';
const mints = Number(process.argv[3] ?? 0);
const [startMs, startCpu] = [performance.now(), process.cpuUsage()];
const { startSandboxChain } = await import('../src/sandbox/chain/sandbox-chain.ts');
const { callRpc } = await import('../src/sandbox/chain/rpc-client.ts');
await using chain = await startSandboxChain({ directory });
await callRpc(chain.rpcUrl, 'eth_blockNumber', []);
const { user, system } = process.cpuUsage(startCpu);
process.stdout.write(JSON.stringify({ readyMs: performance.now() - startMs, cpuMs: (user + system) / 1_000 }));

const { SandboxMoney } = await import('../src/sandbox/chain/sandbox-money.ts');
const money = new SandboxMoney(chain.rpcUrl);
const everybody = Array.from({ length: mints }, (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}` as const);
await Promise.all(everybody.map((account) => money.mint(account, 1n)));
