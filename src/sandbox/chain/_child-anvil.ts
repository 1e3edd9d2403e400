// An anvil under a process of its own, to be killed: mints and then prints where it listens.
import { setTimeout as pause } from 'node:timers/promises';
import { payer } from './_chain.ts';
import { startSandboxChain } from './sandbox-chain.ts';
import { SandboxMoney } from './sandbox-money.ts';

const directory = process.argv[2] as string;
const chain = await startSandboxChain({ directory, kind: 'anvil' });
await new SandboxMoney(chain.rpcUrl).mint(payer.address, 5n);
process.stdout.write(`${chain.rpcUrl}\n`);
await pause(600_000);
