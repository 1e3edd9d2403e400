// Keeps connections busy with one request at a time, from a generator that never sleeps.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

export interface BenchServer {
  readonly child: ChildProcess;
  readonly port: number;
}

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly windowMs: number;
  /** Sent again and again, or what is sent next; undefined when there is no more. */
  readonly request: Uint8Array | (() => Uint8Array | undefined);
  /** The status of every answer; 200 or 201 unless said otherwise. */
  readonly status?: number;
  /** False leaves the processor to the other processes of the run. */
  readonly spins?: boolean;
  /** How long a connection rests after each answer, on average. */
  readonly restMs?: number;
}

/** Asks a child that answers `cpu` for its CPU time so far. */
export async function cpuMicros({ child }: BenchServer): Promise<number> {
  const answer = once(child, 'message') as Promise<[{ cpu: NodeJS.CpuUsage }]>;
  child.send('cpu');
  const [{ cpu }] = await answer;
  return cpu.user + cpu.system;
}

/** Gives the time of each answer in milliseconds. */
export async function load({ port, connections, windowMs, restMs = 0, ...options }: Load): Promise<number[]> {
  const { request, status, spins = restMs === 0 } = options;
  const next = typeof request === 'function' ? request : () => request;
  const latencies: number[] = [];
  const endMs = performance.now() + windowMs;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      let expected = 0;
      let received = 0;
      let tail = Buffer.alloc(0);
      let sentMs = 0;
      const send = () => {
        sentMs = performance.now();
        const bytes = sentMs < endMs ? next() : undefined;
        if (bytes === undefined) socket.destroy();
        else socket.write(bytes);
      };
      socket.on('connect', () => (restMs === 0 ? send() : setTimeout(send, Math.random() * restMs)));
      socket.on('error', reject);
      socket.on('data', (chunk: Buffer) => {
        if (expected === 0) expected = answerLength(chunk, status);
        received += chunk.length;
        tail = Buffer.concat([tail, chunk]).subarray(-LAST_CHUNK.length);
        if (expected === CHUNKED ? !tail.equals(LAST_CHUNK) : received < expected) return;
        latencies.push(performance.now() - sentMs);
        received = 0;
        expected = 0;
        if (restMs === 0) send();
        else setTimeout(send, Math.random() * 2 * restMs);
      });
      socket.on('close', () => resolve());
    });
  // Otherwise each answer of a slower server would also pay for waking the generator.
  const spin = () => void (performance.now() < endMs && setImmediate(spin));
  if (spins) spin();
  await Promise.all(Array.from({ length: connections }, one));
  return latencies;
}

/** In the place of a length. */
const CHUNKED = Number.POSITIVE_INFINITY;
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

function answerLength(chunk: Buffer, status: number | undefined): number {
  const bodyAt = chunk.indexOf('\r\n\r\n') + 4;
  const head = chunk.toString('latin1', 0, bodyAt);
  const found = Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]);
  if (status === undefined ? found !== 200 && found !== 201 : found !== status) throw new Error(chunk.toString());
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return length === undefined ? CHUNKED : bodyAt + Number(length);
}

export function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
