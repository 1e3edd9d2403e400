// Runs scenarios of the official MCP conformance suite against the service, and against the same endpoint with tools of the suite's own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { fileURLToPath } from 'node:url';
import { TestService } from '../support/service.ts';
import { startFixtures } from './mcp-fixtures.ts';

export interface ScenarioResult {
  readonly scenario: string;
  readonly isMet: boolean;
  readonly told: string;
}

/** How many checks a scenario has, and which of them fail for want of what this server does not offer. */
interface Expected {
  readonly checks: number;
  readonly notOffered?: readonly string[];
}

interface Suite {
  readonly program: URL;
  readonly version?: string;
  readonly ofService: Readonly<Record<string, Expected>>;
  readonly ofFixtures: Readonly<Record<string, Expected>>;
}

const KINDS = ['simple-text', 'error', 'image', 'audio', 'embedded-resource', 'mixed-content'];
const calls = (checks: number) => Object.fromEntries(KINDS.map((kind) => [`tools-call-${kind}`, { checks }]));

const SUITES: readonly Suite[] = [
  {
    program: new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
    ofService: {
      'server-initialize': { checks: 1 },
      ping: { checks: 1 },
      'tools-list': { checks: 1 },
      'dns-rebinding-protection': { checks: 2 },
    },
    ofFixtures: calls(1),
  },
  {
    program: new URL('../../node_modules/mcp-conformance-next/dist/index.js', import.meta.url),
    version: '2026-07-28',
    ofService: {
      'tools-list': { checks: 4 },
      'http-header-validation': { checks: 14 },
      'dns-rebinding-protection': { checks: 2 },
      'server-sse-multiple-streams': { checks: 1 },
      'input-required-result-unsupported-methods': { checks: 2 },
      // The others call tools that ask back, stream or log, of which there are none.
      'server-stateless': {
        checks: 28,
        notOffered: [
          'sep-2575-server-rejects-undeclared-capability',
          'sep-2575-missing-capability-http-400',
          'sep-2575-http-server-no-independent-requests-on-stream',
          'sep-2575-server-no-log-without-loglevel',
        ],
      },
      // There are no prompts and no resources.
      caching: {
        checks: 7,
        notOffered: [
          'sep-2549-prompts-list-caching-hints',
          'sep-2549-resources-list-caching-hints',
          'sep-2549-resources-templates-list-caching-hints',
        ],
      },
    },
    ofFixtures: calls(2),
  },
];

export async function conformance(): Promise<ScenarioResult[]> {
  await using service = await TestService.start();
  await using fixtures = await startFixtures();
  const results: ScenarioResult[] = [];
  for (const suite of SUITES) {
    for (const [url, scenarios] of [
      [service.url, suite.ofService],
      [fixtures.url, suite.ofFixtures],
    ] as const) {
      for (const [scenario, expected] of Object.entries(scenarios)) {
        results.push(await run(suite, `${url}/mcp/streamable`, scenario, expected));
      }
    }
  }
  return results;
}

async function run(
  { program, version }: Suite,
  url: string,
  scenario: string,
  { checks, notOffered = [] }: Expected,
): Promise<ScenarioResult> {
  const wanted = version === undefined ? [] : ['--spec-version', version];
  const args = [fileURLToPath(program), 'server', '--url', url, '--scenario', scenario, ...wanted];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)));
  await once(child, 'close');
  const text = stripVTControlCharacters(output);
  const failed = [...text.matchAll(/\[([\w-]+) *\] *FAILURE/g)].map(([, check = '']) => check);
  const counts = `Passed: ${checks - notOffered.length}/${checks}, ${notOffered.length} failed, 0 warnings`;
  const isMet =
    text.includes(counts) && failed.length === notOffered.length && failed.every((one) => notOffered.includes(one));
  const title = version === undefined ? scenario : `${scenario} (${version})`;
  return { scenario: title, isMet, told: isMet ? counts : text };
}
