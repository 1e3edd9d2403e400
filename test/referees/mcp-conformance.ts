// The scenarios of the official conformance suite that a server of tools alone can meet: npm run mcp-conformance.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { TestService } from '../support/service.ts';
import { startFixtures } from './mcp-fixtures.ts';

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const OF_SERVICE = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];
/** They call tools of the suite's own. */
const OF_FIXTURES = [
  ...['simple-text', 'error', 'image', 'audio', 'embedded-resource', 'mixed-content'].map(
    (name) => `tools-call-${name}`,
  ),
];

async function run(url: string, scenario: string): Promise<boolean> {
  const args = [SUITE, 'server', '--url', `${url}/mcp/streamable`, '--scenario', scenario];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)));
  const [code] = (await once(child, 'close')) as [number | null];
  const passed = /Passed: (\d+)\/\1, 0 failed, 0 warnings/.exec(output);
  console.log(`${scenario}: ${passed?.[0] ?? output}`);
  return code === 0 && passed !== null && passed[1] !== '0';
}

await using service = await TestService.start();
await using fixtures = await startFixtures();
const results: boolean[] = [];
for (const scenario of OF_SERVICE) results.push(await run(service.url, scenario));
for (const scenario of OF_FIXTURES) results.push(await run(fixtures.url, scenario));
const failed = results.filter((passed) => !passed).length;
console.log(
  failed === 0 ? `all ${results.length} scenarios passed` : `${failed} of ${results.length} scenarios failed`,
);
process.exitCode = failed === 0 ? 0 : 1;
