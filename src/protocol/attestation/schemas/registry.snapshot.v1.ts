import { ATTESTATION_ID_PATTERN } from '../attestation-id.ts';
import { defineSchema } from '../attestation-schema.ts';
import { type FieldRule, judged, linkRule, pointerInto, textRule, unknownMembers } from '../field-rule.ts';
import type { RegisterQuery } from '../observation.ts';
import type { Claim, SchemaDocument } from '../schema-document.ts';
import { registerQuery, SNAPSHOT_CATALOGUE } from '../snapshot-catalogue.ts';

const MAX_SOURCES = 6;

/** An entry of `sources` as far as it can be one. */
interface AskedSource {
  readonly source?: unknown;
  readonly query?: unknown;
}

export const registrySnapshot = defineSchema({
  document: {
    schema_id: 'registry.snapshot.v1',
    evidence_class: 'C',
    title: 'What registers say at one moment',
    claim: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        sources: {
          type: 'array',
          minItems: 1,
          maxItems: MAX_SOURCES,
          items: {
            type: 'object',
            properties: { source: { type: 'string' }, query: { type: 'string' } },
            required: ['source', 'query'],
            additionalProperties: false,
            anyOf: SNAPSHOT_CATALOGUE.map(({ source, query_pattern: pattern }) => ({
              properties: { source: { const: source }, query: { type: 'string', pattern } },
            })),
          },
        },
        purpose: { type: 'string', description: 'Why the registers are asked. Sealed as given.' },
        follows_up: {
          type: 'string',
          pattern: ATTESTATION_ID_PATTERN,
          description: 'An earlier seal that this one continues.',
        },
      },
      required: ['sources'],
      additionalProperties: false,
    },
    fee_eurocents: 200,
    sealable_by: 'anyone',
    promise:
      'What the registers said at the sealed moment, with digests and a bundle root fixed in the seal. A register that did not answer is sealed as an error.',
    sources: SNAPSHOT_CATALOGUE,
    examples: [
      {
        claim: {
          sources: [
            { source: 'kvk', query: '11998877' },
            { source: 'vies', query: 'DE999001001' },
          ],
          purpose: 'onboarding of a supplier',
        },
        verdict: 'ACCEPT',
        code: null,
      },
      { claim: { sources: [] }, verdict: 'REJECT', code: 'sources_missing' },
      { claim: { sources: [{ source: 'rumours', query: 'x' }] }, verdict: 'REJECT', code: 'unknown_source' },
      { claim: { sources: [{ source: 'kvk', query: '1199' }] }, verdict: 'REJECT', code: 'query_invalid' },
    ],
  },
  checks: [
    {
      code: 'sources_missing',
      rule: 'sources is a list of at least one element.',
      fails: ({ claim }) => askedSources(claim).length === 0,
    },
    {
      code: 'too_many_sources',
      rule: `sources has at most ${MAX_SOURCES} elements.`,
      fails: ({ claim }) => askedSources(claim).length > MAX_SOURCES,
    },
    {
      code: 'unknown_source',
      rule: 'Every element names a source of the catalogue of this document.',
      fails: ({ claim, document }) => askedSources(claim).some((asked) => catalogueRow(document, asked) === undefined),
    },
    {
      code: 'query_invalid',
      rule: 'Every query is a string that the pattern of its source matches (ECMA-262, flag u).',
      fails: ({ claim, document }) => askedSources(claim).some((asked) => !isQueryOfItsSource(document, asked)),
    },
    {
      code: 'all_sources_unreachable',
      rule: 'At least one source answered, be it that it found nothing.',
      observed: true,
      fails: ({ observations }) => observations.every((seen) => seen.status === 'error'),
    },
  ],
  fields: { sources: sourcesRule(), purpose: textRule, follows_up: linkRule },
  queries: (claim): readonly RegisterQuery[] =>
    askedSources(claim).map(({ source, query }) => registerQuery(String(source), String(query))),
  followsUpField: 'follows_up',
});

/** Elements of any type: what is not an object has neither source nor query. */
function askedSources({ sources }: Claim): readonly AskedSource[] {
  return Array.isArray(sources) ? sources.map((asked: unknown) => (isMembers(asked) ? asked : {})) : [];
}

function isMembers(value: unknown): value is AskedSource {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function catalogueRow(document: SchemaDocument, { source }: AskedSource) {
  return document.sources?.find((row) => row.source === source);
}

function isQueryOfItsSource(document: SchemaDocument, asked: AskedSource): boolean {
  const row = catalogueRow(document, asked);
  return row !== undefined && typeof asked.query === 'string' && new RegExp(row.query_pattern, 'u').test(asked.query);
}

/** The list is judged by checks; only members that no element may have make the claim malformed. */
function sourcesRule(): FieldRule {
  return (value, pointer) => {
    if (!Array.isArray(value)) return judged(value, pointer);
    const isKnown = (name: string) => name === 'source' || name === 'query';
    return value.flatMap((asked: unknown, i) =>
      isMembers(asked) ? unknownMembers(asked, isKnown, pointerInto(pointer, i)) : [],
    );
  };
}
