// A claim in Redis with `appendfsync always`: SET NX PX, a fence by INCR and a stream entry, in one Lua script.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const CLAIM = `
local ok = redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
if not ok then return 0 end
local fence = redis.call('INCR', 'fence')
redis.call('XADD', 'log', '*', 'key', KEYS[1], 'fence', fence)
return fence`;

/** One connection; answers arrive in the order of the requests. */
class RedisConnection {
  readonly #socket: Socket;
  readonly #waiting: ((line: string) => void)[] = [];
  #pending = '';

  constructor(port: number) {
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.#socket.setEncoding('latin1').on('data', (text) => this.#take(String(text)));
  }

  send(...words: readonly string[]): Promise<string> {
    const body = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('');
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#socket.write(`*${words.length}\r\n${body}`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#pending += text;
    for (let end = this.#pending.indexOf('\r\n'); end !== -1; end = this.#pending.indexOf('\r\n')) {
      const line = this.#pending.slice(0, end);
      this.#pending = this.#pending.slice(end + 2);
      // Bulk answers bring a length line first; only SCRIPT LOAD has one here.
      if (!line.startsWith('$')) this.#waiting.shift()?.(line);
    }
  }
}

export interface RedisPeer {
  claim(caller: number, key: string): Promise<void>;
  stop(): Promise<void>;
}

/** Undefined where redis-server is not installed. */
export async function startRedis(port: number, callers: number): Promise<RedisPeer | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'yes'];
  const server = spawn('redis-server', [...args, '--appendfsync', 'always', '--daemonize', 'no'], { stdio: 'ignore' });
  const failed = once(server, 'error').then(() => true);
  if ((await Promise.race([failed, sleep(700)])) === true) {
    await rm(dir, { recursive: true });
    return undefined;
  }
  const connections = Array.from({ length: callers }, () => new RedisConnection(port));
  const sha = await (connections[0] as RedisConnection).send('SCRIPT', 'LOAD', CLAIM);
  return {
    async claim(caller, key) {
      const answer = await (connections[caller] as RedisConnection).send('EVALSHA', sha, '1', key, 'token', '600000');
      if (!/^:[1-9]/.test(answer)) throw new Error(`redis answered ${answer}`);
    },
    async stop() {
      for (const connection of connections) connection.close();
      server.kill();
      await once(server, 'exit');
      await rm(dir, { recursive: true, force: true });
    },
  };
}
