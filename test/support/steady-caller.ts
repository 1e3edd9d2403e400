// An honest caller in a process of its own: claims, looks or both at a steady rate, each from an address of its own.
// Tells its parent how long each took from the moment at which it was due, and what was not answered with 200.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [url = '', perSecond = '50', ...kinds] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let times: number[] = [];
let refused: string[] = [];

process.on('message', () => {
  process.send?.({ times, refused });
  [times, refused] = [[], []];
});
process.on('disconnect', () => process.exit());

function send(kind: string, n: number, dueMs: number): void {
  const path = kind === 'claim' ? `/v1/claim?key=beside-${n}&agent=honest` : `/v1/look?key=beside-${n}&agent=honest`;
  const headers = { 'x-forwarded-for': `10.9.${(n >> 8) & 255}.${n & 255}` };
  const call = request(url + path, { agent, headers }, (answer) => {
    answer.resume().on('end', () => {
      times.push(performance.now() - dueMs);
      if (answer.statusCode !== 200) refused.push(`${kind} ${answer.statusCode}`);
    });
  });
  call.on('error', (error) => refused.push(`${kind} ${error.message}`));
  call.end();
}

const startedMs = performance.now();
for (let n = 0; ; n += 1) {
  const dueMs = startedMs + (n * 1_000) / Number(perSecond);
  await sleep(Math.max(0, dueMs - performance.now()));
  for (const kind of kinds) send(kind, n, Math.max(dueMs, startedMs));
}
