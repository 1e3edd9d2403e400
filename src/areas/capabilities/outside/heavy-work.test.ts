import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { ManualClock, systemClock } from '#kernel/clock.ts';
import { runLengthPdf } from '../../../../test/support/hostile-files.ts';
import { pdfOf, pdfOfStreams } from '../../../../test/support/small-files.ts';
import { until } from '../../../../test/support/until.ts';
import { Unworkable } from '../capability.ts';
import { HEAVY_LIMITS, usuallyReservedBytes } from '../heavy/heavy-limits.ts';
import type { HeavyTasks } from '../heavy/heavy-tasks.ts';
import { HeavyWork } from './heavy-work.ts';

/** Only what never ends is ended by it. */
const PATIENT_MS = 300_000;
const NEVER = new AbortController().signal;
const SENTENCE = { text: 'One two three.', sentences: 1 };
const SUMMARY = [{ start: 0, end: 14 }];
const isLinux = process.platform === 'linux';

function patient(): HeavyWork {
  return new HeavyWork({ clock: systemClock(), limitMs: PATIENT_MS });
}

/** One execution with one task. */
async function done<K extends keyof HeavyTasks>(
  heavy: HeavyWork,
  agentId: string,
  kind: K,
  task: HeavyTasks[K],
  signal = NEVER,
): Promise<unknown> {
  using turn = heavy.turn(agentId, signal);
  const result = await turn.run(kind, task);
  return result instanceof Unworkable ? `${result.kind} ${result.code}: ${result.detail}` : result;
}

/** Gone, or only waiting for somebody to ask what became of it. */
function isGone(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

suite('a task that has no end', () => {
  test('is ended at its limit, and the next work gets a new process', async () => {
    await using heavy = new HeavyWork({ clock: systemClock(), limitMs: 50 });
    assert.equal(await done(heavy, 'agt_a', 'stuck', null), 'work provider_failed: The work took longer than allowed.');
    await using other = patient();
    const given = new AbortController();
    const stuck = [0, 1, 2].map((n) => done(other, `agt_${n}`, 'stuck', null, given.signal));
    given.abort();
    assert.deepEqual([...new Set(await Promise.all(stuck))], ['work provider_failed: The execution timed out.']);
    assert.deepEqual(await done(other, 'agt_a', 'summary', SENTENCE), SUMMARY);
  });

  test('holds one process, and the work of others goes on in the next', async () => {
    await using heavy = patient();
    const given = new AbortController();
    const stuck = Array.from({ length: 4 }, () => done(heavy, 'agt_a', 'stuck', null, given.signal));
    for (const agentId of ['agt_b', 'agt_c', 'agt_b']) {
      assert.deepEqual(await done(heavy, agentId, 'summary', SENTENCE), SUMMARY);
    }
    assert.equal(heavy.pids.length, 2);
    given.abort();
    await Promise.all(stuck);
  });

  test('leaves no more than so many executions of its agent waiting', async () => {
    await using heavy = patient();
    const given = new AbortController();
    const turns = Array.from({ length: HEAVY_LIMITS.executionsPerAgent }, () => heavy.turn('agt_a', given.signal));
    // Several tasks of an execution count once.
    const stuck = turns.flatMap((turn) => [turn.run('stuck', null), turn.run('stuck', null)]);
    assert.match(String(await done(heavy, 'agt_a', 'summary', SENTENCE)), /^work too_many_executions: /);
    assert.deepEqual(await done(heavy, 'agt_b', 'summary', SENTENCE), SUMMARY);
    given.abort();
    await Promise.all(stuck);
    for (const turn of turns) turn[Symbol.dispose]();
    assert.deepEqual(await done(heavy, 'agt_a', 'summary', SENTENCE), SUMMARY);
  });

  test('is counted against its agent, whose heavy work then rests', async () => {
    const clock = new ManualClock();
    await using heavy = new HeavyWork({ clock, limitMs: 50 });
    for (let n = 0; n < HEAVY_LIMITS.failuresPerAgent; n += 1) {
      assert.match(String(await done(heavy, 'agt_a', 'stuck', null)), /took longer/);
    }
    assert.match(String(await done(heavy, 'agt_a', 'stuck', null)), /^work heavy_work_paused: /);
    assert.match(String(await done(heavy, 'agt_b', 'stuck', null)), /took longer/);
    clock.advance(HEAVY_LIMITS.restMs);
    assert.match(String(await done(heavy, 'agt_a', 'stuck', null)), /took longer/);
  });
});

suite('a process', () => {
  test('is not started before the first task, and is used again for the next', async () => {
    await using heavy = patient();
    using turn = heavy.turn('agt_a', NEVER);
    assert.deepEqual(heavy.pids, []);
    assert.deepEqual(await turn.run('summary', SENTENCE), SUMMARY);
    const { pids } = heavy;
    assert.equal(pids.length, 1);
    assert.deepEqual(await done(heavy, 'agt_b', 'summary', SENTENCE), SUMMARY);
    assert.deepEqual(heavy.pids, pids);
  });

  for (const [what, reservedBytes] of [
    ['more than was thought', usuallyReservedBytes() - 200 * 1024 * 1024],
    ['so much more that it does not even start', -300 * 1024 * 1024],
  ] as const) {
    test(`does its first task also where Node reserves ${what}`, { skip: !isLinux }, async () => {
      await using heavy = new HeavyWork({ clock: systemClock(), limitMs: PATIENT_MS, reservedBytes });
      assert.deepEqual(await done(heavy, 'agt_a', 'summary', SENTENCE), SUMMARY);
      const { pids } = heavy;
      assert.deepEqual(await done(heavy, 'agt_a', 'summary', SENTENCE), SUMMARY);
      assert.deepEqual(heavy.pids, pids);
    });
  }

  test('that is killed from outside fails its caller alone, and the next work gets a new one', async () => {
    await using heavy = patient();
    const given = new AbortController();
    const lost = done(heavy, 'agt_a', 'stuck', null);
    const [pid] = heavy.pids;
    assert.ok(pid !== undefined);
    const other = done(heavy, 'agt_b', 'stuck', null, given.signal);
    process.kill(pid, 'SIGKILL');
    assert.equal(await lost, 'work provider_failed: The worker process stopped early. Retry the call.');
    assert.deepEqual(await done(heavy, 'agt_a', 'summary', SENTENCE), SUMMARY);
    assert.equal(heavy.pids.includes(pid), false);
    given.abort();
    assert.match(String(await other), /execution timed out/, 'it ran on until its caller gave up');
  });

  test('has nothing of the environment of the service', { skip: !isLinux && 'only Linux shows it' }, async () => {
    await using heavy = patient();
    await done(heavy, 'agt_a', 'summary', SENTENCE);
    const names = readFileSync(`/proc/${heavy.pids[0]}/environ`, 'utf8')
      .split('\0')
      .map((entry) => entry.split('=')[0]);
    const own = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'PWD', ''];
    assert.deepEqual(
      names.filter((name = '') => !own.includes(name)),
      [],
    );
  });

  for (const kind of ['summary', 'stuck'] as const) {
    test(`ends with its parent, also where that was killed, while its task is ${kind}`, {
      skip: !isLinux,
    }, async (t) => {
      const script = `
        import { HeavyWork } from ${JSON.stringify(new URL('./heavy-work.ts', import.meta.url).href)};
        const heavy = new HeavyWork({ clock: { monotonicMs: () => 0 } });
        const turn = heavy.turn('agt_a', new AbortController().signal);
        const task = turn.run(${JSON.stringify(kind)}, ${JSON.stringify(SENTENCE)});
        if (${kind === 'summary'}) await task;
        process.stdout.write(heavy.pids.join() + '\\n');
        setInterval(() => {}, 60_000);`;
      const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      t.after(() => parent.kill('SIGKILL'));
      const [said] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(said.toString());
      assert.ok(pid > 0);
      assert.equal(isGone(pid), false);
      parent.kill('SIGKILL');
      await until('the end of the process', () => isGone(pid));
    });
  }
});

test('pages of a PDF are read in their order, with at most one blank line between their lines', async () => {
  await using heavy = patient();
  const page = (...lines: string[]) =>
    `BT /F1 12 Tf 72 720 Td 14 TL\n${lines.map((line) => `(${line}) Tj T*`).join('\n')}\nET`;
  const streams = [page('One  two', 'three'), page(), page('four'), page('five')].map((text) => Buffer.from(text));
  const read = await done(heavy, 'agt_a', 'pdf', { bytes: new Uint8Array(pdfOfStreams(streams)), maxPages: 4 });
  assert.deepEqual(read, { pages: 4, text: 'One two\nthree\n\nfour\nfive' });
});

suite('a file that unpacks to more than the memory of a process', { skip: !isLinux && 'only Linux counts it' }, () => {
  test('ends its process and no other, and says so', async () => {
    await using heavy = patient();
    const given = new AbortController();
    const other = done(heavy, 'agt_b', 'stuck', null, given.signal);
    const [untouched] = heavy.pids;
    const bomb = { bytes: new Uint8Array(runLengthPdf(640 * 1024 * 1024)), maxPages: 1 };
    assert.equal(
      await done(heavy, 'agt_a', 'pdf', bomb),
      'size work_too_large: The work needs more memory than one execution may use.',
    );
    assert.deepEqual(heavy.pids, [untouched]);
    const honest = { bytes: new Uint8Array(pdfOf(['Hello'])), maxPages: 1 };
    assert.deepEqual(await done(heavy, 'agt_a', 'pdf', honest), { pages: 1, text: 'Hello' });
    given.abort();
    await other;
  });

  test('is ended likewise where it is objects that it unpacks to', async () => {
    await using heavy = patient();
    const data = Array.from({ length: 300_000 }, (_, n) => [n]);
    const schema = { items: { anyOf: Array.from({ length: 20 }, (_, n) => ({ minItems: 2 + n })) } };
    const tooLarge = /^size work_too_large: /;
    assert.match(String(await done(heavy, 'agt_a', 'validation', { data, schema })), tooLarge);
  });
});
