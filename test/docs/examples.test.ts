// Every call that README and documentation print is run as printed, in their order, against one service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { OPERATIONS } from '../../src/areas.ts';
import { offeredText, readPage } from '#platform/documentation/documentation.ts';
import { ROOT } from '../support/child-service.ts';
import type { Answer } from '../support/client.ts';
import { runCommand } from '../support/command.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv, TestService } from '../support/service.ts';
import { mandateBody } from '../support/mandates.ts';
import { type ServedDocument, servedDocument } from './served-document.ts';
import { sessionOf } from '../support/topup.ts';
import { fundedAgent } from '../support/orders.ts';

type Row = Record<string, unknown>;

/** Lines that are not run here, by how they begin, and why. */
const NOT_RUN: readonly (readonly [begins: string, why: string])[] = [
  ['./avouch verify --cose', 'run by test/cli/verify-cose.test.ts with these files'],
  ['npm start', 'installs and serves: lifecycle.test.ts starts what it starts'],
  ['npm test', 'runs this test'],
  ['PATH="$PWD/node_modules/.bin:$PATH" npm install', 'installs: ensure-dependencies.test.ts'],
  ['AVOUCH_URL=', 'serves MCP on standard input: mandate-example.test.ts'],
  ['./avouch pay ', 'pays on the local chain, which takes long to start: pay.test.ts'],
  ['node_modules/.bin/node examples/wallet-tour.ts', 'readme.test.ts compares all of its lines'],
  ['./avouch tour', 'starts a chain: cli-tour.test.ts'],
  ['token=$(', 'what the next lines need: cabinet.test.ts logs in with what the outbox holds'],
  ['curl -s -b jar ', 'needs that token'],
  ['./avouch verify-receipt ', 'needs an answer: verify-receipt.test.ts'],
  ['./avouch witness ', 'serves until it is stopped: flows/witness.test.ts'],
  ['sudo ', 'changes the machine'],
  ['cd /opt/avouch', 'a folder that the reader made'],
  ['npm ci', 'installs: ensure-dependencies.test.ts'],
  ['openssl pkeyutl ', 'needs a release: outside/release.more.ts'],
  ['sha256sum ', 'needs a release: outside/release.more.ts'],
  ['tar --extract ', 'needs a release: deploy/systemd.more.ts'],
  ['node avouch-verify.mjs ', 'needs a release: outside/release.more.ts'],
  ['curl --silent ', 'needs what the lines before install: deploy/systemd.more.ts'],
  ['npm run prove', 'takes minutes: docs/proof.test.ts'],
];
/** JSON that is neither an answer nor the body of a call. */
const SETTINGS = [
  '[{"name":"acme","kind":"openai_compatible"',
  '{\n  "receipt_id"',
  '{"version":"2026-11-15","prices":[',
  // The call would have to print an offence, and no page of ours may: usage-rules.test.ts has it.
  '{ "status": 403, "code": "rule_refused"',
];
/** Bodies that stand alone, by how they begin, and where they are sent. */
const BODIES: readonly (readonly [begins: string, path: string])[] = [
  ['{"schema_id":"record.integrity.v1"', '/api/attest/seal'],
  ['{"proof":', '/api/attest/verify'],
];
/** Commands that examples may run. */
const COMMANDS = [
  'check',
  'seal',
  'verify',
  'look',
  'call',
  'claim',
  'mandate',
  'erase',
  'identity',
  'screen',
  'audit-trail',
  'help',
  'doctor',
  'backup',
  'fsck',
  'ledger',
];
const ADDRESS = /(?:http:\/\/)?127\.0\.0\.1:8402/g;
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const execute = promisify(execFile);
const cwd = process.cwd();

let service: TestService;
let served: ServedDocument;
let home: string;
/** What examples stand dots or names for. */
const kept = new Map<string, string>();

before(async () => {
  service = await TestService.start();
  served = servedDocument((await service.call('/openapi.json')).json);
  const agent = await fundedAgent(service);
  kept.set('$KEY', agent.key);
  kept.set('cs_test_…', sessionOf(await agent.post('/api/agents/wallet/topup', { tier: 'starter' })));
  kept.set('<sha256 hex>', '00'.repeat(32));
  home = await temporaryDirectory();
  kept.set('/backup/', `${home}/`);
  kept.set('fsck https://avouch.example', `fsck ${service.url}`);
});
after(async () => {
  process.chdir(cwd);
  await service[Symbol.asyncDispose]();
  await rm(home, { recursive: true });
});

/** A folder for each page, with the files that a reader brings. */
function enterFolder(page: string): void {
  const folder = join(home, page.replaceAll(/\W/g, '-'));
  mkdirSync(folder);
  process.chdir(folder);
  copyFileSync(join(ROOT, 'test/vectors/fsf-fictional.xml'), 'sanctions.xml');
  writeFileSync('contract.pdf', '%PDF-1.4 a contract');
  writeFileSync('names.txt', 'Jane Nobody\n');
  writeFileSync('pairs.csv', 'left,right\nJane Nobody,Jane Nobody\n');
  writeFileSync('mandate.json', JSON.stringify(mandateBody(Date.now())));
}

interface Block {
  readonly language: string;
  readonly text: string;
}

/** Fenced blocks, and calls that stand in a sentence. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return Array.from(text.matchAll(/```(\w*)\n([\s\S]*?)```|`(curl [^`]+)`/g), ([, language = '', block, inline]) => ({
    language,
    text: (block ?? inline ?? '').trim(),
  }));
}

function filled(text: string): string {
  return [...kept].reduce((at, [name, value]) => at.replaceAll(name, value), text).replaceAll(ADDRESS, service.url);
}

/** Later examples repeat what these answers gave. */
function keep(json: Row): void {
  const names = {
    'lease=L…': 'lease',
    'token=…': 'token',
    'mnd_...': 'mandate_id',
    'plt_...': 'platform_id',
    'amhk_…': 'api_key',
    'ATT-…': 'attestation_id',
    '<disclosure_seed>': 'disclosure_seed',
  };
  for (const [dots, name] of Object.entries(names)) {
    const value = json[name];
    if (typeof value === 'string') kept.set(dots, dots.includes('=') ? `${name}=${encodeURIComponent(value)}` : value);
  }
  if (json['proof'] !== undefined) kept.set('c2sp.org/tlog-proof@v1\\n…', JSON.stringify(json['proof']).slice(1, -1));
}

function checked(path: string, method: string, answer: Pick<Answer, 'status' | 'headers' | 'text'>): Row {
  const json = JSON.parse(answer.text) as Row;
  const row = OPERATIONS.find((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));
  if (path.startsWith('/mcp/')) assert.ok(json['result'] !== undefined, answer.text);
  else if (path !== '/readyz')
    assert.equal(served.faultOf({ path: row?.path ?? path, method }, answer), undefined, `${path} ${answer.text}`);
  keep(json);
  return json;
}

/** Runs the command in a shell, as a reader would, and judges the answer by the interface document. */
async function curl(command: string): Promise<Row> {
  const shown = `${command.trimEnd()} -w '\n%{http_code} %{method} %{url_effective} %{content_type}'`;
  const { stdout } = await execute('bash', ['-c', shown], { env: { ...process.env, KEY: kept.get('$KEY') } });
  const [, text = '', status, method = '', url = '', type] = /^([\s\S]*)\n(\d+) (\S+) (\S+) (.*)$/.exec(stdout) ?? [];
  return checked(new URL(url).pathname, method.toLowerCase(), {
    status: Number(status),
    headers: { 'content-type': type },
    text,
  });
}

async function avouch(line: string): Promise<void> {
  const words = Array.from(
    line
      .replace(/\s+#.*/, '')
      .replaceAll('\\\n', ' ')
      .matchAll(/'([^']*)'|(\S+)/g),
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
  const [, name = '', ...args] = words;
  assert.ok(COMMANDS.includes(name), `${name} is neither run nor listed as not run`);
  const env = serviceEnv(service.dataDir, undefined, { BASE_URL: service.url });
  const { code, stdout: said, stderr } = await runCommand([name, ...args], env);
  // A comment says where a command ends with a no.
  assert.equal(code, /# STOP$/.test(line) ? 1 : 0, `${line}\n${stderr}`);
  const out = args.includes('--out') ? readFileSync(args[args.indexOf('--out') + 1] as string, 'utf8') : said;
  if (name === 'mandate' && args[0] !== 'keygen') keep(JSON.parse(out) as Row);
}

/** Every line of a shell block; a line that ends in a backslash goes on. */
async function shell(text: string): Promise<Row | undefined> {
  let json: Row | undefined;
  for (const line of text.split(/(?<!\\)\n/)) {
    if (NOT_RUN.some(([begins]) => line.startsWith(begins))) continue;
    // The shell puts the key in; everything else is put in here.
    const command = filled(line.replace('$KEY', '$ KEY')).replace('$ KEY', '$KEY');
    if (line.startsWith('curl ')) json = await curl(command);
    else if (line.startsWith('./avouch ')) await avouch(command);
    else if (line.startsWith('echo ')) await execute('bash', ['-c', command]);
    else assert.fail(`${line} is neither run nor listed as not run`);
  }
  return json;
}

async function sent(path: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-agent-key': String(kept.get('$KEY')) };
  const answer = await service.call(path, { method: 'POST', headers, body });
  assert.ok(answer.status < 300, `${path} ${answer.text}`);
  checked(path, 'post', answer);
}

for (const page of PAGES) {
  const blocks = blocksOf(page);
  const isCall = ({ language, text }: Block) => language === 'sh' || /^(?:curl|GET|\.\/avouch) /.test(text);
  if (!blocks.some((block) => isCall(block) || block.language === 'json')) continue;
  test(`every example of ${page} runs as printed`, async () => {
    enterFolder(page);
    let answered: Row | undefined;
    for (const block of blocks) {
      const { language, text } = block;
      const body = BODIES.find(([begins]) => text.startsWith(begins));
      if (text.startsWith('GET ')) {
        const path = text.slice(4);
        answered = checked(path.replace(/\?.*/, ''), 'get', await service.call(path));
      } else if (isCall(block)) answered = await shell(text);
      else if (language === 'json' && body !== undefined) await sent(body[1], filled(text));
      else if (language === 'json' && !SETTINGS.some((begins) => text.startsWith(begins))) {
        assert.ok(answered !== undefined, `no call answers with ${text.slice(0, 60)}`);
        assert.deepEqual(Object.keys(answered), Object.keys(JSON.parse(text) as Row), text.slice(0, 60));
        answered = undefined;
      }
    }
  });
}

test('the full text holds every page that it names, with the address of this installation in its examples', async () => {
  const { text } = await service.call('/llms-full.txt');
  const named = Array.from(text.matchAll(/^- (docs\/\S+\.md) sha256:/gm), ([, page = '']) => page);
  assert.ok(named.length > 10);
  for (const page of named) {
    const { text: written } = readPage(page, readFileSync(join(ROOT, page), 'utf8'));
    const own = offeredText(written, 'all').replaceAll(ADDRESS, service.url);
    assert.ok(text.includes(own.trimEnd()), page);
    assert.doesNotMatch(own, /localhost:8402/, page);
  }
});

test('the first calls of /entry run as printed', async () => {
  const { first_calls } = (await service.call('/entry')).json as {
    first_calls: { curl: string; expect: { status: number; fields: string[] } }[];
  };
  assert.equal(first_calls.length, 3);
  for (const { curl: command, expect } of first_calls) {
    const json = await curl(command);
    for (const field of expect.fields) assert.ok(field in json, `${command} has no ${field}`);
  }
});
