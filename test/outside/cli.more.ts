// The command line as a package, on the Node of the machine.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { TestService } from '../support/service.ts';
import { Packed, type Project } from './packed.ts';

const packed = await Packed.make(['cli']);
const project = await packed.project('empty', ['@avouch/cli']);
after(async () => {
  if (typeof project !== 'string') project[Symbol.dispose]();
  await packed[Symbol.asyncDispose]();
});

suite('the packed command line', { skip: typeof project === 'string' && project }, () => {
  const outside = project as Project;
  let service: TestService;
  before(async () => (service = await TestService.start()));
  after(() => service[Symbol.asyncDispose]());

  /** Gives the exit code too, which is what scripts go by. */
  async function avouch(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    try {
      const [command = '', ...rest] = args;
      return { code: 0, ...(await outside.run('node_modules/.bin/avouch', command, '--url', service.url, ...rest)) };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, stdout, stderr };
    }
  }

  test('claims, runs a command under a lease, and tells a refusal by its exit code', async () => {
    const claimed = await avouch('claim', 'acme/cli#1', '--agent', 'a7', '--mode', 'exclusive');
    assert.equal(claimed.code, 0, claimed.stderr);
    const ran = await avouch('run', 'acme/cli#2', '--agent', 'a7', '--', 'sh', '-c', 'exit 3');
    assert.equal(ran.code, 3, ran.stderr);
    const refused = await avouch('claim', 'acme/cli#1', '--agent', 'b2', '--mode', 'exclusive');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^avouch claim: Refused \(409 held\)/);
    const wrong = await avouch('look', 'acme/cli#1', '--agnt', 'a7');
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /Did you mean --agent\?/);
  });

  test('checks a payment, seals a file and verifies the seal', async () => {
    writeFileSync(join(outside.folder, 'contract.pdf'), '%PDF-1.4 a contract');
    const stop = await avouch('check', '--amount-usd', '500', '--instruction-source', 'untrusted');
    assert.equal(stop.code, 1);
    const sealed = await avouch('seal', 'contract.pdf', '--out', 'contract.seal.json');
    assert.equal(sealed.code, 0, sealed.stderr);
    const verified = await avouch('verify', 'contract.seal.json');
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  });

  test('claims the file of a call that an agent hands in', async () => {
    const call = JSON.stringify({ tool_input: { file_path: 'a.ts' }, session_id: 's1' });
    const edit = (state: string) =>
      outside.run(
        'sh',
        '-c',
        `echo '${call}' | XDG_STATE_HOME="$PWD/${state}" node_modules/.bin/avouch hook pre-tool --url ${service.url}`,
      );
    await edit('mine');
    await edit('mine');
    await assert.rejects(edit('other'), /a\.ts is being edited by another agent/);
  });

  test('has help for each of its commands, and names none that it lacks', async () => {
    const { stdout } = await outside.run('node_modules/.bin/avouch', '--help');
    const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) {2}/gm)].map(([, name]) => name as string);
    assert.ok(names.includes('run') && names.includes('hook') && !names.includes('serve'), names.join(' '));
    assert.equal(stdout.includes('./avouch'), false);
    for (const name of names)
      assert.match((await outside.run('node_modules/.bin/avouch', name, '--help')).stdout, /Usage: avouch/);
  });
});
