// A claim in etcd over its HTTP gateway: grant a lease, then a transaction that puts the key if it does not exist.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

type Post = (path: string, body: unknown) => Promise<Record<string, unknown>>;

export interface EtcdPeer {
  claim(key: string): Promise<void>;
  /** The same over a connection of one's own, and then the lease revoked, which deletes the key. */
  claimAndRelease(key: string, post: Post): Promise<void>;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Undefined where etcd is not installed. */
export async function startEtcd(port: number): Promise<EtcdPeer | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-etcd-'));
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${port + 1}`;
  const args = ['--data-dir', dir, '--listen-client-urls', client, '--advertise-client-urls', client];
  args.push('--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`);
  // Debian's etcd refuses to run on arm64 without this acknowledgement.
  const env = { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch };
  const server = spawn('etcd', args, { stdio: 'ignore', env });
  const failed = once(server, 'error').then(() => true);
  if ((await Promise.race([failed, sleep(2_500)])) === true) return undefined;
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const shared: Post = (path, body) => postJson(agent, port, path, body);
  const claim = async (key: string, post: Post): Promise<unknown> => {
    const lease = await post('/v3/lease/grant', { TTL: 600 });
    const name = Buffer.from(key).toString('base64');
    const put = { key: name, value: 'dG9rZW4=', lease: lease['ID'] };
    const answer = await post('/v3/kv/txn', {
      compare: [{ key: name, target: 'CREATE', result: 'EQUAL', create_revision: '0' }],
      success: [{ request_put: put }],
    });
    if (answer['succeeded'] !== true) throw new Error(`etcd answered ${JSON.stringify(answer)}`);
    return lease['ID'];
  };
  return {
    async claim(key) {
      await claim(key, shared);
    },
    pid: server.pid ?? 0,
    async claimAndRelease(key, post) {
      const revoked = await post('/v3/lease/revoke', { ID: await claim(key, post) });
      if (revoked['header'] === undefined) throw new Error(`etcd answered ${JSON.stringify(revoked)}`);
    },
    async stop() {
      agent.destroy();
      server.kill();
      await once(server, 'exit');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function postJson(agent: Agent, port: number, path: string, body: unknown): Promise<Record<string, unknown>> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const call = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (answer) => {
      let received = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        received += chunk;
      });
      answer.on('end', () => resolve(JSON.parse(received) as Record<string, unknown>));
    });
    call.on('error', reject);
    call.end(text);
  });
}
