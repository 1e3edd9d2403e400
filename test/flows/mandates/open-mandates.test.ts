import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { asked, erasedMandate, mandate, mandateBody, post, registered } from '../../support/mandates.ts';
import { TestService } from '../../support/service.ts';

for (const engine of ENGINES) {
  suite(`open mandates on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('a stranger that learned the id uses a mandate up; its principal sees who, narrows, voids and has its budget back', async () => {
      const clock = new ManualClock();
      await using service = await TestService.start({ engine, clock });
      const [shop, stranger] = [await registered(service), await registered(service, 'Stranger')];
      const period = { unit: 'day', cap_cents: 1_000, max_actions: 5 };
      const made = await mandate(
        service,
        mandateBody(clock.now(), { max_commit_cents: 1_000, period, max_actions: 6 }),
      );
      const path = `/api/amh/mandate/${made.mandate_id}`;
      const control = { 'x-amh-control': String(made['control_token']) };
      const use = async (platform: typeof shop, amount: number, payload: string, more = {}) =>
        (await platform.verify(asked(made.mandate_id, amount, payload, more))).json;
      const status = async (ref: unknown) => (await service.call(`/api/amh/status/${String(ref)}`)).json;

      await shop.seal((await use(shop, 100, 'wanted'))['verify_ref'], 'placed');
      const placed = (await use(stranger, 400, 'one'))['verify_ref'];
      await stranger.seal(placed, 'delivered');
      const over = (await use(stranger, 200, 'two', { hold_seconds: 60 }))['verify_ref'];
      clock.advance(61_000);
      const held = (await use(stranger, 500, 'three'))['verify_ref'];
      assert.equal((await use(shop, 1, 'refused'))['reason'], 'period_cap_exceeded');

      const { json: seen } = await service.call(path, { headers: control });
      assert.deepEqual(
        (seen['used_by'] as Record<string, unknown>[]).toSorted((a, b) => Number(a['uses']) - Number(b['uses'])),
        [
          { platform_id: shop.id, untrusted_name: 'Harbour Shop', uses: 1, reserved_cents: 0, committed_cents: 100 },
          { platform_id: stranger.id, untrusted_name: 'Stranger', uses: 3, reserved_cents: 500, committed_cents: 400 },
        ],
      );
      assert.ok(!('used_by' in (await service.call(path, { headers: { 'x-amh-key': shop.key } })).json));

      await post(service, `${path}/narrow`, { platforms: [shop.id] }, control);
      const { json: voided } = await post(service, `${path}/void`, { platform_id: stranger.id }, control);
      assert.equal(voided['returned_cents'], 900);
      const before = (voided['voided'] as Record<string, unknown>[]).map((one) => [one['verify_ref'], one['state']]);
      assert.deepEqual(Object.fromEntries(before), {
        [String(placed)]: 'delivered',
        [String(over)]: 'expired',
        [String(held)]: 'verified',
      });
      for (const [ref, cents] of [
        [placed, 400],
        [over, 0],
        [held, 500],
      ]) {
        const shown = await status(ref);
        assert.deepEqual([shown['state'], shown['committed_cents']], ['voided', 0]);
        const { voided_at, attestation_id, log_seq } = voided;
        assert.deepEqual(shown['voided'], { voided_at, returned_cents: cents, attestation_id, log_seq });
        const sealed = expectProblem(
          await stranger.seal(ref, 'placed', { external_ref: 'late' }),
          409,
          'transition_invalid',
        );
        assert.deepEqual([sealed['from'], sealed['allowed']], ['voided', []], 'not even a late seal takes it again');
      }
      assert.equal(((await status(placed))['seals'] as unknown[]).length, 1, 'what was sealed stays on record');
      const { json: after } = await service.call(path, { headers: control });
      assert.deepEqual(after['remaining'], { commit_cents: 900, period_cents: 900, actions: 5 });
      assert.deepEqual([after['flags'], after['open_holds']], [['voided'], []]);
      assert.equal((await use(stranger, 1, 'four'))['reason'], 'platform_not_allowed');
      assert.equal((await use(shop, 900, 'three'))['reason'], 'within_mandate', 'the payload is free again');
    });
  });
}

test('more than one call takes is voided call by call, and the answer says when there is more; an erasure takes all', async () => {
  const clock = new ManualClock();
  await using service = await TestService.start({ clock, env: { AVOUCH_RATE_ATTEST_SEAL: '1000/s,1000' } });
  const stranger = await registered(service, 'Stranger');
  const made = await mandate(service, mandateBody(clock.now()));
  const path = `/api/amh/mandate/${made.mandate_id}`;
  const control = { 'x-amh-control': String(made['control_token']) };
  const uses = Array.from({ length: 201 }, (_, at) => stranger.verify(asked(made.mandate_id, 1, `order ${at}`)));
  assert.ok((await Promise.all(uses)).every(({ json }) => json['ok'] === true));
  await post(service, `${path}/narrow`, { platforms: ['plt_0123456789abcdefghjkmnpqrs'] }, control);
  const take = async () => (await post(service, `${path}/void`, { platform_id: stranger.id }, control)).json;
  const [first, second] = [await take(), await take()];
  assert.deepEqual([first['returned_cents'], first['more']], [200, true]);
  assert.deepEqual([second['returned_cents'], second['more']], [1, false]);
  const { json } = await service.call(path, { headers: control });
  assert.equal((json['remaining'] as Record<string, unknown>)['commit_cents'], 50_000);
  assert.equal((await erasedMandate(service, made.mandate_id)).entries, 201);
  assert.equal((await erasedMandate(service, made.mandate_id)).entries, 0);
});
