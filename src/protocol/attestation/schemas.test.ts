import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc, { runs } from '#properties';
import { VERDICT_CASES } from './_verdict-cases.ts';
import { claimFaults } from './claim-input.ts';
import type { Observation } from './observation.ts';
import { type Claim, schemaDigest } from './schema-document.ts';
import { SCHEMAS, schemaById } from './schemas.ts';
import { SNAPSHOT_CATALOGUE } from './snapshot-catalogue.ts';

/** The spec, letter for letter: class, fee, who seals, reject codes. */
const SPEC: Readonly<Record<string, readonly [string, number, string, ...string[]]>> = {
  'record.integrity.v1': ['R', 25, 'anyone', 'claim_empty', 'claim_too_long', 'digest_invalid', 'too_many_digests'],
  'vat.vies.v1': ['A', 50, 'anyone', 'country_code_invalid', 'vat_format', 'registry_unavailable'],
  'amh.handshake.v1': ['R', 0, 'anyone', 'phase_invalid', 'verify_ref_missing', 'platform_missing'],
  'coordination.state.v1': ['R', 0, 'internal', 'case_id_missing', 'state_unknown', 'evidence_empty'],
  'protocol.key.declaration.v1': ['R', 0, 'internal', 'public_key_missing', 'role_invalid', 'scope_empty'],
  'protocol.statement.v1': ['R', 0, 'internal', 'claim_empty', 'claim_too_long'],
  'registry.snapshot.v1': [
    'C',
    200,
    'anyone',
    'sources_missing',
    'too_many_sources',
    'unknown_source',
    'query_invalid',
    'all_sources_unreachable',
  ],
  'kvk.liveness.v1': ['C', 50, 'anyone', 'kvk_format', 'registry_unavailable', 'kvk_not_found'],
};

test('the table holds the eight schemas of the spec with their classes, fees, sealers and codes in order', () => {
  const rows = SCHEMAS.map(({ id, document }) => {
    assert.equal(document.schema_id, id);
    assert.deepEqual(
      document.checks.map(({ order }) => order),
      document.checks.map((_, i) => i + 1),
    );
    const codes = document.checks.map(({ code }) => code);
    return [id, [document.evidence_class, document.fee_eurocents, document.sealable_by, ...codes]];
  });
  assert.deepEqual(Object.fromEntries(rows), SPEC);
  assert.equal(schemaById('record.integrity.v2'), undefined);
  assert.equal(schemaById('toString'), undefined);
});

for (const schema of SCHEMAS) {
  const cases = VERDICT_CASES[schema.id];

  for (const { why, claim, observations = [], code } of cases) {
    test(`${schema.id}: ${why} is ${code ?? 'ACCEPT'}`, () => {
      const expected = code === null ? { verdict: 'ACCEPT', code } : { verdict: 'REJECT', code };
      assert.deepEqual(schema.judge(claim, observations), expected);
      assert.deepEqual(claimFaults(schema, claim), [], 'a sealed verdict, not a malformed claim');
    });
  }

  test(`${schema.id}: every code is reached, and no verdict depends on the order of keys`, () => {
    assert.deepEqual(
      new Set(cases.flatMap(({ code }) => code ?? [])),
      new Set(schema.document.checks.map(({ code }) => code)),
    );
    for (const { claim, observations = [] } of cases) {
      const reversed = Object.fromEntries(Object.entries(claim).toReversed());
      assert.deepEqual(schema.judge(reversed, observations), schema.judge(claim, observations));
    }
  });

  test(`${schema.id}: whatever the form already rejects asks no register`, () => {
    for (const { claim } of cases) {
      const isAsked = schema.needs(claim).length > 0;
      const allAnswer = schema.needs(claim).map(({ source }): Observation => ({ source, status: 'answered' }));
      const isObserver = schema.document.evidence_class !== 'R';
      assert.equal(isAsked, isObserver && schema.judge(claim, allAnswer).verdict === 'ACCEPT');
    }
  });

  test(`${schema.id}: the document shows examples that get the verdict it says, and its own digest`, () => {
    const { document } = schema;
    for (const { claim, verdict, code } of document.examples) {
      const observations = schema.needs(claim).map(({ source }): Observation => ({ source, status: 'answered' }));
      assert.deepEqual(schema.judge(claim, observations), { verdict, code });
    }
    assert.deepEqual(new Set(document.examples.map(({ verdict }) => verdict)), new Set(['ACCEPT', 'REJECT']));
    assert.equal(schemaDigest({ ...document, schema_digest: schema.digest }), schema.digest);
    assert.equal(schemaDigest(JSON.parse(JSON.stringify(document)) as typeof document), schema.digest);
    assert.notEqual(schemaDigest({ ...document, fee_eurocents: 1 }), schema.digest);
  });

  test(`${schema.id}: its JSON Schema takes exactly the claims that are well-formed and pass all checks of form`, () => {
    const isValid = new Ajv2020({ strict: true }).compile(schema.document.claim);
    const agrees = (claim: Claim) => {
      const observations = schema.needs(claim).map(({ source }): Observation => ({ source, status: 'answered' }));
      const isGood = claimFaults(schema, claim).length === 0 && schema.judge(claim, observations).verdict === 'ACCEPT';
      assert.equal(isValid(claim), isGood, JSON.stringify(claim).slice(0, 300));
    };
    for (const { claim } of [...cases, ...schema.document.examples]) agrees(claim);
    fc.assert(
      fc.property(
        claims(
          Object.keys(schema.fields),
          cases.map(({ claim }) => claim),
        ),
        agrees,
      ),
      { numRuns: runs(300) },
    );
  });
}

/** Claims near the good ones: fields of the table cases, recombined, some of them replaced by any JSON. */
function claims(names: readonly string[], seen: readonly Claim[]): fc.Arbitrary<Claim> {
  const field = (name: string) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...seen.map((claim) => claim[name])) },
      { weight: 1, arbitrary: fc.oneof(fc.jsonValue(), fc.string(), fc.constant(`ATT-${'A'.repeat(52)}`)) },
    );
  const known = fc.record(Object.fromEntries(names.map((name) => [name, field(name)])), { requiredKeys: [] });
  const strange = fc.option(fc.constant({ colour: 'red' }), { nil: {}, freq: 9 });
  return fc.tuple(known, strange).map(([claim, more]) => {
    const given = Object.entries({ ...claim, ...more }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given);
  });
}

test('the same claim and observations give the same verdict again and again, also when frozen', () => {
  for (const schema of SCHEMAS) {
    for (const { claim, observations = [] } of VERDICT_CASES[schema.id]) {
      const first = schema.judge(claim, observations);
      const copy = Object.freeze(structuredClone(claim));
      for (let caller = 0; caller < 10; caller++)
        assert.deepEqual(schema.judge(copy, Object.freeze([...observations])), first);
    }
  }
});

test('verdict functions are total: any JSON gets a verdict and no exception', () => {
  const observation = fc.record({
    source: fc.constantFrom('vies', 'kvk', 'x'),
    status: fc.constantFrom('answered' as const, 'not_found' as const, 'error' as const),
  });
  const anyClaim = fc.dictionary(
    fc.constantFrom(...new Set(SCHEMAS.flatMap(({ fields }) => Object.keys(fields)))),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(anyClaim, fc.array(observation), (claim, observations) => {
      for (const schema of SCHEMAS) {
        const { verdict, code } = schema.judge(claim, observations);
        assert.equal(verdict === 'ACCEPT', code === null);
        assert.ok(Array.isArray(schema.needs(claim)));
      }
    }),
  );
});

test('registers are asked in the form that they take', () => {
  const asked = (id: string, claim: Claim) => schemaById(id)?.needs(claim);
  assert.deepEqual(asked('vat.vies.v1', { country_code: 'GR', vat_number: 'ab12' }), [
    { source: 'vies', query: { country_code: 'EL', vat_number: 'AB12' } },
  ]);
  assert.deepEqual(asked('kvk.liveness.v1', { kvk_number: '00000001' }), [
    { source: 'kvk', query: { kvk_number: '00000001' } },
  ]);
  const sources = [
    { source: 'vies', query: 'GR1234567+*' },
    { source: 'cir', query: '11998877' },
    { source: 'rdw', query: 'TEST01' },
    { source: 'companies_house', query: 'SC123456' },
    { source: 'dvsa_mot', query: 'TEST01' },
    { source: 'eu_fsf', query: 'Lila' },
  ];
  assert.deepEqual(asked('registry.snapshot.v1', { sources }), [
    { source: 'vies', query: { country_code: 'EL', vat_number: '1234567+*' } },
    { source: 'cir', query: { kvk_number: '11998877' } },
    { source: 'rdw', query: { kenteken: 'TEST01' } },
    { source: 'companies_house', query: { company_number: 'SC123456' } },
    { source: 'dvsa_mot', query: { plate: 'TEST01' } },
    { source: 'eu_fsf', query: { name: 'Lila' } },
  ]);
});

const QUERIES: Readonly<Record<string, readonly [good: readonly string[], bad: readonly string[]]>> = {
  vies: [
    ['NL12', 'EL123456789', 'GR12', 'XIGD123', 'IE1+23456A'],
    ['NL1', 'GB123456789', 'nl12', 'NL1234567890123 ', `NL${'1'.repeat(15)}`, 'NL12\n'],
  ],
  kvk: [['00000001'], ['1', '123456789', '1234567a', '\u0661'.repeat(8)]],
  cir: [['11998877'], ['1199887']],
  rdw: [['11ZKZ3'], ['11-ZKZ-3', '11zkz3', '11ZKZ33']],
  companies_house: [
    ['02627406', 'SC000123', 'NI012345', 'OE000001', 'OC301234', 'RS123CUS'],
    ['2627406', 'DYSON LTD', 'XX123456'],
  ],
  dvsa_mot: [
    ['A1', 'AB12CDE'],
    ['A', 'AB12CDEF', 'AB 12'],
  ],
  eu_fsf: [
    ['ab', '\u{1F600}'.repeat(120), 'a\nb'],
    ['a', '\u{1F600}', 'x'.repeat(121), '\u{1F600}'.repeat(121)],
  ],
};

for (const { source } of SNAPSHOT_CATALOGUE) {
  test(`snapshot queries of ${source}`, () => {
    const [good, bad] = QUERIES[source] as (typeof QUERIES)[string];
    const codeOf = (query: string) =>
      schemaById('registry.snapshot.v1')?.judge({ sources: [{ source, query }] }, [{ source, status: 'answered' }])
        .code;
    for (const query of good) assert.equal(codeOf(query), null, query);
    for (const query of bad) assert.equal(codeOf(query), 'query_invalid', query);
  });
}

test('catalogue and states are those of the document that the seal names', () => {
  const snapshot = schemaById('registry.snapshot.v1');
  const state = schemaById('coordination.state.v1');
  assert.ok(snapshot !== undefined && state !== undefined);
  const older = { ...snapshot.document, sources: [{ source: 'bris', title: 'BRIS', query_pattern: '^b$' }] };
  const claim = { sources: [{ source: 'bris', query: 'b' }] };
  assert.equal(snapshot.judge(claim, []).code, 'unknown_source');
  assert.equal(snapshot.judge(claim, [{ source: 'bris', status: 'answered' }], older).code, null);
  assert.deepEqual(snapshot.needs(claim, older), [{ source: 'bris', query: { query: 'b' } }]);
  const asleep = { case_id: 'c', to_state: 'asleep', evidence: 'e' };
  assert.equal(state.judge(asleep, [], { ...state.document, states: ['asleep'] }).code, null);
});
