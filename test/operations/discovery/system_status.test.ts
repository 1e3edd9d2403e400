import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { Status } from '#areas/discovery/status-answer.ts';
import { HOUR_MS, ManualClock } from '#kernel/clock.ts';
import { buildId } from '../../../src/platform/version.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';
import { bareService } from '../../support/shared-service.ts';
import { until } from '../../support/until.ts';

const START_MS = Date.UTC(2026, 10, 15, 10);

const statuses = new PromisedStatuses('system_status');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

for (const engine of ENGINES) {
  suite(`status on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('status names each part with its state and the engine with its durability', async () => {
      await using service = await TestService.start({ engine, clock: new ManualClock(START_MS) });
      const answer = statuses.saw(await service.call('/system/status'));
      statuses.saw(await service.call('/system/status?format=xml'));
      const status = Status.parse(answer.json);
      assert.equal(status.status, 'operational');
      assert.deepEqual(
        status.components.map(({ id, status: state }) => `${id} ${state}`),
        [
          ...['http', 'storage', 'signer', 'log', 'audit_trail'].map((id) => `${id} up`),
          ...['witnesses not_configured', 'wallet up', 'payment not_configured', 'settlement not_configured'],
          ...['mail up', 'mcp degraded', 'search degraded'],
        ],
      );
      const byId = Object.groupBy(status.components, ({ id }) => id);
      assert.equal(byId['wallet']?.[0]?.detail, 'Last audit: tail, no errors; append_only: trigger.');
      assert.partialDeepStrictEqual(byId['mcp']?.[0], { last_check: null, detail: 'Not checked yet.' });
      assert.equal((await service.call('/api/v1/health')).json['status'], 'ok');
      assert.partialDeepStrictEqual(status.wallet, { audit_ok: true, append_only: 'trigger' });
      assert.equal(status.build_id, buildId());
      assert.match(status.build_id, /^[0-9a-f]{16}$/);
      const synchronous = engine === 'sqlite' ? 'full' : 'on';
      assert.deepEqual(status.storage, { engine, durable: true, synchronous, risks: [] });
      assert.partialDeepStrictEqual(status.log, { witnesses: 'not_configured', last_audit: null });
      assert.match(status.log.root_hash, /^[0-9a-f]{64}$/);
      await service.call('/api/astralock/audit');
      const audited = Status.parse((await service.call('/system/status')).json).log;
      assert.deepEqual([audited.last_audit?.ok, audited.last_audit?.entries], [true, audited.tree_size]);
      let counted = status;
      await until('figures that are counted', async () => {
        counted = Status.parse((await service.call('/system/status')).json);
        return counted.availability !== null;
      });
      assert.deepEqual(counted.payments, {
        backend: null,
        unknown_settlements: 0,
        oldest_unknown_s: null,
        refunds_due: 0,
      });
      assert.deepEqual(
        [
          counted.latency_history.at.length,
          counted.latency_history.series.map(({ id, values }) => [id, values.length]),
        ],
        [1, [['storage', 1]]],
      );
      const { json: economy } = await service.call('/economy/manifest');
      assert.partialDeepStrictEqual(economy['live'], { settled_usdc_total: '0', rejects_total: 0 });
      assert.ok(Number((economy['live'] as Record<string, unknown>)['seals_total']) >= 1);
      assert.equal(answer.headers['cache-control'], 'public, max-age=10');
      assert.deepEqual(
        status.registers.map(({ id, status: state }) => `${id} ${state}`),
        ['vies', 'kvk', 'cir', 'rdw', 'companies_house', 'dvsa_mot', 'eu_fsf'].map((id) => `${id} up`),
      );
      const file = await readFile(join(service.dataDir, 'eu-fsf.sandbox.xml'));
      assert.deepEqual(status.registers.at(-1)?.list, {
        list_generated: new Date(Date.parse(status.started_at) - 6 * HOUR_MS).toISOString().slice(0, 10),
        age_hours: 6,
        entities: 8,
        names: 16,
        sha256: createHash('sha256').update(file).digest('hex'),
      });
      expectProblem(statuses.saw(await service.call('/system/status?x=')), 400, 'invalid_parameters');
    });
  });
}

test('a register that is switched off is not configured; a list that did not come is down, one that is old degraded', async () => {
  const clock = new ManualClock(START_MS);
  await using simulators = await RegisterSimulators.start(() => clock.now());
  const euFsf = async (service: TestService) =>
    Status.parse((await service.call('/system/status')).json).registers.find(({ id }) => id === 'eu_fsf');
  const registerSimulators = { simulators };
  assert.equal((await euFsf((await bareService()).service))?.status, 'not_configured');
  simulators.setFault('fsf', '500');
  await using without = await TestService.start({ clock, registerSimulators });
  assert.partialDeepStrictEqual(await euFsf(without), { status: 'down', list: null, last_success: null });
  simulators.setFault('fsf', null);
  await using service = await TestService.start({ clock, registerSimulators });
  const last_success = new Date(clock.now()).toISOString();
  assert.partialDeepStrictEqual(await euFsf(service), { status: 'up', last_success });
  clock.advance(43 * HOUR_MS);
  assert.partialDeepStrictEqual(await euFsf(service), { status: 'degraded', last_success, list: { age_hours: 49 } });
});

test('registers are probed every minute, without a call', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  await using service = await TestService.start({ clock: new ManualClock(START_MS) });
  const success = async () => {
    const { registers } = Status.parse((await service.call('/system/status')).json);
    return registers.filter(({ success_5m }) => success_5m === 1).map(({ id }) => id);
  };
  assert.deepEqual(await success(), []);
  t.mock.timers.tick(60_000);
  await until('answers to the probes', async () => (await success()).length >= 2);
  assert.deepEqual(await success(), ['vies', 'kvk']);
});

test('parts that load late are asked in the background, and none is up that was not checked for a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const clock = new ManualClock(START_MS);
  await using service = await TestService.start({ clock });
  const states = async (): Promise<Record<string, string>> => {
    const { components, status } = Status.parse((await service.call('/system/status')).json);
    return { ...Object.fromEntries(components.map((one) => [one.id, one.status])), status };
  };
  clock.advance(30_000);
  t.mock.timers.tick(5_000);
  const areUp = async (...ids: string[]) => {
    const found = await states();
    return ids.every((id) => found[id] === 'up');
  };
  await until('parts that answer', () => areUp('mcp', 'search'));
  assert.equal((await states())['status'], 'operational');
  clock.advance(60_001);
  const late = await states();
  assert.deepEqual(
    [late['http'], late['signer'], late['mcp'], late['search']],
    ['up', 'degraded', 'degraded', 'degraded'],
  );
  assert.deepEqual([late['mail'], late['status']], ['degraded', 'degraded']);
  t.mock.timers.tick(5_000);
  await until(
    'a new look at every part',
    async () => (await areUp('mcp')) && (await states())['status'] === 'operational',
  );
});
