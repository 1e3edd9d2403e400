// The service as a package: one command in an empty folder, on the Node of the machine.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { addressIn, Packed, type Project } from './packed.ts';

const packed = await Packed.make(['server']);
const project = await packed.project('empty', ['@avouch/server']);
after(async () => {
  if (typeof project !== 'string') project[Symbol.dispose]();
  await packed[Symbol.asyncDispose]();
});

suite('the packed service', { skip: typeof project === 'string' && project }, () => {
  const outside = project as Project;

  test('serves a sandbox without any setting, with its pages, threads and packages', async () => {
    const child = spawn(join(outside.folder, 'node_modules/.bin/avouch-server'), [], {
      cwd: outside.folder,
      env: { ...outside.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await addressIn(child.stdout);
    const read = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).text();
    assert.match(await read('/api/v1/health'), /"status":"ok"/);
    assert.match(await read('/', { headers: { accept: 'text/html' } }), /<title>/);
    assert.match(await read('/docs/quickstart', { headers: { accept: 'text/html' } }), /<h1/);
    assert.match(await read('/api/astralock/audit'), /"ok":true/);
    const claim = { key: 'acme/server#1', agent: 'a7', mode: 'exclusive' };
    const headers = { 'content-type': 'application/json' };
    assert.match(await read('/v1/claim', { method: 'POST', headers, body: JSON.stringify(claim) }), /"fence":\d+/);
    const owner = JSON.stringify({ name: 'buyer-7', owner_email: 'ops@example.org' });
    const registered = await read('/api/agents/register', { method: 'POST', headers, body: owner });
    const { agent_key: key } = JSON.parse(registered) as { agent_key: string };
    for (const [path, body] of [
      ['/api/agents/wallet/topup', { tier: 'starter' }],
      ['/capabilities/execute', { capability: 'text.language', input: { text: 'Guten Morgen' } }],
    ] as const) {
      const ofAgent = { ...headers, 'x-agent-key': key };
      const text = await read(path, { method: 'POST', headers: ofAgent, body: JSON.stringify(body) });
      assert.match(text, /"code":"not_installed"/, path);
      assert.match(text, /npm i \w+@\d/, path);
    }
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  test('has the commands of operators', async () => {
    const { stdout } = await outside.run('node_modules/.bin/avouch-server', '--help');
    assert.match(stdout, /^Usage: npx @avouch\/server <command> /m);
    assert.match(stdout, /^ {2}doctor /m);
    assert.match(stdout, /^ {2}backup /m);
    assert.match(
      (await outside.run('node_modules/.bin/avouch-server', '--version')).stdout,
      /^Avouch \d+\.\d+\.\d+\n$/,
    );
    const address = ['--base-url', 'https://avouch.example', '--contact', 'mailto:ops@avouch.example'];
    const made = await outside.run('node_modules/.bin/avouch-server', 'init', 'etc', ...address);
    assert.match(made.stdout, /settings\.env; npx @avouch\/server doctor'/);
  });
});
