// The command that calls any operation, beside a running service.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { fieldOptions, inputOf } from '../../src/cli/operation-fields.ts';
import { readArguments } from '../../src/cli/line/parse.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { ROOT } from '../support/child-service.ts';
import { runCommand } from '../support/command.ts';
import { type Env, TestService } from '../support/service.ts';

let service: TestService;
before(async () => (service = await TestService.start()));
after(() => service[Symbol.asyncDispose]());

function call(args: readonly string[], env: Env = {}) {
  return runCommand(['call', ...args, '--url', service.url], env);
}

async function answerOf(args: readonly string[], env: Env = {}): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await call(args, env);
  assert.deepEqual([code, stderr], [0, ''], args.join(' '));
  return JSON.parse(stdout) as Record<string, unknown>;
}

suite('call', () => {
  test('alone lists every operation with its method and path, one line each', async () => {
    const { code, stdout } = await runCommand(['call']);
    const lines = stdout.trimEnd().split('\n');
    assert.deepEqual([code, lines.length], [0, OPERATIONS.length + 1]);
    assert.match(stdout, /^look +GET +\/v1\/look$/m);
    assert.match(stdout, /^claim +POST +\/v1\/claim$/m);
    const { operations } = JSON.parse((await runCommand(['call', '--json'])).stdout) as { operations: object[] };
    assert.equal(operations.length, OPERATIONS.length);
  });

  test('prints the answer of a read', async () => {
    const { key, signal } = await answerOf(['look', '--key', 'acme/repo#12', '--agent', 'a1', '--slots=2']);
    assert.deepEqual([key, typeof signal], ['https://github.com/acme/repo/issues/12', 'string']);
    assert.match((await call(['robots'])).stdout, /^User-agent: \*$/m);
  });

  test('makes a list of an option that is repeated, and takes one that stands alone for yes', async () => {
    const args = ['claim', '--key', 'k1', '--key', 'k2', '--agent', 'a1', '--ttl', '60', '--receipt', '--token'];
    const { leases } = await answerOf([...args, 'x'.repeat(43)]);
    const shown = (leases as Record<string, unknown>[]).map(({ key, ttl_s, receipt }) => [key, ttl_s, typeof receipt]);
    assert.deepEqual(shown, [
      ['k1', 60, 'object'],
      ['k2', 60, 'object'],
    ]);
  });

  test('sends a key in its header, from an option or from the environment', async () => {
    const owned = ['--name', 'caller', '--owner-email', 'owner@example.com'];
    const agent = await answerOf(['register_agent', ...owned, '--scopes', 'tasks:write', '--scopes', 'wallet:spend']);
    const AGENT_KEY = String(agent['agent_key']);
    const rotated = await answerOf(['rotate_key', '--agent-key', AGENT_KEY]);
    const { agent_id } = await answerOf(['get_agent'], { AGENT_KEY: String(rotated['agent_key']) });
    assert.equal(agent_id, agent['agent_id']);
    const missing = await call(['get_agent']);
    assert.equal(missing.code, 2);
    assert.match(
      missing.stderr,
      /^avouch call get_agent: Missing option: --agent-key \(or AGENT_KEY in the environment\)\.\n/,
    );
  });

  test('names everything that is wrong at once, and sends nothing', async () => {
    const args = ['claim', '--agnt', 'a1', '--mode', 'blue', '--ttl', 'soon', '--intent', 'more', 'words', '--note'];
    const { code, stdout, stderr } = await runCommand(['call', ...args, '--url', 'http://127.0.0.1:1']);
    assert.deepEqual([code, stdout], [2, '']);
    const [first = ''] = stderr.split('\n');
    for (const fault of [
      'Unexpected argument "words".',
      'Unknown option --agnt. Did you mean --agent?',
      'Unknown option --note.',
      'Missing option: --key.',
      '--mode: ',
      '--ttl: ',
    ]) {
      assert.ok(first.includes(fault), `${fault}: ${first}`);
    }
    assert.ok(stderr.endsWith('\nRun `avouch call claim --help`.\n'), stderr);
    for (const wrong of [
      ['look', '--url'],
      ['look', '--json', '[]'],
      ['look', '--json', '{"key":1,"key":2}'],
      ['log_tile', '--tile', '0/000'],
    ]) {
      assert.equal((await runCommand(['call', ...wrong])).code, 2, wrong.join(' '));
    }
  });

  test('prints the words of a refusal and ends with 1', async () => {
    await answerOf(['claim', '--key', 'held', '--agent', 'a1', '--mode', 'exclusive']);
    const { code, stdout, stderr } = await call(['claim', '--key', 'held', '--agent', 'b2', '--mode', 'exclusive']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^avouch call: Refused \(409 held\): [A-Z].* \d+ s.*\.\n$/);
  });

  test('tells the key under which a call without an answer can be repeated', async () => {
    const args = ['attest_seal', '--schema-id', 'record.integrity.v1', '--claim', '{"statement":"one"}'];
    const { code, stderr } = await runCommand(['call', ...args, '--url', 'http://127.0.0.1:1']);
    assert.equal(code, 1);
    assert.match(stderr, /^Repeat it with --idempotency-key \S{22,}: it is done at most once\.$/m);
  });

  test('gives the nearest names of an operation that is not there', async () => {
    for (const args of [['clam'], ['clam', '--help']]) {
      const { code, stdout, stderr } = await runCommand(['call', ...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^avouch call: Unknown operation "clam"\. Did you mean claim\?/);
    }
    assert.match((await runCommand(['call', 'wallet'])).stderr, /get_wallet/);
  });

  test('shows the fields of an operation with their types, its price and its key', async () => {
    const { code, stdout } = await runCommand(['call', 'claim', '--help']);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^avouch call claim: \S.*\n\nUsage: \.\/avouch call claim --key <text> --agent <text> \[options\]\n/,
    );
    assert.match(stdout, /^Request: POST \/v1\/claim\nPrice: none\nKey: none$/m);
    assert.match(stdout, /^ {2}--key <text> +\S/m);
    assert.match(stdout, /^ {2}--mode <shared\|exclusive\|once> +\S/m);
    assert.match(stdout, /^ {2}--hops <whole number> +\S/m);
    assert.match(stdout.replaceAll(/\s+/g, ' '), /A whole number from 30 to 3600\. Default: 600\./);
    const paid = await runCommand(['call', 'eu_vat_check', '--help']);
    assert.match(paid.stdout, /^Price: 0\.002 USDC, paid as `avouch pay` does$/m);
    assert.match(paid.stdout, /^ {2}--max <USDC> .*Default: 0\.05\.$/m);
    const keyed = await runCommand(['call', 'amh_verify', '--help']);
    assert.match(keyed.stdout, /^Key: --api-key or PLATFORM_KEY in the environment \(required\)$/m);
    assert.match((await runCommand(['call', 'cabinet_overview', '--help'])).stdout, /^Key: a browser session/m);
  });

  test('takes a body from standard input, which options override, and sends its digits as they are', async () => {
    const body = '{"schema_id":"record.integrity.v1","claim":{"statement":"one"},"disclosure":"holder"}';
    const args = ['call', 'attest_seal', '--json', '-', '--disclosure', 'public', '--url', service.url];
    const child = spawn(process.execPath, [join(ROOT, 'bin/avouch.mjs'), ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(body);
    const sealed = JSON.parse(await text(child.stdout)) as Record<string, unknown>;
    const shown = await answerOf(['attest_verify', '--attestation-id', String(sealed['attestation_id'])]);
    assert.deepEqual(shown['claim'], { statement: 'one' }, 'it is public');
    const claim = '{"statement":"one","n":9007199254740993}';
    for (const exact of [
      ['--json', `{"schema_id":"record.integrity.v1","claim":${claim}}`],
      ['--schema-id', 'record.integrity.v1', '--claim', claim],
    ]) {
      const { stderr } = await call(['attest_seal', ...exact]);
      assert.match(stderr, /^avouch call: --claim\/n: /m);
    }
  });
});

test('the options of an example mean its input, in every row', () => {
  for (const row of OPERATIONS) {
    for (const { input } of row.examples) {
      const args = Object.entries(input as Record<string, unknown>).flatMap(([name, value]) => {
        const values = Array.isArray(value) && value.length > 1 ? (value as unknown[]) : [value];
        return values.map(
          (one) => `--${name.replaceAll('_', '-')}=${typeof one === 'string' ? one : JSON.stringify(one)}`,
        );
      });
      const options = fieldOptions(row).map(({ name, value = '' }) => ({ name, value, help: '', isRepeated: true }));
      const { lists } = readArguments(args, { operands: [], options }).given;
      const given = Object.entries(lists).map(([name, values = []]) => [name.replaceAll('-', '_'), values] as const);
      const named = new Map(given.filter(([, values]) => values.length > 0));
      const { input: made, faults } = inputOf(row, { given: named, body: {}, env: {} });
      // Examples show no keys.
      const others = faults.filter(({ detail }) => !detail.endsWith('in the environment'));
      assert.deepEqual([JSON.parse(JSON.stringify(made)), others], [input, []], row.operationId);
    }
  }
});

test('no field has the name of an option of the command', () => {
  const own = ['url', 'json', 'help'];
  const ofPayment = ['max', 'daily_max', 'key', 'idempotency_key', 'dry_run'];
  for (const { operationId, input, price } of OPERATIONS) {
    const names = new Set(Object.keys(input.shape));
    for (const name of price === null ? own : [...own, ...ofPayment])
      assert.ok(!names.has(name), `${operationId} ${name}`);
  }
});
