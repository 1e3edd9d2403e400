// One server of bench/look.ts and bench/crossing-watch.ts, as a process of its own: `node bench/_look-server.ts bare <answer>` sends one answer again
// and again, `node bench/_look-server.ts service <data directory>` is the whole service.
import { createServer } from 'node:http';
import { readConfig } from '#platform/config/config.ts';
import { rateSetting } from '#platform/config/env.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { RATE_CLASSES } from '#kernel/operation.ts';
import { startService } from '../src/service.ts';

async function bare(text: string): Promise<number> {
  const answer = JSON.parse(text) as unknown;
  const server = createServer((_request, response) => {
    const body = JSON.stringify(answer);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

/** Callers behind the named proxies say which address they come from. */
async function service(dataDir: string, proxies: string): Promise<number> {
  const rates = Object.fromEntries(RATE_CLASSES.map((name) => [rateSetting(name), '1000000/s,1000000']));
  const config = readConfig({
    ...rates,
    DATA_DIR: dataDir,
    PORT: '0',
    AVOUCH_LOG_LEVEL: 'error',
    AVOUCH_TRUSTED_PROXIES: proxies,
  });
  const { url } = await startService({ config, secrets: readSecrets(config) });
  return Number(new URL(url).port);
}

const [, , variant, given = '', proxies = ''] = process.argv;
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
process.send?.({ port: await (variant === 'bare' ? bare(given) : service(given, proxies)) });
