import { z } from 'zod';
import { BUDGET_SCOPES } from './budget-controls.ts';
import { COORDINATION_SCOPES } from './coordination-controls.ts';
import { STEP_IDS } from './fuse-step.ts';
import { AUDIT_VERDICTS, ANSWERS, BUDGET_PROTOCOL, COORDINATION_PROTOCOL, GRADES, SEVERITIES } from './thresholds.ts';

const declared = z.record(z.string(), z.string()).meta({ description: 'Every parameter that you gave.' });
const score = z.int().min(0).max(100);
const asOf = z.iso.date();
const openAnswer = z.enum(['partial', 'no', 'unknown']);
const expectedValue = z.number().nullable().meta({ description: 'Null if it cannot be computed.' });
const basis = z.literal('self-declared').meta({ description: 'Nothing was inspected.' });

export const FuseVerdict = z.strictObject({
  protocol: z.literal(BUDGET_PROTOCOL),
  verdict: z.enum(['GO', 'CAUTION', 'STOP']),
  stops: z.array(z.enum(STEP_IDS)),
  cautions: z.array(z.enum(STEP_IDS)),
  checks: z.array(
    z.strictObject({
      step: z.enum(STEP_IDS),
      name: z.string(),
      result: z.enum(['PASS', 'CAUTION', 'STOP']),
      code: z.string().meta({ description: 'Stable, unlike the sentence in why.' }),
      why: z.string(),
    }),
  ),
  expected_value_usd: expectedValue,
  declared,
});

export const SpendCheck = FuseVerdict.extend({ signed: z.literal(false), stored: z.literal(false) }).meta({
  id: 'SpendCheck',
});

const finding = {
  control: z.string(),
  answer: openAnswer,
  severity: z.enum(SEVERITIES),
  pattern: z.string(),
  fix: z.string(),
};
const verdict = { verdict: z.enum(AUDIT_VERDICTS), score, grade: z.enum(GRADES) };

export const BudgetAudit = z.strictObject({
  protocol: z.literal(BUDGET_PROTOCOL),
  ...verdict,
  basis,
  exposure: z.strictObject({
    intended_budget_usd: z.number(),
    worst_case_period_usd: z.number(),
    loss_before_detection_usd: z.number(),
    overrun_multiple: z.number(),
    lower_bound: z.boolean(),
    assumptions: z.array(z.string()),
  }),
  expected_value_usd: expectedValue,
  findings: z.array(
    z.strictObject({
      ...finding,
      declared: z.enum(ANSWERS).optional().meta({ description: 'What you answered, if it was lowered.' }),
      lowered_because: z.string().optional(),
      incidents: z.array(
        z.strictObject({
          key: z.string(),
          name: z.string(),
          when: z.string(),
          loss_usd: z.number().nullable(),
          status: z.string().meta({ description: 'How good the evidence is.' }),
          source: z.string(),
        }),
      ),
    }),
  ),
  recommended_fuse_settings: z.strictObject({
    per_action_cap_usd: z.number(),
    probe_amount_usd: z.number(),
    daily_cap_usd: z.number(),
    attempts_without_progress_stop: z.int(),
    burn_alarm_usd_per_hour: z.number(),
  }),
  scope: z.array(z.enum(BUDGET_SCOPES)),
  catalogue_as_of: asOf,
  declared,
});

export const CoordinationAudit = z.strictObject({
  protocol: z.literal(COORDINATION_PROTOCOL),
  ...verdict,
  basis,
  findings: z.array(
    z.strictObject({
      ...finding,
      measurement: z.string(),
      sources: z.array(z.strictObject({ key: z.string(), name: z.string(), status: z.string(), source: z.string() })),
      crossing_move: z.string(),
    }),
  ),
  first_three_steps: z.array(z.string()).max(3),
  pairs: z.int().optional(),
  scope: z.array(z.enum(COORDINATION_SCOPES)),
  catalogue_as_of: asOf,
  declared,
});

const PaidCall = z.strictObject({ path: z.string(), price_usdc: z.string() }).meta({ id: 'PaidCall' });
const full = PaidCall.nullable().meta({ description: 'Null where it is not offered.' });

/** Counts only; without any parameter a sample of the whole result. */
function previewOf(protocol: string, audit: z.ZodObject) {
  const counts = z.strictObject({
    protocol: z.literal(protocol),
    ...verdict,
    open: z.strictObject({ critical: z.int(), high: z.int(), medium: z.int() }),
    controls_in_scope: z.int(),
    signed: z.literal(false),
    full,
  });
  return z.union([counts, audit.extend({ sample: z.literal(true), signed: z.literal(false), full })]);
}

export const BudgetPreview = previewOf(BUDGET_PROTOCOL, BudgetAudit).meta({ id: 'BudgetPreview' });
export const CoordinationPreview = previewOf(COORDINATION_PROTOCOL, CoordinationAudit).meta({
  id: 'CoordinationPreview',
});

const control = {
  id: z.string(),
  severity: z.enum(SEVERITIES),
  scope: z.array(z.string()),
  question: z.string(),
  pattern: z.string(),
  fix: z.string(),
};
const evidence = { status: z.string(), source: z.string(), as_of: asOf };
const numbers = z.record(z.string(), z.number());
const ProtocolBase = z.strictObject({
  protocol: z.string(),
  version: z.string(),
  as_of: asOf,
  credits: numbers,
  weights: numbers,
  scopes: z.array(z.string()),
  verdict_rules: z.array(z.strictObject({ id: z.string(), verdict: z.enum(AUDIT_VERDICTS), when: z.string() })),
  grade_rules: z.strictObject({ from_score: numbers, at_most: z.record(z.string(), z.enum(GRADES)) }),
  thresholds: numbers,
});
const incidents = z.record(
  z.string(),
  z.strictObject({
    name: z.string(),
    when: z.string(),
    loss_usd: z.number().nullable(),
    what: z.string(),
    ...evidence,
  }),
);

export const BudgetProtocol = ProtocolBase.extend({
  controls: z.array(z.strictObject({ ...control, incidents: z.array(z.string()), owasp: z.array(z.string()) })),
  lowering: z.array(z.strictObject({ control: z.string(), to: z.enum(['partial', 'no']), because: z.string() })),
  formulas: z.array(z.strictObject({ figure: z.string(), formula: z.string() })),
  fuse: z.strictObject({
    steps: z.array(
      z.strictObject({
        step: z.enum(STEP_IDS),
        name: z.string(),
        check_name: z.string(),
        rows: z.array(
          z.strictObject({ code: z.string(), result: z.enum(['PASS', 'CAUTION', 'STOP']), when: z.string() }),
        ),
      }),
    ),
    thresholds: numbers,
  }),
  incidents,
}).meta({ id: 'BudgetProtocol' });

export const CoordinationProtocol = ProtocolBase.extend({
  controls: z.array(
    z.strictObject({
      ...control,
      measurement: z.string(),
      sources: z.array(z.string()),
      crossing_move: z.string(),
    }),
  ),
  sources: z.record(z.string(), z.strictObject({ title: z.string(), ...evidence })),
  incidents,
}).meta({ id: 'CoordinationProtocol' });
