import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { cleanedText } from '#kernel/text-field.ts';
import { attestationField, defineTool, oneOfThem, sha256Field, stamp } from '#kernel/tool.ts';

const state = z.enum(['ANSWERED', 'NOT_ASKED', 'UNAVAILABLE', 'UNDETERMINED']);
const known = z.boolean().nullable();
const checkId = z
  .string()
  .regex(/^chk_[0-9a-z]{26}$/, 'Must be chk_ and 26 characters.')
  .meta({ description: 'Id of a check, chk_….' });

export const checkCounterpartyTool = defineTool({
  name: 'check_counterparty_nl',
  title: 'Check a Dutch counterparty',
  description:
    'Free, unsigned summary of one company: registration, VAT, sanctions, insolvency. Give at least one field. city only narrows a name search; purpose is stored and changes nothing. Twenty per day. The paid tool counterparty_check gives a signed result.',
  input: oneOfThem({
    kvk_number: z
      .string()
      .regex(/^\d{8}$/, 'Must be 8 digits.')
      .optional()
      .meta({ description: 'Number in the Dutch commercial register.' }),
    company_name: cleanedText({ min: 1, max: 120, description: 'Name of the company.' }).optional(),
    vat_number: z
      .string()
      .regex(/^[A-Za-z]{2}[0-9A-Za-z]{2,14}$/, 'Must be 2 letters and 2 to 14 letters or digits.')
      .optional()
      .meta({ description: 'EU VAT number with country prefix.' }),
    city: cleanedText({ min: 1, max: 80, description: 'Narrows a search by name.' }).optional(),
    purpose: cleanedText({ min: 1, max: 200, description: 'Stored with the check.' }).optional(),
  }),
  needsOne: true,
  output: z.strictObject({
    check_id: checkId,
    status: z.enum(['NO_OPEN_QUESTIONS', 'OPEN_QUESTIONS', 'FLAGS_RAISED']),
    flags: z.array(z.string()),
    open_questions: z.array(z.strictObject({ code: z.string(), section: z.string().nullable(), text: z.string() })),
    registry: z.strictObject({ status: state, active_registration: known }),
    vat: z.strictObject({ status: state, valid: known }),
    sanctions: z.strictObject({
      status: state,
      hit_count: z.int().nullable(),
      list_loaded_at: timeField.nullable().meta({ description: 'When Avouch loaded the list that was searched.' }),
    }),
    insolvency: z.strictObject({ status: state, found: known }),
    identified_by: z.enum(['kvk_number', 'vat_number', 'company_name']).nullable(),
    signed: z.literal(false),
    checked_at: timeField.meta({ description: 'When this check was made.' }),
    oldest_observation_at: timeField
      .nullable()
      .meta({ description: 'The oldest register response or list load that the check is based on.' }),
    ...stamp,
  }),
  hints: { openWorldHint: true },
});

export const recordCounterpartyCheck = defineTool({
  name: 'record_counterparty_check',
  title: 'Record a counterparty check',
  description:
    'Seals the digest of an earlier check_counterparty_nl in the public log, so that anyone with the response can prove when it was given. A second call returns the same seal. Checks are kept for 30 days.',
  input: z.strictObject({ check_id: checkId }),
  output: z.strictObject({
    check_id: checkId,
    result_sha256: sha256Field.meta({ description: "SHA-256 of the canonical JSON of the check's response." }),
    attestation_id: attestationField,
    log_seq: z.int(),
    sealed_at: timeField,
    verify_url: z.string(),
    already_recorded: z.boolean(),
    ...stamp,
  }),
  hints: { readOnlyHint: false },
});
