import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'node:test';
import { chainForTest, KINDS, payer } from './_chain.ts';
import { callRpc } from './rpc-client.ts';
import { startSandboxChain } from './sandbox-chain.ts';
import { SandboxMoney } from './sandbox-money.ts';

const skip = KINDS.includes('anvil') ? false : 'there is no anvil on this machine';

test('anvil is chosen where it is, and the embedded chain elsewhere', async () => {
  await using chain = await chainForTest({ kind: undefined });
  assert.equal(chain.kind, KINDS.at(-1));
});

test('asking for anvil where there is none says what to do', { skip: skip === false }, async () => {
  await assert.rejects(chainForTest({ kind: 'anvil' }), /install Foundry/);
});

test('an anvil that is stopped and started again has its balances and its name', { skip }, async () => {
  await using chain = await chainForTest({ kind: 'anvil' });
  await new SandboxMoney(chain.rpcUrl).mint(payer.address, 77n);
  await chain.close();
  await using again = await startSandboxChain({ directory: chain.directory, kind: 'anvil' });
  assert.equal(again.chainInstance, chain.chainInstance);
  assert.equal(await new SandboxMoney(again.rpcUrl).balance(payer.address), 77n);
});

test('anvil ends with a process that was killed, and has saved its state', { skip }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'avouch-anvil-'));
  try {
    const child = spawn(process.execPath, [new URL('_child-anvil.ts', import.meta.url).pathname, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    child.kill('SIGKILL');
    const url = line.toString().trim();
    while (await callRpc(url, 'eth_chainId', []).catch(() => undefined)) await pause(50);
    await using chain = await startSandboxChain({ directory, kind: 'anvil' });
    assert.equal(await new SandboxMoney(chain.rpcUrl).balance(payer.address), 5n);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
