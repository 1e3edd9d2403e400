// A chain in a process of its own, to be killed: prints each hash after its receipt was seen.
import { payer } from './_chain.ts';
import { startSandboxChain } from './sandbox-chain.ts';
import { SandboxMoney } from './sandbox-money.ts';

const directory = process.argv[2] as string;
const chain = await startSandboxChain({ directory });
const money = new SandboxMoney(chain.rpcUrl);
for (;;) process.stdout.write(`${await money.mint(payer.address, 1n)}\n`);
