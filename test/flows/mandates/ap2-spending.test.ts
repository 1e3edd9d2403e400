// Ways to spend one closed mandate twice, or to make two budgets of one open mandate.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Mandates } from '#areas/mandates/service.ts';
import { verifyAction } from '#areas/mandates/handshake-operations.ts';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { Answer } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { mandatesOn } from '../../models/mandate-model.ts';
import * as ap2 from '../../support/ap2.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { type OpenedStore, openStore } from '../../support/engines.ts';
import { otherKeyOf } from '../../support/other-key.ts';

const call = { requestId: 'r', addressTag: 'a', mediaType: 'application/json' };
const PURCHASE = { nonce: 'n-1', amount: 100 };
const jwtOf = (token: string) => token.split('~')[0] ?? '';
const withJwt = (token: string, jwt: string) => [jwt, ...token.split('~').slice(1)].join('~');
/** The same header and payload, signed once more. */
const signedAgain = (token: string, signer: ap2.Signer) => {
  const signed = jwtOf(token).split('.').slice(0, 2).join('.');
  return withJwt(token, `${signed}.${signer.sign(signed).toString('base64url')}`);
};

for (const engine of ENGINES) {
  suite(`on ${engine}`, { skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' }, () => {
    const clock = new ManualClock(Date.parse('2026-11-15T10:00:00Z'));
    let opened: OpenedStore;
    /** Two processes, as far as the data can tell. */
    let services: Mandates[];
    let keys: string[];

    before(async () => {
      opened = await openStore(engine, { injectedClock: clock });
      services = [mandatesOn(opened.store, clock), mandatesOn(await opened.beside(), clock)];
      keys = [];
      for (const service of services) {
        const platform = { name: 'Shop', mcp_url: 'https://shop.example', contact: 'https://shop.example' };
        const made = await service.register(platform, { ...call, addressTag: `a${keys.length}` });
        assert.ok(made instanceof Answer);
        keys.push(made.body.api_key);
      }
    });
    after(() => opened[Symbol.asyncDispose]());

    async function create(root: string, more: object = {}, service = services[0] as Mandates) {
      const body = { agent_id: 'agent:7', ap2: { open_payment_mandate: root, user_jwk: { ...ap2.USER.jwk }, ...more } };
      return service.create(body, call);
    }

    async function mandateOf(root: string): Promise<string> {
      const made = await create(root);
      assert.ok(made instanceof Answer, made instanceof Refusal ? JSON.stringify(made) : '');
      return made.body.mandate_id;
    }

    /** Asks through either process, for either platform. */
    async function verify(body: ap2.Json, turn = 0) {
      const input = verifyAction.input.parse({ api_key: keys[turn % 2], ...body });
      const answer = await (services[(turn >> 1) % 2] as Mandates).verify(input);
      assert.ok(answer instanceof Answer, JSON.stringify(answer));
      return answer.body;
    }

    const failedChecks = ({ checks }: { checks: readonly { id: string; result: string }[] }) =>
      checks.filter(({ result }) => result === 'fail').map(({ id }) => id);

    test('a closed mandate is allowed once, whatever the platform, process, action, key of the call and form of its token', async () => {
      const payee = ap2.disclosure({ id: 'kvk:87654321', name: 'Shop BV' });
      const constraints = [ap2.RANGE, ap2.OFTEN, { type: 'payment.allowed_payees', allowed: [ap2.hidden(payee)] }];
      const root = ap2.token({}, {}, ap2.openMandate(clock.now(), constraints), ap2.USER, [payee]);
      const id = await mandateOf(root);
      const bare = { issuer_jwt_hash: ap2.digest(jwtOf(root)) };
      const closed = ap2.closedToken(root, { nowMs: clock.now(), ...PURCHASE, binding: bare });
      const fewer = root.replace(`~${payee}~`, '~');
      const chains = [root, fewer].flatMap((shown) =>
        [closed, withJwt(closed, ap2.otherSignature(jwtOf(closed))), signedAgain(closed, ap2.AGENT)].map((last) =>
          ap2.joined(shown, last),
        ),
      );
      const bodies = chains.flatMap((chain, i) =>
        ['payment.authorize', 'order.place', 'booking.create'].map((action) => ({
          ...ap2.presented(id, chain, PURCHASE),
          action,
          request_id: `${action} ${i}`,
        })),
      );
      const answers = await Promise.all(bodies.flatMap((body) => [0, 1, 2, 3].map((turn) => verify(body, turn))));
      const allowed = answers.filter(({ ok }) => ok);
      // The call that was allowed and its repetitions have one reference; the other platform has its own keys.
      assert.equal(new Set(allowed.map(({ verify_ref }) => verify_ref)).size, 1);
      for (const answer of answers.filter(({ ok }) => !ok))
        assert.ok(failedChecks(answer).includes('A6'), JSON.stringify(answer));
      const rows = await opened.store.read(
        "SELECT ref FROM amh_verification WHERE mandate_id = $1 AND decision = 'ALLOW'",
        [id],
      );
      assert.equal(rows.length, 1);
    });

    test('a closed mandate stays used after its hold was released, expired or forgotten by its Idempotency-Key', async () => {
      const root = ap2.openToken(clock.now());
      const id = await mandateOf(root);
      const chains = ['failed', 'expired'].map((order) =>
        ap2.joined(root, ap2.closedToken(root, { nowMs: clock.now(), ...PURCHASE, order })),
      );
      const body = (i: number, more: ap2.Json = {}) => ({
        ...ap2.presented(id, chains[i] as string, { ...PURCHASE, order: i === 0 ? 'failed' : 'expired' }),
        ...more,
      });
      const first = await verify(body(0, { request_id: 'k' }));
      assert.deepEqual(failedChecks(first), []);
      assert.deepEqual(failedChecks(await verify(body(1))), []);
      const sealed = await (services[1] as Mandates).seal({
        api_key: keys[0],
        verify_ref: first.verify_ref,
        outcome: 'failed',
      });
      assert.ok(sealed instanceof Answer);
      assert.deepEqual(failedChecks(await verify(body(0))), ['A6']);
      assert.equal((await verify(body(0, { request_id: 'k' }))).verify_ref, first.verify_ref);
      clock.advance(2 * DAY_MS);
      await (services[0] as Mandates).sweep();
      assert.deepEqual(failedChecks(await verify(body(0, { request_id: 'k' }), 2)), ['A6']);
      assert.deepEqual(failedChecks(await verify(body(1), 3)), ['A6']);
    });

    test('a closed token for two purchases is good for one of them', async () => {
      const root = ap2.openToken(clock.now());
      const id = await mandateOf(root);
      const shown = ['one', 'two'].map((order) => ap2.disclosure(ap2.closedMandate({ nowMs: 0, ...PURCHASE, order })));
      const payload = {
        _sd_alg: 'sha-256',
        delegate_payload: shown.map(ap2.hidden),
        iat: ap2.seconds(clock.now()),
        aud: ap2.AUDIENCE,
        nonce: PURCHASE.nonce,
        sd_hash: ap2.digest(root),
      };
      const jwt = ap2.jwt({ alg: 'ES256', typ: 'kb+sd-jwt' }, payload, ap2.AGENT);
      const chain = (i: number) => ap2.joined(root, `${jwt}~${shown[i]}~`);
      assert.deepEqual(failedChecks(await verify(ap2.presented(id, chain(0), { ...PURCHASE, order: 'one' }))), []);
      assert.deepEqual(failedChecks(await verify(ap2.presented(id, chain(1), { ...PURCHASE, order: 'two' }))), ['A6']);
    });

    test('what the user has set is compared by its value, fractions too', async () => {
      const preset = { tip: 0.5, note: 'to \ud800', lines: [{ rate: 1e-7 }] };
      const root = ap2.openToken(clock.now(), [ap2.RANGE, ap2.OFTEN], preset);
      const id = await mandateOf(root);
      const judged = async (order: string, more: ap2.Json) => {
        const closed = ap2.closedToken(root, { nowMs: clock.now(), ...PURCHASE, order, more });
        return failedChecks(await verify(ap2.presented(id, ap2.joined(root, closed), { ...PURCHASE, order })));
      };
      assert.deepEqual(await judged('same', preset), []);
      assert.deepEqual(await judged('more', { ...preset, tip: 0.6 }), ['A5']);
      assert.deepEqual(await judged('less', { tip: 0.5 }), ['A5']);
    });

    test('a closed mandate of another open mandate is refused, and uses nothing up', async () => {
      const roots = [ap2.openToken(clock.now()), ap2.openToken(clock.now())] as const;
      const ids = await Promise.all(roots.map(mandateOf));
      const chain = ap2.joined(roots[0], ap2.closedToken(roots[0], { nowMs: clock.now(), ...PURCHASE }));
      assert.deepEqual(failedChecks(await verify(ap2.presented(ids[1] as string, chain, PURCHASE))), ['A2']);
      const spliced = chain.replace(roots[0].slice(0, -1), roots[1].slice(0, -1));
      assert.deepEqual(failedChecks(await verify(ap2.presented(ids[1] as string, spliced, PURCHASE))), ['A2']);
      assert.deepEqual(failedChecks(await verify(ap2.presented(ids[0] as string, chain, PURCHASE))), []);
    });

    test('an open mandate makes one budget, however it is signed and however often it is imported at once', async () => {
      const shown = ap2.disclosure(ap2.openMandate(clock.now(), [ap2.RANGE]));
      const payload = { _sd_alg: 'sha-256', delegate_payload: [ap2.hidden(shown)] };
      const rootOf = (header: ap2.Json, more: ap2.Json = {}) =>
        `${ap2.jwt({ alg: 'ES256', ...header }, { ...payload, ...more }, ap2.USER)}~${shown}~`;
      const root = rootOf({});
      const forms = [
        root,
        withJwt(root, ap2.otherSignature(jwtOf(root))),
        signedAgain(root, ap2.USER),
        rootOf({ kid: 'another header' }),
        rootOf({}, { exp: ap2.seconds(clock.now() + 9 * DAY_MS) }),
      ];
      const made = await Promise.all(forms.flatMap((form) => services.map((service) => create(form, {}, service))));
      const answers = made.map((one) => (one instanceof Answer ? one : assert.fail(JSON.stringify(one))));
      assert.equal(new Set(answers.map(({ body }) => body.mandate_id)).size, 1);
      assert.deepEqual(
        answers.map(({ status }) => status).filter((status) => status !== 200),
        [201],
      );
      // Who has only seen the token gets no control over the mandate.
      assert.equal(answers.filter(({ body }) => body.control_token !== null).length, 1);
    });

    test('a second key that fits the signature of the user makes no second budget', async () => {
      const root = ap2.openToken(clock.now());
      await mandateOf(root);
      const user_jwk = otherKeyOf(jwtOf(root), ap2.USER.jwk);
      const again = await create(root, { user_jwk });
      assert.ok(again instanceof Refusal);
      assert.equal(again.type.code, 'imported_before');
      const mine = await create(signedAgain(root, ap2.AGENT), { user_jwk: ap2.AGENT.jwk });
      assert.ok(mine instanceof Refusal && mine.type.code === 'imported_before');
    });
  });
}
