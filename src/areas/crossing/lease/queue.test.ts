import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { NO_QUEUE, type Queue, queued, served, settled, waitForTurnsMs } from './queue.ts';

const [a, b, c] = ['a', 'b', 'c'].map((agent) => ({ agent, proof: `proof of ${agent}` })) as [Owner, Owner, Owner];
type Owner = { agent: string; proof: string };

function lineOf(owners: readonly Owner[], keepUntilMs = 100_000): Queue {
  return owners.reduce((queue, owner) => queued(queue, owner, keepUntilMs).queue, NO_QUEUE);
}

function agentsOf({ tickets }: Queue): string {
  return tickets.map(({ agent }) => agent).join('');
}

test('places are in the order of asking, and asking again keeps the place', () => {
  const line = lineOf([a, b, c]);
  const { queue, position } = queued(line, b, 200_000);
  assert.deepEqual([agentsOf(queue), position], ['abc', 2]);
  assert.equal(queued(queue, { ...b, proof: 'of somebody else' }, 1).position, 4);
});

test('while the key is held whoever does not ask in time is out, and nobody else', () => {
  const line = queued(lineOf([a, b], 1_000), b, 5_000).queue;
  assert.equal(agentsOf(settled(line, null, 999)), 'ab');
  assert.equal(agentsOf(settled(line, null, 1_000)), 'b');
  assert.equal(settled(line, null, 999), line, 'nothing to write');
});

test('each in the line has ten seconds from when the key frees or the turn before it ends', () => {
  const line = lineOf([a, b, c]);
  const first = [20_000, 29_999, 30_000, 39_999, 40_000, 50_000].map((now) => agentsOf(settled(line, 20_000, now)));
  assert.deepEqual(first, ['abc', 'abc', 'bc', 'bc', 'c', '']);
});

test('turns go on from where they were when the line is looked at in between', () => {
  const line = settled(lineOf([a, b, c]), 20_000, 31_000);
  const { queue } = queued(line, a, 100_000);
  assert.deepEqual([agentsOf(queue), queue.freeAtMs], ['bca', 30_000]);
  assert.equal(agentsOf(settled(queue, 20_000, 39_999)), 'bca');
  assert.equal(agentsOf(settled(queue, 20_000, 40_000)), 'ca');
});

test('who was gone before its turn costs the others nothing', () => {
  const line = queued(lineOf([a], 10_000), b, 90_000).queue;
  const { freeAtMs, ...rest } = settled(line, 20_000, 20_001);
  assert.deepEqual([agentsOf({ freeAtMs, ...rest }), freeAtMs], ['b', 20_000]);
});

test('a caller waits for the turns before it, and one without a ticket for all', () => {
  const line = settled(lineOf([a, b]), 20_000, 21_000);
  const waits = [a, b, c].map((caller) => waitForTurnsMs(line, caller, 21_000));
  assert.deepEqual(waits, [0, 9_000, 19_000]);
  assert.equal(waitForTurnsMs({ ...line, freeAtMs: null }, c, 21_000), 0, 'a held key has no turns');
});

test('who got the key leaves the line, and the turns end', () => {
  const line = settled(lineOf([a, b]), 20_000, 21_000);
  assert.deepEqual(served(line, a), { tickets: line.tickets.slice(1), freeAtMs: null });
});

test('a ticket kept alive is never passed by a later one, whenever the line is looked at', () => {
  const moments = fc.array(fc.nat(9_000), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(moments, (steps) => {
      let line = settled(lineOf([a, b], 1e9), 0, 0);
      let nowMs = 0;
      for (const step of steps) {
        nowMs += step;
        line = settled(line, 0, nowMs);
        const turns = [a, b].filter((caller) => line.tickets.length > 0 && waitForTurnsMs(line, caller, nowMs) === 0);
        assert.ok(turns.length <= 1);
        if (nowMs < 10_000) assert.deepEqual(turns, [a]);
        else if (nowMs < 20_000) assert.deepEqual(turns, [b]);
      }
    }),
  );
});
