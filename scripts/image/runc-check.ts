import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rootManifest } from '../pack/checkout-files.ts';
import { USER } from './image-tree.ts';

/** A busy machine takes its time; later than this, the image hangs. */
const HUNG_MS = 120_000;

interface Bundle {
  process: { args: string[]; env: string[]; terminal: boolean; capabilities: object; noNewPrivileges: boolean };
  root: { readonly: boolean };
  mounts: { destination: string; type: string; source: string; options: string[] }[];
  linux: { namespaces: { type: string }[] };
}

export interface RuncCheck {
  readonly readyMs: number;
  readonly stoppedMs: number;
  readonly uid: number;
  readonly exitCode: number | null;
}

/** Runs an image of the layout as strictly as it is meant to run, until it is ready; throws where it is not. */
export async function checkUnderRunc(layout: string, folder: string): Promise<RuncCheck> {
  const bundle = join(folder, 'bundle');
  const port = await freePort();
  execFileSync('umoci', ['unpack', '--image', `${layout}:${rootManifest().version}`, bundle]);
  makeStrict(bundle, join(folder, 'data'), port);
  const id = `avouch-check-${process.pid}`;
  const state = ['--root', join(folder, 'runc')];
  const startedMs = performance.now();
  const child = spawn('runc', [...state, 'run', '--bundle', bundle, id], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  try {
    await untilReady(`http://127.0.0.1:${port}/readyz`, startedMs + HUNG_MS, () => child.exitCode === null);
    const readyMs = performance.now() - startedMs;
    await claimOne(`http://127.0.0.1:${port}/v1/claim`);
    execFileSync('runc', [...state, 'exec', id, 'node', 'bin/probe.mjs', 'readyz']);
    const { pid } = JSON.parse(execFileSync('runc', [...state, 'state', id], { encoding: 'utf8' })) as { pid: number };
    const uid = Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    const askedMs = performance.now();
    execFileSync('runc', [...state, 'kill', id, 'TERM']);
    const [exitCode] = await exited;
    const stoppedMs = performance.now() - askedMs;
    if (uid !== USER) throw new Error(`it runs as ${uid}`);
    if (exitCode !== 0) throw new Error(`SIGTERM ended it with ${exitCode}`);
    return { readyMs, stoppedMs, uid, exitCode };
  } catch (error) {
    throw new Error(`the image does not run: ${(error as Error).message}\n${said}`, { cause: error });
  } finally {
    if (child.exitCode === null) execFileSync('runc', [...state, 'delete', '--force', id]);
  }
}

/** A read-only root, no capability, no way to gain one; only data, cache and /tmp can be written. */
function makeStrict(bundle: string, data: string, port: number): void {
  const file = join(bundle, 'config.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as Bundle;
  mkdirSync(data);
  chownSync(data, USER, USER);
  const none = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] };
  const env = [...config.process.env, `PORT=${port}`, 'HOST=127.0.0.1'];
  Object.assign(config.process, { terminal: false, capabilities: none, noNewPrivileges: true, env });
  config.root.readonly = true;
  const own = ['/var/lib/avouch', '/var/cache/avouch', '/tmp'];
  const tmpfs = (destination: string) => ({
    destination,
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'nodev', `uid=${USER}`, 'mode=700', 'size=64m'],
  });
  config.mounts = [
    ...config.mounts.filter(({ destination }) => !own.includes(destination)),
    { destination: '/var/lib/avouch', type: 'bind', source: data, options: ['bind', 'rw', 'nosuid', 'nodev'] },
    tmpfs('/var/cache/avouch'),
    tmpfs('/tmp'),
  ];
  // In the network of this machine, where the check can reach it.
  config.linux.namespaces = config.linux.namespaces.filter(({ type }) => type !== 'network');
  writeFileSync(file, JSON.stringify(config));
}

async function untilReady(url: string, untilMs: number, isRunning: () => boolean): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.status === 200) return;
    if (!isRunning()) throw new Error('it ended before it was ready');
    if (performance.now() > untilMs) throw new Error(`not ready after ${HUNG_MS} ms`);
    await sleep(100);
  }
}

async function claimOne(url: string): Promise<void> {
  const body = JSON.stringify({ key: 'acme/image#1', agent: 'check', mode: 'exclusive' });
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!answer.ok) throw new Error(`a claim got ${answer.status}: ${await answer.text()}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
