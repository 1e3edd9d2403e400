import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { payer } from './_chain.ts';
import { callRpc } from './rpc-client.ts';
import { startSandboxChain } from './sandbox-chain.ts';
import { SandboxMoney } from './sandbox-money.ts';

const CHILD = new URL('_child-chain.ts', import.meta.url).pathname;

/** Lets a chain mint until so many receipts were seen, then kills it with no warning. */
async function killedAfter(receipts: number, directory: string): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const seen: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    seen.push(line);
    if (seen.length === receipts) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return seen;
}

test('a chain that was killed has everything that had been visible', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'avouch-killed-'));
  try {
    const seen: string[] = [];
    for (const receipts of [3, 17]) seen.push(...(await killedAfter(receipts, directory)));
    await using chain = await startSandboxChain({ directory });
    for (const hash of seen) {
      const receipt = await callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', [hash]);
      assert.equal((receipt as { status: string } | null)?.status, '0x1');
    }
    const balance = await new SandboxMoney(chain.rpcUrl).balance(payer.address);
    assert.ok(balance >= BigInt(seen.length) && balance <= BigInt(seen.length + 2), `${balance} for ${seen.length}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
