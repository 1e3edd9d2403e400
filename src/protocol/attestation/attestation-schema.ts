import type { AttestationId } from './attestation-id.ts';
import { isAttestationId } from './attestation-id.ts';
import type { FieldRule } from './field-rule.ts';
import type { Observation, RegisterQuery } from './observation.ts';
import { type Claim, schemaDigest, type SchemaDocument } from './schema-document.ts';

export type SchemaVerdict =
  | { readonly verdict: 'ACCEPT'; readonly code: null }
  | { readonly verdict: 'REJECT'; readonly code: string };

interface Facts {
  readonly claim: Claim;
  readonly observations: readonly Observation[];
  /** The document of the seal: its catalogue and states decide, not those in force today. */
  readonly document: SchemaDocument;
}

/** One row of a verdict: the first one that fails gives the code. It must be total over any JSON in the claim. */
export interface SchemaCheck {
  readonly code: string;
  /** What must hold, as published. */
  readonly rule: string;
  /** Judged from what the registers said: it comes after the point at which they are asked. */
  readonly observed?: true;
  readonly fails: (facts: Facts) => boolean;
}

export interface SchemaDefinition<I extends string> {
  readonly document: Omit<SchemaDocument, 'schema_id' | 'checks' | 'not_promised'> & { readonly schema_id: I };
  readonly checks: readonly SchemaCheck[];
  /** Every field that a claim may have. */
  readonly fields: Readonly<Record<string, FieldRule>>;
  /** What to ask once the claim has passed all checks of its form. */
  readonly queries?: (claim: Claim, document: SchemaDocument) => readonly RegisterQuery[];
  /** Fields that name an earlier seal; the leaf repeats them in clear. */
  readonly correctsField?: string;
  readonly followsUpField?: string;
}

export interface EntryLinks {
  readonly corrects: AttestationId | null;
  readonly followsUp: AttestationId | null;
}

export interface AttestationSchema<I extends string = string> {
  readonly id: I;
  readonly document: SchemaDocument;
  readonly digest: string;
  readonly fields: Readonly<Record<string, FieldRule>>;
  /** Pure and total: the same claim and observations give the same verdict to every caller, at any time. */
  readonly judge: (claim: Claim, observations: readonly Observation[], document?: SchemaDocument) => SchemaVerdict;
  /** The questions whose answers the verdict rests on, in order; none when the form already decides. */
  readonly needs: (claim: Claim, document?: SchemaDocument) => readonly RegisterQuery[];
  readonly links: (claim: Claim) => EntryLinks;
}

const ACCEPT: SchemaVerdict = { verdict: 'ACCEPT', code: null };

/** Makes a schema from its rows: what is published is what is judged. */
export function defineSchema<const I extends string>(definition: SchemaDefinition<I>): AttestationSchema<I> {
  const { checks, fields, queries } = definition;
  const formChecks = checks.filter((check) => check.observed !== true);
  const document: SchemaDocument = {
    ...definition.document,
    checks: checks.map(({ code, rule }, i) => ({ order: i + 1, code, rule })),
    not_promised: 'truth of the claim',
  };
  return {
    id: definition.document.schema_id,
    document,
    digest: schemaDigest(document),
    fields,
    judge: (claim, observations, by = document) => firstFailure(checks, { claim, observations, document: by }),
    needs(claim, by = document) {
      if (queries === undefined) return [];
      const form = firstFailure(formChecks, { claim, observations: [], document: by });
      return form.verdict === 'ACCEPT' ? queries(claim, by) : [];
    },
    links: (claim) => ({
      corrects: linkIn(claim, definition.correctsField),
      followsUp: linkIn(claim, definition.followsUpField),
    }),
  };
}

function firstFailure(checks: readonly SchemaCheck[], facts: Facts): SchemaVerdict {
  const failed = checks.find((check) => check.fails(facts));
  return failed === undefined ? ACCEPT : { verdict: 'REJECT', code: failed.code };
}

function linkIn(claim: Claim, field: string | undefined): AttestationId | null {
  const value = field === undefined ? undefined : claim[field];
  return isAttestationId(value) ? value : null;
}

/** Nobody pays for a refusal or for a register that is down. */
export function feeEurocents(document: SchemaDocument, verdict: SchemaVerdict['verdict']): number {
  return verdict === 'ACCEPT' ? document.fee_eurocents : 0;
}
