// With settlement down every surface says the same, and callers hear of it before they sign.
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { Status } from '#areas/discovery/status-answer.ts';
import { expectProblem } from '../../support/client.ts';
import { AUDIT, PaidService } from '../../support/paid-service.ts';
import { lockDatabase } from '../../support/service.ts';
import { until } from '../../support/until.ts';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly component?: string;
  readonly from?: string;
  readonly to?: string;
  readonly cause?: string | null;
}

/** What the services of this process write to standard error about their components. */
function componentLines(t: TestContext): () => Line[] {
  const { mock } = t.mock.method(process.stderr, 'write', () => true);
  return () =>
    mock.calls
      .flatMap((call) => String(call.arguments[0]).split('\n'))
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line)
      .filter(({ component }) => component !== undefined);
}

function gaugeIn(text: string, name: string): number {
  return Number(new RegExp(`^${name.replaceAll(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** What each surface says of the whole, and of settlement. */
async function said({ service }: PaidService) {
  const [health, status, home, ready, metrics] = await Promise.all([
    service.call('/api/v1/health'),
    service.call('/system/status'),
    service.call('/'),
    service.call('/readyz'),
    service.call('/metrics'),
  ]);
  const components = status.json['components'] as { id: string; status: string }[];
  return {
    health: health.json['health'] ?? health.json['status'],
    status: status.json['status'],
    settlement: components.find(({ id }) => id === 'settlement')?.status,
    home: (home.json['live'] as { status: string }).status,
    ready: [ready.status, ready.json['status'], ready.json['health']],
    metric: gaugeIn(metrics.text, 'avouch_health'),
    settlementMetric: gaugeIn(metrics.text, 'avouch_component_up{id="settlement"}'),
  };
}

/** What status tells of earlier changes, newest first. */
async function changesIn({ service }: PaidService) {
  const { history } = Status.parse((await service.call('/system/status')).json);
  return history.map(({ component, status, detail }) => [component, status, detail]);
}

const WELL = {
  health: 'ok',
  status: 'operational',
  settlement: 'up',
  home: 'operational',
  ready: [200, 'ready', 'ok'],
  metric: 1,
  settlementMetric: 1,
};
const HURT = {
  health: 'degraded',
  status: 'degraded',
  settlement: 'down',
  home: 'degraded',
  ready: [200, 'ready', 'degraded'],
  metric: 0.5,
  settlementMetric: 0,
};

suite('settlement that is down', () => {
  test('is told by health, status, home, readiness, figures and one log line, and before a caller signs', async (t) => {
    const lines = componentLines(t);
    await using paid = await PaidService.start({ env: { AVOUCH_LOG_LEVEL: 'info' } });
    const { service, chain, clock } = paid;
    const isSettled = async (state: string) => {
      clock.advance(5_000);
      await service.heartbeat();
      return (await said(paid)).settlement === state;
    };
    await until('settlement that was asked', () => isSettled('up'));
    assert.deepEqual(await said(paid), WELL);
    const signed = await paid.sign(AUDIT);
    assert.deepEqual(lines(), []);

    chain.isReachable = false;
    await until('settlement that is down', () => isSettled('down'));
    for (let beats = 0; beats < 3; beats += 1) await isSettled('down');
    assert.deepEqual(await said(paid), HURT);
    const unpaid = await paid.call(AUDIT);
    const problem = expectProblem(unpaid, 503, 'chain_unavailable');
    assert.deepEqual([problem['charged'], typeof problem['retry_after_s']], [false, 'number']);
    assert.equal(unpaid.headers['payment-required'], undefined, 'no price is quoted');
    assert.equal((await paid.call(AUDIT, {}, 'HEAD')).status, 503);
    assert.equal(expectProblem(await paid.pay(AUDIT, signed), 503, 'chain_unavailable')['charged'], false);
    assert.equal((await paid.call('/v1/look?key=k:1')).status, 200, 'free calls go on');
    assert.deepEqual(
      lines().map(({ level, msg, component, from, to, cause }) => [level, msg, component, from, to, cause]),
      [['error', 'component state change', 'settlement', 'up', 'down', 'The chain is switched off.']],
    );

    chain.isReachable = true;
    await until('settlement that is back', () => isSettled('up'));
    for (let beats = 0; beats < 3; beats += 1) await isSettled('up');
    assert.deepEqual(await said(paid), WELL);
    assert.equal((await paid.buy(AUDIT)).status, 200);
    assert.deepEqual(
      lines().map(({ level, component, from, to }) => [level, component, from, to]),
      [
        ['error', 'settlement', 'up', 'down'],
        ['info', 'settlement', 'down', 'up'],
      ],
    );
    assert.deepEqual(paid.transfers().length, 1, 'what was refused while it was down was never charged');
    assert.deepEqual(await changesIn(paid), [
      ['settlement', 'up', null],
      ['settlement', 'down', 'The chain is switched off.'],
    ]);
  });

  test('that no call has met is found by its check, and asked again with the next beat', async () => {
    await using paid = await PaidService.start();
    const { service, chain, clock } = paid;
    let asked = 0;
    chain.status = () => ({ state: 'up', detail: null });
    chain.probe = async () => {
      asked += 1;
      if (!chain.isReachable) throw new Error('http://node.example does not answer');
    };
    const beat = async () => {
      clock.advance(5_000);
      await service.heartbeat();
    };
    chain.isReachable = false;
    await until('settlement that is down', async () => (await beat(), (await said(paid)).settlement === 'down'));
    assert.deepEqual(await said(paid), HURT);
    const { text } = await service.call('/system/status');
    assert.doesNotMatch(text, /node\.example/, 'what a dependency says is not shown');
    const before = asked;
    await beat();
    await until('the next question', () => asked > before);
    chain.isReachable = true;
    await until('settlement that is back', async () => (await beat(), (await said(paid)).settlement === 'up'));
  });
});

test('a store that takes no writes is down everywhere, and well everywhere after the next beat', async (t) => {
  const lines = componentLines(t);
  await using paid = await PaidService.start({ env: { AVOUCH_LOG_LEVEL: 'info' } });
  const { service } = paid;
  const words = async () => {
    const { health, status, home, ready, metric } = await said(paid);
    return [health, status, home, ...ready, metric];
  };
  const signed = await paid.sign(AUDIT);
  {
    using _lock = lockDatabase(service.dataDir);
    await service.heartbeat();
    const told = lines().map(({ component, from, to }) => `${component} ${from} ${to}`);
    assert.deepEqual(told, ['storage up down'], 'without a call');
    assert.deepEqual(await words(), ['down', 'outage', 'outage', 503, 'not_ready', 'down', 0]);
    assert.equal((await service.call('/readyz')).json['reason'], 'storage: Writes cannot be committed.');
    const { detail } = (await service.call('/api/v1/health')).json;
    assert.equal(detail, 'storage: Writes cannot be committed.');
    const refused = expectProblem(await paid.pay(AUDIT, signed), 503, 'storage_unavailable');
    assert.equal(refused['charged'], null, 'another process may have it');
    assert.deepEqual(await changesIn(paid), [['storage', 'down', 'Writes cannot be committed.']]);
  }
  await service.heartbeat();
  assert.deepEqual(
    lines().map(({ component, from, to }) => `${component} ${from} ${to}`),
    ['storage up down', 'storage down up'],
  );
  assert.deepEqual(await words(), ['ok', 'operational', 'operational', 200, 'ready', 'ok', 1]);
  const BOTH = [
    ['storage', 'up', null],
    ['storage', 'down', 'Writes cannot be committed.'],
  ];
  assert.deepEqual(await changesIn(paid), BOTH);
  await paid.restart();
  assert.deepEqual(await changesIn(paid), BOTH, 'what could not be written at the time is written later');
});
