import type { SchemaCheck } from './attestation-schema.ts';
import { isLongerThan } from './field-rule.ts';
import type { JsonSchema } from './schema-document.ts';

const MAX_STATEMENT_CODE_POINTS = 4000;

export const statementSchema: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_STATEMENT_CODE_POINTS,
  description: 'The text to be sealed, exactly as given: no trimming, no Unicode normalisation.',
};

/** The two checks of every schema whose claim is a statement. White space is text. */
export const statementChecks: readonly SchemaCheck[] = [
  {
    code: 'claim_empty',
    rule: 'statement is a string of at least one character.',
    fails: ({ claim }) => typeof claim['statement'] !== 'string' || claim['statement'] === '',
  },
  {
    code: 'claim_too_long',
    rule: `statement has at most ${MAX_STATEMENT_CODE_POINTS} characters, counted as Unicode code points.`,
    fails: ({ claim }) => isLongerThan(String(claim['statement']), MAX_STATEMENT_CODE_POINTS),
  },
];
