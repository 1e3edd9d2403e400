import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MANDATE_CHECKS, REASONS } from '#areas/mandates/checks.ts';
import { HANDSHAKE_OUTCOMES, STATES, STEPS } from '#areas/mandates/handshake.ts';
import { suspensionUnit } from '#areas/mandates/suspension.ts';
import { DAY_MS, HOUR_MS } from '#kernel/clock.ts';
import { newCommandId, newToken } from '#kernel/ids.ts';
import { openToken, USER } from '../../support/ap2.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import type { TestService } from '../../support/service.ts';
import { newAddress, sharedServiceOn } from '../../support/shared-service.ts';
import {
  asked,
  type Body,
  erasedMandate,
  mandate,
  mandateBody,
  payloadHash,
  post,
  registered,
  signer,
  voidedUse,
} from '../../support/mandates.ts';

const HOLD_MS = 900_000;

function failed(json: Body): string[] {
  return (json['checks'] as { id: string; result: string }[])
    .filter(({ result }) => result === 'fail')
    .map(({ id }) => id);
}

for (const engine of ENGINES) {
  suite(`mandates on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('an allowed action is reserved, sealed, chained and provable, and the platform alone sees the rest', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const shop = await registered(service);
      const other = await registered(service, 'Another Shop');
      const { mandate_id: id } = await mandate(service, mandateBody(clock.now(), { max_actions: 40 }));
      const { json: allowed } = await shop.verify(asked(id, 12_999, 'order 1'));
      assert.deepEqual([allowed['ok'], allowed['decision'], allowed['reason']], [true, 'ALLOW', 'within_mandate']);
      assert.deepEqual(
        (allowed['checks'] as { id: string }[]).map((check) => check.id),
        MANDATE_CHECKS.map((check) => check.id),
      );
      assert.deepEqual(allowed['remaining'], { commit_cents: 37_001, period_cents: null, actions: 39 });
      const ref = allowed['verify_ref'];
      expectProblem(await other.seal(ref, 'placed'), 404, 'verify_ref_not_found');
      const { json: placed } = await shop.seal(ref, 'placed', { external_ref: 'order 4711', evidence: 'slip' });
      assert.deepEqual([placed['committed_cents'], placed['released_cents'], placed['late']], [12_999, 0, false]);
      assert.equal(placed['prev_attestation_id'], allowed['attestation_id']);
      const again = await shop.seal(ref, 'placed', { external_ref: 'order 4711', evidence: 'slip' });
      assert.equal(again.headers['idempotent-replayed'], 'true');
      assert.deepEqual(again.json, placed);
      const { json: delivered } = await shop.seal(ref, 'delivered', { final_amount_cents: 12_000 });
      assert.deepEqual([delivered['committed_cents'], delivered['released_cents']], [12_000, 999]);
      assert.equal(delivered['prev_attestation_id'], placed['attestation_id']);
      for (const { attestation_id: entry } of [allowed, placed, delivered]) {
        const { json: verified } = await service.call(`/api/attest/verify/${String(entry)}`);
        assert.deepEqual([verified['valid'], verified['schema_id']], [true, 'amh.handshake.v1']);
      }
      const { json: open } = await service.call(`/api/amh/status/${String(ref)}`);
      assert.deepEqual([open['state'], open['committed_cents'], 'checks' in open], ['delivered', 12_000, false]);
      const own = await service.call(`/api/amh/status/${String(ref)}`, { headers: { 'x-amh-key': shop.key } });
      assert.deepEqual([own.json['mandate_id'], own.json['external_ref']], [id, null]);
      const foreign = await service.call(`/api/amh/status/${String(ref)}`, { headers: { 'x-amh-key': other.key } });
      assert.deepEqual(foreign.json, open);
    });

    test('every refusal has its reason, is a 200, reserves nothing and is in the log', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const shop = await registered(service);
      const agent = signer(0x52);
      const at = (ms: number) => new Date(clock.now() + ms).toISOString();
      const given = async (more: Body) => (await mandate(service, mandateBody(clock.now(), more))).mandate_id;
      const soon = await given({ valid_until: at(60_000) });
      const revoked = await mandate(service, mandateBody(clock.now()));
      const control = { 'x-amh-control': String(revoked['control_token']) };
      assert.equal((await post(service, `/api/amh/mandate/${revoked.mandate_id}/revoke`, {}, control)).status, 200);
      const busy = await given({ max_actions: 1 });
      await shop.verify(asked(busy, 1, 'first'));
      const twice = await given({});
      const { json: first } = await shop.verify(asked(twice, 1, 'again'));
      clock.advance(120_000);
      const cases: readonly [string, string, Body?][] = [
        ['mandate_revoked', revoked.mandate_id],
        ['not_yet_valid', await given({ valid_from: at(HOUR_MS) })],
        ['expired', soon],
        ['platform_not_allowed', await given({ platforms: ['plt_0123456789abcdefghjkmnpqrs'] })],
        ['action_not_allowed', await given({ actions: ['order.cancel'] })],
        ['action_not_allowed', await given({}), { action: 'custom', custom_action: 'crane.rent' }],
        ['counterparty_not_allowed', await given({ counterparties: ['kvk:1'] }), { counterparty: 'kvk:2' }],
        ['counterparty_not_allowed', await given({ counterparties: ['kvk:1'] })],
        ['currency_mismatch', await given({ currency: 'USD' })],
        ['amount_invalid', await given({}), { amount_cents: 0 }],
        ['per_action_cap_exceeded', await given({ per_action_cap_cents: 99 })],
        ['period_cap_exceeded', await given({ period: { unit: 'day', cap_cents: 99 } })],
        [
          'cumulative_cap_exceeded',
          await given({ max_commit_cents: 99, per_action_cap_cents: 99 }),
          { amount_cents: 99 },
        ],
        ['max_actions_exceeded', busy],
        ['duplicate_payload', twice, { payload_hash: payloadHash('again') }],
        ['assurance_too_low', await given({}), { min_assurance: 'principal_signed' }],
        ['signature_invalid', await given({ agent_pubkey: agent.publicKey })],
        ['approval_required', await given({ approval: { required_above_cents: 99 } })],
      ];
      const capped = cases.find(([reason]) => reason === 'cumulative_cap_exceeded')?.[1] as string;
      await shop.verify(asked(capped, 50, 'before'));
      const reached = new Set(['within_mandate']);
      for (const [reason, id, more] of cases) {
        const { status, json, text } = await shop.verify(asked(id, 100, 'order 1', more));
        assert.deepEqual([status, json['ok'], json['reason']], [200, false, reason], text);
        assert.deepEqual([json['reserved_cents'], json['expires_at']], [0, null]);
        assert.equal(json['decision'], reason === 'approval_required' ? 'NEEDS_APPROVAL' : 'DENY');
        const { json: verified } = await service.call(`/api/attest/verify/${String(json['attestation_id'])}`);
        assert.equal(verified['valid'], true);
        if (reason === 'platform_not_allowed') assert.equal(json['remaining'], null);
        if (reason === 'duplicate_payload') assert.equal(json['existing_verify_ref'], first['verify_ref']);
        if (reason === 'currency_mismatch') assert.deepEqual(failed(json), ['M6']);
        reached.add(reason);
      }
      const own = REASONS.filter((reason) => !reason.startsWith('ap2_'));
      assert.deepEqual([...reached].toSorted(), own.toSorted());
    });

    test('a platform that is not named learns the same whatever it asks', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const shop = await registered(service);
      const body = mandateBody(clock.now(), { platforms: ['plt_0123456789abcdefghjkmnpqrs'] });
      const { mandate_id: id } = await mandate(service, body);
      const shown = async (amount: number) => {
        const { json } = await shop.verify(asked(id, amount, `order ${amount}`));
        return [json['reason'], json['checks'], json['remaining'], json['reserved_cents']];
      };
      assert.deepEqual(await shown(1), await shown(9_999_999));
    });

    test('every step of the table is taken or refused, and what may not follow changes nothing', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const shop = await registered(service);
      const { mandate_id: id } = await mandate(service, mandateBody(clock.now(), { max_commit_cents: 10_000_000 }));
      let orders = 0;
      // Nothing may follow it: one is enough.
      let voided: Awaited<ReturnType<typeof voidedUse>> | undefined;
      const arrive = async (state: string): Promise<unknown> => {
        orders += 1;
        if (state === 'voided') return (voided ??= await voidedUse(service, shop, mandateBody(clock.now()))).ref;
        const amount = state === 'denied' ? 99_999_999 : 100;
        const { json } = await shop.verify(asked(id, amount, `order ${orders}`, { hold_seconds: 60 }));
        if (state === 'expired') clock.advance(61_000);
        else if (state !== 'verified' && state !== 'denied') await shop.seal(json['verify_ref'], state);
        return json['verify_ref'];
      };
      for (const state of STATES) {
        for (const outcome of HANDSHAKE_OUTCOMES) {
          const ref = await arrive(state);
          const path = `/api/amh/status/${String(ref)}`;
          const before = await service.call(path);
          assert.equal(before.json['state'], state);
          const sealed = await shop.seal(ref, outcome, { external_ref: 'another body' });
          if (STEPS[state].includes(outcome)) {
            assert.equal(sealed.status, 200, `${state} to ${outcome}: ${sealed.text}`);
            assert.deepEqual([sealed.json['late'], sealed.json['state']], [state === 'expired', outcome]);
            continue;
          }
          const problem = expectProblem(sealed, 409, 'transition_invalid');
          assert.deepEqual([problem['from'], problem['to'], problem['allowed']], [state, outcome, [...STEPS[state]]]);
          assert.deepEqual((await service.call(path)).json, before.json);
        }
      }
    });

    test('a late seal is taken over the cap and after revocation, and says so for ever', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const shop = await registered(service);
      const made = await mandate(service, mandateBody(clock.now(), { max_commit_cents: 100 }));
      const { json: first } = await shop.verify(asked(made.mandate_id, 80, 'order 1'));
      clock.advance(HOLD_MS);
      const { json: second } = await shop.verify(asked(made.mandate_id, 70, 'order 2'));
      assert.equal(second['ok'], true);
      const control = { 'x-amh-control': String(made['control_token']) };
      const revoke = () => post(service, `/api/amh/mandate/${made.mandate_id}/revoke`, { reason: 'over' }, control);
      const revoked = await revoke();
      assert.deepEqual([revoked.json['status'], revoked.json['open_holds']], ['revoked', 1]);
      assert.deepEqual((await revoke()).json, revoked.json);
      const { json: late } = await shop.seal(first['verify_ref'], 'placed');
      assert.deepEqual([late['late'], late['over_cap'], late['committed_cents']], [true, true, 80]);
      const { json: onTime } = await shop.seal(second['verify_ref'], 'delivered');
      assert.deepEqual([onTime['late'], onTime['over_cap']], [false, false]);
      const { json: view } = await service.call(`/api/amh/mandate/${made.mandate_id}`);
      assert.deepEqual(view['flags'], ['open_mandate', 'over_cap', 'sealed_after_revocation']);
      const { json: after } = await shop.verify(asked(made.mandate_id, 1, 'order 3'));
      assert.equal(after['reason'], 'mandate_revoked');
    });

    test('a late seal is refused once more would be committed than can be counted exactly', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const shop = await registered(service);
      const most = Number.MAX_SAFE_INTEGER;
      const made = await mandate(service, mandateBody(clock.now(), { max_commit_cents: most }));
      const committed = async () => {
        const headers = { 'x-amh-control': String(made['control_token']) };
        const { json } = await service.call(`/api/amh/mandate/${made.mandate_id}`, { headers });
        return (json['used_by'] as Body[]).map((use) => [use['reserved_cents'], use['committed_cents']]);
      };
      const { json: first } = await shop.verify(asked(made.mandate_id, most, 'order 1'));
      clock.advance(HOLD_MS);
      const { json: second } = await shop.verify(asked(made.mandate_id, 2, 'order 2'));
      const refused = expectProblem(await shop.seal(first['verify_ref'], 'placed'), 409, 'amount_exceeds_verified');
      assert.match(String(refused['detail']), /9007199254740991/);
      assert.deepEqual(await committed(), [[2, 0]]);
      const late = await shop.seal(first['verify_ref'], 'placed', { final_amount_cents: most - 2 });
      assert.deepEqual([late.json['late'], late.json['committed_cents']], [true, most - 2], late.text);
      assert.equal((await shop.seal(second['verify_ref'], 'placed')).status, 200);
      assert.deepEqual(await committed(), [[0, most]]);
    });

    test('an approval is for one payload, up to its amount, once', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const shop = await registered(service);
      const made = await mandate(service, mandateBody(clock.now(), { approval: { required_above_cents: 100 } }));
      const approve = (amount: number, payload: string) =>
        post(
          service,
          `/api/amh/mandate/${made.mandate_id}/approve`,
          { action: 'order.place', amount_cents: amount, currency: 'EUR', payload_hash: payloadHash(payload) },
          { 'x-amh-control': String(made['control_token']) },
        );
      const { status, json } = await approve(500, 'order 1');
      assert.equal(status, 201);
      const verify = async (amount: number, payload: string): Promise<Answer> =>
        shop.verify(asked(made.mandate_id, amount, payload, { approval_ref: json['approval_ref'] }));
      assert.equal((await verify(400, 'order 2')).json['reason'], 'approval_required');
      assert.equal((await verify(501, 'order 1')).json['reason'], 'approval_required');
      const { json: allowed } = await verify(500, 'order 1');
      assert.equal(allowed['decision'], 'ALLOW');
      await shop.seal(allowed['verify_ref'], 'cancelled');
      assert.equal((await verify(500, 'order 1')).json['reason'], 'approval_required');
    });

    test('a signed mandate, its agent and its principal are believed by their signatures only', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const shop = await registered(service);
      const principal = signer(0x51);
      const agent = signer(0x52);
      const unsigned = mandateBody(clock.now(), {
        nonce: 'n-0001-0123456789abcdef',
        principal_pubkey: principal.publicKey,
        agent_pubkey: agent.publicKey,
      });
      const signed = { ...unsigned, principal_signature: principal.sign(unsigned) };
      const forged = { ...signed, max_commit_cents: 50_001 };
      expectProblem(await post(service, '/api/amh/mandate', forged), 400, 'signature_invalid');
      const made = await mandate(service, signed);
      assert.equal(made['assurance'], 'principal_signed');
      expectProblem(await post(service, '/api/amh/mandate', signed), 409, 'nonce_reused');
      const request = asked(made.mandate_id, 100, 'order 1');
      const agent_signature = agent.sign({ op: 'verify', platform_id: shop.id, ...request });
      assert.equal((await shop.verify({ ...request, agent_signature })).json['decision'], 'ALLOW');
      const changed = { ...request, amount_cents: 101, agent_signature };
      assert.deepEqual(failed((await shop.verify(changed)).json).includes('M12'), true);
      const stated = { nonce: 'r-0001-0123456789abcdef', at: new Date(clock.now()).toISOString() };
      const signature = principal.sign({ op: 'revoke', mandate_id: made.mandate_id, ...stated });
      const revoke = (body: Body) => post(service, `/api/amh/mandate/${made.mandate_id}/revoke`, body);
      expectProblem(await revoke({ ...stated, principal_signature: agent.sign(stated) }), 400, 'signature_invalid');
      expectProblem(await revoke({}), 401, 'key_missing');
      assert.equal((await revoke({ ...stated, principal_signature: signature })).status, 200);
    });

    test('the same key gives the same bytes and one reservation, another body is refused', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const shop = await registered(service);
      const body = mandateBody(clock.now());
      const create = () => post(service, '/api/amh/mandate', body, { 'idempotency-key': 'm-1' });
      const made = await create();
      const repeated = await create();
      assert.deepEqual([repeated.text, repeated.headers['idempotent-replayed']], [made.text, 'true']);
      const id = String(made.json['mandate_id']);
      const key = { 'idempotency-key': 'v-1' };
      const answers = await Promise.all(Array.from({ length: 8 }, () => shop.verify(asked(id, 100, 'order 1'), key)));
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 7);
      expectProblem(await shop.verify(asked(id, 101, 'order 1'), key), 409, 'idempotency_conflict');
      const control = { headers: { 'x-amh-control': String(made.json['control_token']) } };
      const { json } = await service.call(`/api/amh/mandate/${id}`, control);
      assert.deepEqual(json['remaining'], { commit_cents: 49_900, period_cents: null, actions: null });
      assert.equal((json['open_holds'] as unknown[]).length, 1);
    });

    test('an erased mandate is as one that never was, but what was verified under it can be sealed and is booked as before', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const shop = await registered(service);
      const once = { 'idempotency-key': newCommandId() };
      const body = mandateBody(clock.now(), { max_commit_cents: 100, counterparties: ['kvk:12345678'] });
      const creation = await post(service, '/api/amh/mandate', body, once);
      assert.deepEqual(
        (await post(service, '/api/amh/mandate', body, once)).json,
        creation.json,
        'a kept answer is whole while the mandate is',
      );
      const id = String(creation.json['mandate_id']);
      const control = { 'x-amh-control': String(creation.json['control_token']) };
      const ask = (amount: number, payload: string) =>
        shop.verify(asked(id, amount, payload, { counterparty: 'kvk:12345678', request_id: payload }));
      const { json: expired } = await ask(100, 'order 1');
      clock.advance(HOLD_MS);
      const { json: open } = await ask(60, 'order 2');
      const { json: placed } = await ask(40, 'order 3');
      await shop.seal(placed['verify_ref'], 'placed', { external_ref: 'order 3', evidence: 'slip' });
      const statusOf = async ({ verify_ref: ref }: Body) =>
        (await service.call(`/api/amh/status/${String(ref)}`, { headers: { 'x-amh-key': shop.key } })).json;
      const before = await statusOf(placed);

      const { again, entries, attestation_id: statement } = await erasedMandate(service, id);
      assert.deepEqual([again, entries], [false, 4], 'three verifications and a seal');
      const { json: said } = await service.call(`/api/attest/verify/${statement}`);
      const digest = `sha256:${String(creation.json['mandate_sha256'])}`;
      assert.deepEqual(said['claim'], { statement: `amh.mandate.erased ${digest} by operator: request` });
      const after = { external_ref: null, evidence: null, mandate: 'erased' };
      assert.deepEqual(await statusOf(placed), { ...before, ...after });

      const unknown = 'mnd_0123456789abcdefghjkmnpqrs';
      const path = (of: string, deed = '') => `/api/amh/mandate/${of}${deed}`;
      const approved = { action: 'order.place', amount_cents: 1, currency: 'EUR', payload_hash: payloadHash('x') };
      for (const call of [
        (of: string) => service.call(path(of)),
        (of: string) => service.call(path(of), { headers: control }),
        (of: string) => service.call(path(of), { headers: { 'x-amh-key': shop.key } }),
        (of: string) => shop.verify(asked(of, 1, 'order 4')),
        (of: string) => post(service, path(of, '/revoke'), {}, control),
        (of: string) => post(service, path(of, '/narrow'), { platforms: [shop.id] }, control),
        (of: string) => post(service, path(of, '/void'), { platform_id: shop.id }, control),
        (of: string) => post(service, path(of, '/approve'), approved, control),
      ]) {
        const [gone, never] = [await call(id), await call(unknown)].map((answer) => {
          const { request_id: _, instance: __, ...told } = expectProblem(answer, 404, 'mandate_not_found');
          return told;
        });
        assert.deepEqual(gone, never);
      }
      const { json: replayed } = await ask(60, 'order 2');
      assert.deepEqual(replayed, { ...open, disclosure_seed: null });
      expectProblem(await post(service, '/api/amh/mandate', body, once), 409, 'idempotency_conflict');

      const { json: sealed } = await shop.seal(open['verify_ref'], 'placed');
      assert.deepEqual([sealed['committed_cents'], sealed['late'], sealed['over_cap']], [60, false, false]);
      const late = await shop.seal(expired['verify_ref'], 'placed', { external_ref: 'order 1' });
      assert.deepEqual([late.json['late'], late.json['over_cap']], [true, true], 'the cap of the mandate is known');
      assert.equal((await statusOf(expired))['external_ref'], 'order 1');
      const second = await erasedMandate(service, id);
      assert.deepEqual(second, { again: true, erased_at: second.erased_at, attestation_id: statement, entries: 2 });
      assert.equal((await statusOf(expired))['external_ref'], null);
      assert.equal((await service.call('/api/astralock/audit')).json['ok'], true);
    });

    test('what was signed for an erased mandate makes no second one', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const { publicKey, sign } = signer(0x31);
      const unsigned = mandateBody(clock.now(), { nonce: 'n-erased-0123456789', principal_pubkey: publicKey });
      const signed = { ...unsigned, principal_signature: sign(unsigned) };
      await erasedMandate(service, (await mandate(service, signed)).mandate_id);
      expectProblem(await post(service, '/api/amh/mandate', signed), 409, 'nonce_reused');
      const open_payment_mandate = openToken(clock.now());
      const given = { agent_id: 'agent:shopper-7', ap2: { open_payment_mandate, user_jwk: USER.jwk } };
      await erasedMandate(service, (await mandate(service, given)).mandate_id);
      const again = expectProblem(await post(service, '/api/amh/mandate', given), 409, 'imported_before');
      assert.match(String(again['detail']), /erased/);
    });

    test('what a hold kept aside is free again once it is over, however many holds of others are over too', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const shop = await registered(service);
      const busy = await mandate(service, mandateBody(clock.now()));
      const { mandate_id: id } = await mandate(service, mandateBody(clock.now(), { max_commit_cents: 100 }));
      const verify = (body: Body, hold_seconds: number) => shop.verify({ ...body, hold_seconds });
      const others = Array.from({ length: 501 }, (_, i) => verify(asked(busy.mandate_id, 1, `other ${i}`), 60));
      const held = await Promise.all(others);
      assert.ok(held.every(({ json }) => json['ok'] === true));
      assert.equal((await verify(asked(id, 100, 'first'), 61)).json['ok'], true);
      assert.equal((await verify(asked(id, 100, 'second'), 61)).json['reason'], 'cumulative_cap_exceeded');
      clock.advance(61_000);
      assert.equal((await verify(asked(id, 100, 'third'), 61)).json['ok'], true);
    });

    test('a mandate is made once under a long key, also over midnight and from another address; under a short one at one address', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const [home, away] = [service.from(newAddress()), service.from(newAddress())];
      const body = mandateBody(clock.now());
      const create = async (from: TestService, key: string) => {
        const { json } = await post(from, '/api/amh/mandate', body, { 'idempotency-key': key });
        return [json['mandate_id'], json['control_token']];
      };
      const long = `${newToken()}-of-mandate`;
      const [made, short] = [await create(home, long), await create(home, 'm-2')];
      assert.deepEqual(await create(away, long), made);
      assert.notDeepEqual(await create(away, 'm-2'), short, 'a stranger could guess it');
      const midnightMs = (Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS;
      clock.advance(midnightMs - clock.now());
      await service.heartbeat();
      assert.deepEqual(await create(home, long), made);
      clock.advance(DAY_MS);
      assert.notDeepEqual(await create(home, long), made, 'kept for a day');
    });

    test('a suspended platform may seal what it holds and nothing else', async () => {
      const { service, clock } = await sharedServiceOn(engine);
      const shop = await registered(service);
      const { mandate_id: id } = await mandate(service, mandateBody(clock.now()));
      const { json: held } = await shop.verify(asked(id, 100, 'order 1'));
      await service.service.store.run(suspensionUnit, { platformId: shop.id, status: 'suspended' });
      expectProblem(await shop.verify(asked(id, 100, 'order 2')), 403, 'suspended');
      assert.equal((await shop.seal(held['verify_ref'], 'placed')).status, 200);
      expectProblem(await shop.seal(held['verify_ref'], 'delivered'), 403, 'suspended');
      await service.service.store.run(suspensionUnit, { platformId: shop.id, status: 'active' });
      assert.equal((await shop.seal(held['verify_ref'], 'delivered')).status, 200);
    });
  });
}
