// One server of bench/seal.ts, as a process of its own: `node bench/_seal-server.ts bare|service`.
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#platform/config/config.ts';
import { rateSetting } from '#platform/config/env.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { RATE_CLASSES } from '#kernel/operation.ts';
import { startService } from '../src/service.ts';

async function bare(): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

async function service(): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'avouch-bench-'));
  process.on('disconnect', () => rmSync(dataDir, { recursive: true, force: true }));
  const rates = Object.fromEntries(RATE_CLASSES.map((name) => [rateSetting(name), '1000000/s,1000000']));
  const config = readConfig({ ...rates, DATA_DIR: dataDir, PORT: '0', AVOUCH_LOG_LEVEL: 'error' });
  const { url } = await startService({ config, secrets: readSecrets(config) });
  return Number(new URL(url).port);
}

process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
const port = await (process.argv[2] === 'bare' ? bare() : service());
process.on('disconnect', () => process.exit());
process.send?.({ port });
