import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { HOUR_MS, ManualClock } from '#kernel/clock.ts';
import { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import { measureQuality } from '#platform/screening/quality/quality.ts';
import { screeningList } from '#platform/screening/screening-list.ts';
import { fsfXml } from '../../../test/evals/sanctions-data.ts';
import { fictionalList } from '../../../test/evals/sanctions-names.ts';
import { PROCESSES_HUNG_MS, until } from '../../../test/support/until.ts';
import { SanctionsRegister } from './sanctions-list.ts';

const START_MS = Date.UTC(2026, 10, 15, 10);
const LISTED = 'Anton Vymyslov';

/** Few: what is compared is how they come about. */
const QUERIES = 100;

suite('the sanctions list', () => {
  let clock: ManualClock;
  let simulators: RegisterSimulators;
  let host: ConfiguredHost;
  let directory: string;
  before(async () => {
    clock = new ManualClock(START_MS);
    simulators = await RegisterSimulators.start(() => clock.now());
    host = new ConfiguredHost({ baseUrl: `${simulators.url}/fsf`, userAgent: 'avouch/test' });
    directory = await mkdtemp(join(tmpdir(), 'avouch-list-'));
  });
  after(async () => {
    host[Symbol.dispose]();
    await simulators[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  function register(name: string) {
    const warnings: string[] = [];
    const path = join(directory, name);
    const options = { host, clock, path, nextPath: `${path}.p1`, refreshSeconds: 7_200 };
    return {
      list: new SanctionsRegister({
        ...options,
        warn: (code) => warnings.push(code),
        unmeasured: (detail) => warnings.push(detail),
        queries: QUERIES,
      }),
      warnings,
    };
  }

  function seen(list: SanctionsRegister) {
    const outcome = list.screen(LISTED);
    if (outcome.kind !== 'answered') return outcome.kind === 'unavailable' ? outcome.code : outcome.kind;
    return { source: outcome.source, at: outcome.observedAtMs, hits: outcome.value.candidates.length };
  }

  test('nothing is screened before a list is there', async () => {
    const { list } = register('none.xml');
    assert.equal(seen(list), 'LIST_NOT_LOADED');
    await using started = list;
    await started.start();
    assert.deepEqual(seen(list), { source: 'live', at: START_MS, hits: 1 });
  });

  for (const fault of [
    ...['500', '404', 'html', 'empty', 'badjson', 'wrongjson', 'expired', 'truncate', 'reset', 'throttle'],
    ...['hang', 'slow:30000'],
  ]) {
    test(`${fault} in the place of the first list is none, and nothing is screened`, async () => {
      const { list } = register(`first-${fault.slice(0, 4)}.xml`);
      await using starting = list;
      simulators.setFault('fsf', fault);
      const started = starting.start();
      if (fault !== 'hang' && !fault.startsWith('slow')) await started;
      assert.equal(seen(list), 'LIST_NOT_LOADED');
      simulators.setFault('fsf', null);
    });
  }

  const faults = {
    '500': 'HTTP_ERROR',
    html: 'not_well_formed',
    empty: 'not_well_formed',
    badjson: 'not_well_formed',
    truncate: 'NETWORK',
    reset: 'NETWORK',
    throttle: 'HTTP_ERROR',
    mismatch: 'shrunken',
  };
  for (const [fault, code] of Object.entries(faults)) {
    test(`${fault} never takes the place of a good list, in memory or on disk`, async () => {
      const { list, warnings } = register(`${code}-${fault}.xml`);
      await using running = list;
      await running.start();
      const good = seen(list);
      clock.advance(60_000);
      simulators.setFault('fsf', fault);
      await list.refresh();
      simulators.setFault('fsf', null);
      assert.deepEqual([seen(list), warnings], [good, [code]]);
      const { list: next } = register(`${code}-${fault}.xml`);
      simulators.setFault('fsf', '500');
      await using again = next;
      await again.start();
      simulators.setFault('fsf', null);
      assert.deepEqual(seen(next), { ...(good as object), source: 'cache' });
      assert.deepEqual(
        (await readdir(directory)).filter((name) => /\.(p1|part)$/.test(name)),
        [],
      );
    });
  }

  test('a large list is read in a thread, is screened the same way, and does not outlive a stop', async () => {
    const large = { ...fictionalList(400, 5), generationDate: '2026-11-14T00:00:00.000Z' };
    const [entity] = large.entities;
    const name = entity?.names[0]?.name ?? '';
    await writeFile(join(directory, 'large.xml'), fsfXml(large));
    simulators.setFault('fsf', '500');
    const { list, warnings } = register('large.xml');
    await using running = list;
    await running.start();
    const outcome = list.screen(name);
    assert.ok(outcome.kind === 'answered');
    assert.deepEqual(outcome.value.candidates, screeningList(large).screen(name));
    assert.deepEqual(warnings, ['HTTP_ERROR']);
    const { list: stopped, warnings: stopWarnings } = register('large.xml');
    const starting = stopped.start();
    await stopped[Symbol.asyncDispose]();
    await starting;
    assert.deepEqual([seen(stopped), stopWarnings], ['LIST_NOT_LOADED', []]);
    simulators.setFault('fsf', null);
  });

  test('an older list is refused, a newer one is taken', async () => {
    const { list, warnings } = register('older.xml');
    await using running = list;
    await running.start();
    clock.jump(clock.now() - HOUR_MS);
    await list.refresh();
    assert.deepEqual(warnings, ['older_than_in_use']);
    clock.jump(clock.now() + 7_200_000);
    await list.refresh();
    assert.deepEqual(seen(list), { source: 'live', at: clock.now(), hits: 1 });
  });

  test('a kept list that is broken is told and not used', async () => {
    const { list, warnings } = register('broken.xml');
    await writeFile(join(directory, 'broken.xml'), '<export generationDate="2026-11-15"><sanctionEntity');
    simulators.setFault('fsf', '500');
    await using running = list;
    await running.start();
    simulators.setFault('fsf', null);
    assert.deepEqual([seen(list), warnings], ['LIST_NOT_LOADED', ['not_well_formed', 'HTTP_ERROR']]);
  });

  test('a kept list from the future is told and not used, and does not keep out the one of today', async () => {
    const { list, warnings } = register('future.xml');
    const future = { ...fictionalList(3, 5), generationDate: '2062-11-15T00:00:00.000Z' };
    await writeFile(join(directory, 'future.xml'), fsfXml(future));
    await using running = list;
    await running.start();
    assert.deepEqual([seen(list), warnings], [{ source: 'live', at: clock.now(), hits: 1 }, ['from_the_future']]);
  });

  async function measured(list: SanctionsRegister) {
    return until(
      'the figures of the list',
      () => {
        const seenNow = list.quality();
        return seenNow !== null && typeof seenNow.quality !== 'string' && { ...seenNow, quality: seenNow.quality };
      },
      PROCESSES_HUNG_MS,
    );
  }

  test('the list in use is measured, the next one anew, and until then there are no figures', async () => {
    const { list, warnings } = register('measured.xml');
    assert.equal(list.quality(), null);
    await using running = list;
    await running.start();
    assert.equal(list.quality()?.quality, 'measuring');
    const small = await measured(list);
    assert.deepEqual(small.list, list.state());
    assert.equal(list.quality()?.quality, small.quality, 'what was measured is not measured again');
    clock.advance(60_000);
    await list.refresh();
    const { list: next, quality } = list.quality() ?? {};
    assert.notEqual(next?.sha256, small.list.sha256);
    assert.equal(quality, 'measuring', 'figures of another list are not shown');
    const again = await measured(list);
    assert.deepEqual([again.list, warnings], [list.state(), []]);
    assert.equal(again.quality.measuredAtMs, clock.now());
  });

  test('figures are of the names on the list', async () => {
    const large = { ...fictionalList(400, 5), generationDate: '2026-11-14T00:00:00.000Z' };
    await writeFile(join(directory, 'figures.xml'), fsfXml(large));
    simulators.setFault('fsf', '500');
    const { list } = register('figures.xml');
    await using running = list;
    await running.start();
    simulators.setFault('fsf', null);
    const { quality } = await measured(list);
    const sha256 = list.state()?.sha256 ?? '';
    const options = { seed: Number.parseInt(sha256.slice(0, 8), 16), queries: QUERIES };
    const { recall, falseHits } = measureQuality(large, options);
    assert.deepEqual([quality.recall, quality.falseHits], [recall, falseHits]);
    assert.ok(recall.some(({ entities }) => entities > 50));
  });

  test('a measurement does not outlive the service, and a late question begins none that stays', async () => {
    const { list, warnings } = register('stopped.xml');
    await list.start();
    assert.equal(list.quality()?.quality, 'measuring');
    await list[Symbol.asyncDispose]();
    assert.equal(list.quality()?.quality, 'measuring');
    assert.deepEqual(warnings, []);
  });
});
