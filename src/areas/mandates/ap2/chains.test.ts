import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc, { runs } from '#properties';
import { Ap2Error } from '#protocol/ap2/ap2-error.ts';
import { jwkThumbprint } from '#protocol/ap2/es256.ts';
import { readSdJwt } from '#protocol/ap2/sd-jwt.ts';
import { NO_ROOTS } from '#protocol/ap2/trust.ts';
import * as ap2 from '../../../../test/support/ap2.ts';
import { type Call, judge, type Verdict } from './_judge.ts';
import { type Ap2Evidence, evidenceOf } from './evidence.ts';
import { type ImportedMandate, readImport } from './import.ts';

const NOW = Date.parse('2026-11-15T10:00:00Z');
const vectors = JSON.parse(readFileSync(new URL('../../../../test/vectors/ap2.json', import.meta.url), 'utf8'));
const CALL: Call = {
  amount: 12_999,
  currency: 'EUR',
  counterparty: 'kvk:87654321',
  payloadHash: `sha256:${hash('sha256', vectors.payload, 'hex')}`,
};

function imported(token: string, more: object = {}): ImportedMandate | string {
  try {
    const read = readImport({ open_payment_mandate: token, user_jwk: ap2.USER.jwk, ...more }, NO_ROOTS, NOW);
    return typeof read === 'string' ? read : read.imported;
  } catch (error) {
    assert.ok(error instanceof Ap2Error, String(error));
    return error.code;
  }
}

function evidence(tokens: readonly string[], mandate: ImportedMandate, call = CALL): Ap2Evidence | string {
  const { aud, nonce } = vectors;
  try {
    return evidenceOf({ presentation: ap2.joined(...tokens), aud, nonce }, mandate, call);
  } catch (error) {
    assert.ok(error instanceof Ap2Error, String(error));
    return error.code;
  }
}

/** What the service would make of both tokens, in the words of the judge. */
function verdict([root, last]: readonly [string, string], call: Call): Verdict {
  const mandate = imported(root);
  if (typeof mandate === 'string') return { isImported: false, isAllowed: false };
  const found = evidence([root, last], mandate, call);
  const isAllowed = typeof found !== 'string' && found.isSigned && found.isBound && found.isWithinConstraints;
  return { isImported: true, fields: mandate.fields, isAllowed };
}

test('the published chain verifies here and in @sd-jwt/core, and maps as published', async () => {
  const { open_payment_mandate: root, closed_payment_mandate: closed, presentation, open_checkout_mandate } = vectors;
  assert.deepEqual([ap2.USER.jwk, ap2.AGENT.jwk], [vectors.user.jwk, vectors.agent.jwk]);
  assert.equal(ap2.digest(vectors.payee_disclosure.text), vectors.payee_disclosure.digest);
  assert.equal(ap2.joined(root, closed), presentation);
  const mandate = imported(root, { open_checkout_mandate }) as ImportedMandate;
  assert.deepEqual(mandate.fields, vectors.mapped);
  assert.deepEqual(mandate.shown.at(-1), { type: 'payment.reference', checked_by: ['import'] });
  const found = evidence([root, closed], mandate) as Ap2Evidence;
  assert.deepEqual(
    [found.isSigned, found.isBound, found.isForCaller, found.isWithinConstraints],
    [true, true, true, true],
  );
  assert.equal(found.reference, vectors.reference);
  const { isImported, isAllowed, fields } = await judge([root, closed], {
    userJwk: ap2.USER.jwk,
    call: CALL,
    nowMs: NOW,
  });
  assert.deepEqual([isImported, isAllowed, fields], [true, true, vectors.mapped]);
});

test('one changed character in the published chain fails here and in @sd-jwt/core', async () => {
  const both = [vectors.open_payment_mandate, vectors.closed_payment_mandate] as [string, string];
  const place = fc.tuple(fc.nat(1), fc.nat(2_000));
  await fc.assert(
    fc.asyncProperty(place, async ([which, at]) => {
      const text = both[which] as string;
      const i = at % text.length;
      const changed = `${text.slice(0, i)}${text[i] === 'A' ? 'B' : 'A'}${text.slice(i + 1)}`;
      const tokens: [string, string] = which === 0 ? [changed, both[1]] : [both[0], changed];
      assert.equal(verdict(tokens, CALL).isAllowed, false, `${which} ${i}`);
      assert.equal((await judge(tokens, { userJwk: ap2.USER.jwk, call: CALL, nowMs: NOW })).isAllowed, false);
    }),
    { numRuns: runs(1_000) },
  );
});

const IDS = ['shop-1', 'shop-1', 'shop-2'];
const listed = fc.option(
  fc.array(
    fc.record({ id: fc.constantFrom(...IDS), kind: fc.constantFrom('plain', 'plain', 'shown', 'shown', 'hidden') }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  { nil: undefined, freq: 1 },
);
const chains = fc.record({
  range: fc.option(
    fc.record({ max: fc.integer({ min: 300, max: 3_000 }), min: fc.option(fc.nat(200), { nil: undefined }) }),
    {
      nil: undefined,
    },
  ),
  budget: fc.option(
    fc.constantFrom(
      '30',
      '12.5',
      '0.07',
      '29.99',
      '30',
      '30',
      '1e2',
      '12.345',
      '90071992547409.91',
      '90071992547409.92',
    ),
    {
      nil: undefined,
    },
  ),
  often: fc.option(
    fc.record({
      frequency: fc.constantFrom('ON_DEMAND', 'ON_DEMAND', 'DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'ANNUALLY'),
      max_occurrences: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    }),
    { nil: undefined },
  ),
  payees: listed,
  instruments: listed,
  fixed: fc.option(fc.nat(400), { nil: undefined, freq: 1 }),
  amount: fc.nat(400),
  payee: fc.constantFrom(...IDS),
  instrument: fc.constantFrom(...IDS),
  asked: fc.constantFrom(
    'same',
    'same',
    'same',
    'same',
    'same',
    'same',
    'same',
    'same',
    'amount',
    'payee',
    'order',
    'currency',
  ),
  change: fc.constantFrom(
    ...Array.from({ length: 20 }, () => 'none'),
    ...['bare hash', 'no hash', 'both hashes', 'wrong hash', 'another signer'],
    ...['open type', 'middle type', 'no expiry', 'expired', 'unknown constraint', 'no reference', 'hidden constraint'],
    ...[
      'shown constraint',

      'stray disclosure',
      'disclosure twice',
      'other vct',
      'alg none',
      'key in closed',
    ],
    ...['fewer disclosures', 'another root'],
  ),
});
type Case = typeof chains extends fc.Arbitrary<infer T> ? T : never;

/** A number of JSON with these digits. */
const rawNumber = (JSON as unknown as { rawJSON: (digits: string) => unknown }).rawJSON;

function entries(list: Case['payees'], disclosures: string[]) {
  return list?.map(({ id, kind }, i) => {
    const entry = { id, name: `${id} ${i}` };
    if (kind === 'plain') return entry;
    const text = ap2.disclosure(entry);
    if (kind === 'shown') disclosures.push(text);
    return ap2.hidden(text);
  });
}

function openOf({ range, budget, often, payees, instruments, fixed, change }: Case): string {
  const disclosures: string[] = [];
  const constraints: ap2.Json[] = [
    ...(range ? [{ type: 'payment.amount_range', currency: 'EUR', ...range }] : []),
    ...(often ? [{ type: 'payment.agent_recurrence', ...often }] : []),
    ...(payees ? [{ type: 'payment.allowed_payees', allowed: entries(payees, disclosures) }] : []),
    ...(instruments
      ? [{ type: 'payment.allowed_payment_instruments', allowed: entries(instruments, disclosures) }]
      : []),
    ...(budget ? [{ type: 'payment.budget', currency: 'EUR', max: rawNumber(budget) }] : []),
    ...(change === 'unknown constraint' ? [{ type: 'payment.weather' }] : []),
  ];
  if (change === 'hidden constraint' || change === 'shown constraint') {
    const text = ap2.disclosure(constraints[0] ?? ap2.RANGE);
    constraints[0] = ap2.hidden(text);
    if (change === 'shown constraint') disclosures.push(text);
  }
  const mandate: ap2.Json = {
    ...ap2.openMandate(NOW, constraints),
    ...(fixed !== undefined && { payment_amount: { amount: fixed, currency: 'EUR' } }),
    ...(change === 'other vct' && { vct: 'mandate.payment.open.2' }),
    ...(change === 'expired' && { exp: ap2.seconds(NOW) }),
    ...(change === 'no reference' && { constraints }),
  };
  if (change === 'no expiry') delete mandate['exp'];
  const header = {
    typ: change === 'open type' ? 'kb+sd-jwt' : 'dc+sd-jwt',
    ...(change === 'alg none' && { alg: 'none' }),
  };
  return ap2.token(header, {}, mandate, ap2.USER, disclosures);
}

function chainOf(given: Case): { tokens: [string, string]; call: Call } {
  const { change, amount, payee, instrument, asked } = given;
  const root = openOf(given);
  const bare = { issuer_jwt_hash: ap2.digest(root.split('~')[0] ?? '') };
  const whole = { sd_hash: ap2.digest(root) };
  const bindings: Record<string, ap2.Json> = {
    'bare hash': bare,
    'fewer disclosures': bare,
    'no hash': {},
    'both hashes': { ...whole, ...bare },
    'wrong hash': { sd_hash: ap2.digest(`${root}~`) },
  };
  let last = ap2.closedToken(root, {
    nowMs: NOW,
    amount,
    payee,
    nonce: vectors.nonce,
    binding: bindings[change] ?? whole,
    signer: change === 'another signer' ? ap2.USER : ap2.AGENT,
    header: change === 'middle type' ? { typ: 'kb+sd-jwt+kb' } : {},
    more: {
      payment_instrument: { id: instrument, type: 'card' },
      ...(change === 'key in closed' && { cnf: { jwk: ap2.AGENT.jwk } }),
    },
  });
  if (change === 'stray disclosure') last = `${last}${ap2.disclosure({ a: 1 })}~`;
  if (change === 'disclosure twice') last = `${last}${last.split('~')[1]}~`;
  const shown = change === 'another root' ? openOf(given) : root;
  const call: Call = {
    amount: asked === 'amount' ? amount + 1 : amount,
    currency: asked === 'currency' ? 'USD' : 'EUR',
    counterparty: asked === 'payee' ? `${payee}0` : payee,
    payloadHash: `sha256:${hash('sha256', asked === 'order' ? 'order 2' : 'order 1', 'hex')}`,
  };
  return { tokens: [shown, last], call };
}

test('for every generated chain the verdict is that of @sd-jwt/core with the rules of AP2', async () => {
  const seen = { refused: 0, imported: 0, allowed: 0 };
  await fc.assert(
    fc.asyncProperty(chains, async (given) => {
      const { tokens, call } = chainOf(given);
      const theirs = await judge(tokens, { userJwk: ap2.USER.jwk, call, nowMs: NOW });
      assert.deepEqual(verdict(tokens, call), theirs, given.change);
      seen[theirs.isAllowed ? 'allowed' : theirs.isImported ? 'imported' : 'refused'] += 1;
    }),
    { numRuns: runs(3_000) },
  );
  assert.ok(Math.min(...Object.values(seen)) > 10, JSON.stringify(seen));
});

test('texts of any kind are refused with a code, and nothing else happens', () => {
  const { open_payment_mandate: root } = vectors;
  const piece = fc.constantFrom('~', '~~', '.', 'e30', ...root.split(/[.~]/), 'WzFd', 'bnVsbA', 'WyJhIiwxXQ');
  const texts = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      assert.equal(typeof imported(text), 'string');
    }),
    { numRuns: runs(2_000) },
  );
});

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('traps of the format are refused', () => {
  const mandate = (more: ap2.Json) => ap2.openMandate(NOW, [ap2.RANGE], more);
  const raw = (payload: string) =>
    `${ap2.base64url({ alg: 'ES256' })}.${Buffer.from(payload).toString('base64url')}.AAAA~`;
  const rows: readonly [string, string, string][] = [
    [
      'a private key as cnf',
      ap2.token({}, {}, mandate({ cnf: { jwk: { ...ap2.AGENT.jwk, d: 'AA' } } }), ap2.USER),
      'ap2_malformed',
    ],
    [
      'a point off the curve',
      ap2.token({}, {}, mandate({ cnf: { jwk: { ...ap2.AGENT.jwk, y: ap2.USER.jwk.x } } }), ap2.USER),
      'ap2_malformed',
    ],
    ['a critical header', ap2.token({ crit: ['b64'] }, {}, mandate({}), ap2.USER), 'ap2_malformed'],
    ['another hash', ap2.token({}, { _sd_alg: 'sha-512' }, mandate({}), ap2.USER), 'ap2_malformed'],
    ['a member twice', raw('{"a":1,"a":1}'), 'ap2_malformed'],
    ['deep nesting', raw(`{"a":${deep(10_000)}}`), 'ap2_malformed'],
    ['a digest among members', ap2.token({}, { x: [{ '...': 'a', b: 1 }] }, mandate({}), ap2.USER), 'ap2_malformed'],
    ['a digest as a member', ap2.token({}, { '...': 'a' }, mandate({}), ap2.USER), 'ap2_malformed'],
    ['hidden claims beside the mandate', ap2.token({}, { _sd: ['a'] }, mandate({}), ap2.USER), 'ap2_undisclosed'],
    ['a hidden member of the mandate', ap2.token({}, {}, mandate({ _sd: ['a'] }), ap2.USER), 'ap2_undisclosed'],
    ['another mandate', ap2.token({}, {}, mandate({ vct: 'mandate.checkout.open.1' }), ap2.USER), 'ap2_vct'],
    ['an unknown member of a constraint', ap2.openToken(NOW, [{ ...ap2.RANGE, per: 'day' }]), 'ap2_constraint_unknown'],
    ['a constraint twice', ap2.openToken(NOW, [ap2.RANGE, ap2.RANGE]), 'ap2_malformed'],
    ['a budget in yen', ap2.openToken(NOW, [{ ...ap2.BUDGET, currency: 'JPY' }]), 'ap2_budget_unit'],
    [
      'a budget in a currency that nobody has',
      ap2.openToken(NOW, [{ ...ap2.BUDGET, currency: 'QQQ' }]),
      'ap2_budget_unit',
    ],
    ['amounts in two currencies', ap2.openToken(NOW, [ap2.RANGE, { ...ap2.BUDGET, currency: 'USD' }]), 'ap2_malformed'],
    ['no limit of the amount', ap2.openToken(NOW, [ap2.OFTEN]), 'ap2_malformed'],
    ['too long a text', `${ap2.openToken(NOW)}${'a'.repeat(32_768)}~`, 'ap2_malformed'],
    ['65 disclosures', `${ap2.openToken(NOW)}${'e30~'.repeat(65)}`, 'ap2_malformed'],
    ['another user', ap2.token({}, {}, mandate({}), ap2.AGENT), 'signature_invalid'],
  ];
  for (const [name, token, code] of rows) assert.equal(imported(token), code, name);
  const other = { open_checkout_mandate: vectors.open_checkout_mandate };
  assert.equal(imported(ap2.openToken(NOW), other), 'ap2_reference');
});

test('a delegation in between is used once, keeps its own limits, and may not have a budget', () => {
  const root = ap2.openToken(NOW);
  const mandate = imported(root) as ImportedMandate;
  const helper = ap2.p256(0x33);
  const middle = (constraints: ap2.Json[]) => {
    const payload = { iat: ap2.seconds(NOW), aud: 'helper', nonce: 'm-1', sd_hash: ap2.digest(root) };
    const delegated = ap2.openMandate(NOW, constraints, { cnf: { jwk: helper.jwk } });
    return ap2.token({ typ: 'kb+sd-jwt+kb' }, payload, delegated, ap2.AGENT);
  };
  const found = (constraints: ap2.Json[], signer = helper) => {
    const between = middle(constraints);
    const purchase = { nowMs: NOW, nonce: vectors.nonce, amount: 12_999, signer };
    return evidence([root, between, ap2.closedToken(between, purchase)], mandate) as Ap2Evidence;
  };
  const good = found([ap2.RANGE]);
  assert.deepEqual([good.isSigned, good.isBound, good.isWithinConstraints, good.useKeys.length], [true, true, true, 2]);
  assert.equal(found([{ ...ap2.RANGE, max: 12_998 }]).isWithinConstraints, false);
  assert.equal(found([ap2.RANGE, ap2.OFTEN]).isWithinConstraints, false);
  assert.equal(found([ap2.RANGE, ap2.BUDGET]).isWithinConstraints, false);
  assert.equal(found([ap2.RANGE], ap2.AGENT).isSigned, false);
});

test('a thumbprint is that of RFC 7638, and a token keeps its own text', () => {
  const { x, y } = ap2.USER.jwk;
  assert.equal(jwkThumbprint(ap2.USER.jwk), ap2.digest(`{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`));
  assert.equal(readSdJwt(vectors.open_payment_mandate, 'it').text, vectors.open_payment_mandate);
});
