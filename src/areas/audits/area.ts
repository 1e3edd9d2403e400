import { on, type OpenArea, paid, paidRows } from '#kernel/area.ts';
import type { Job } from '#kernel/job.ts';
import type { PaidRow } from '#kernel/paid-operation.ts';
import { verdictRoute } from '#kernel/verdict-route.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { expiryJob } from '#platform/storage/expiry.ts';
import { type Step, step, type Store } from '#platform/storage/store.ts';
import { auditBudget } from './budget-audit.ts';
import { auditCoordination } from './coordination-audit.ts';
import { checkSpend } from './fuse.ts';
import { forgetCommand, judgeCommand } from './intent-memory.ts';
import { intentUnit, memoryExpiry } from './intent-unit.ts';
import {
  budgetProtocol,
  checkPlan,
  coordinationProtocol,
  FULL_BUDGET_AUDIT,
  FULL_COORDINATION_AUDIT,
  previewBudget,
  previewCoordination,
} from './operations.ts';
import { agentBudgetAudit, agentCoordinationAudit, spendFuse } from './paid-operations.ts';
import { budgetPreview, coordinationPreview } from './preview.ts';
import { BUDGET_THRESHOLDS } from './thresholds.ts';
import { BUDGET_PROTOCOL_DOCUMENT, COORDINATION_PROTOCOL_DOCUMENT } from './protocol-documents.ts';
import { AUDIT_WORDING, BUDGET_LEAD, COORDINATION_LEAD } from './protocol-wording.ts';

export interface OpenAudits extends OpenArea {
  readonly store: Pick<Store, 'run'>;
  readonly jobs: readonly Job[];
  /** Whether the paid calls are offered. */
  readonly sells: boolean;
}

const FUSE: unknown = spendFuse;

export const auditsArea = {
  name: 'audits',
  open: openAudits,
  operations: [
    paid(agentBudgetAudit, 'budget_audit', async (_area, input) => ({
      result: auditBudget(input),
      receipt: { agent: input.agent },
    })),
    paid(
      spendFuse,
      'spend_fuse',
      async ({ store }, input, _call, { key, payer }) => {
        const { result } = await store.run(intentUnit, judgeCommand({ input, paymentKey: key, payer }));
        return { result, receipt: { agent: input.agent } };
      },
      (_area, key): Step => step(intentUnit, forgetCommand(key)),
    ),
    paid(agentCoordinationAudit, 'coord_audit', async (_area, input) => ({
      result: auditCoordination(input),
      receipt: { system: input.system },
    })),
    on(checkPlan, (_area, input) => checkSpend(input)),
    on(previewBudget, ({ sells }, input) => budgetPreview(input, sells ? FULL_BUDGET_AUDIT : null)),
    on(budgetProtocol, () => BUDGET_PROTOCOL_DOCUMENT),
    on(previewCoordination, ({ sells }, input) => coordinationPreview(input, sells ? FULL_COORDINATION_AUDIT : null)),
    on(coordinationProtocol, () => COORDINATION_PROTOCOL_DOCUMENT),
  ],
  published: {
    limits: [
      { area: 'agent_budget_audit', limit: 'period_days_default', value: BUDGET_THRESHOLDS.default_period_days },
      { area: 'spend_fuse', limit: 'probe_share_of_period_budget', value: BUDGET_THRESHOLDS.probe_budget_share },
    ],
    protocols: [
      {
        id: 'aba-1',
        title: 'Agent budget audit',
        version: BUDGET_PROTOCOL_DOCUMENT.protocol,
        what: BUDGET_LEAD,
        servedAt: budgetProtocol.path,
        document: BUDGET_PROTOCOL_DOCUMENT,
        wording: AUDIT_WORDING,
      },
      {
        id: 'aca-1',
        title: 'Agent coordination audit',
        version: COORDINATION_PROTOCOL_DOCUMENT.protocol,
        what: COORDINATION_LEAD,
        servedAt: coordinationProtocol.path,
        document: COORDINATION_PROTOCOL_DOCUMENT,
        wording: AUDIT_WORDING,
      },
    ],
  },
} satisfies PlatformArea<OpenAudits>;

function openAudits({ config, store, clock }: Platform): OpenAudits {
  const sells = config.services === 'all';
  const fuse = paidRows(auditsArea, { store, jobs: [], sells }).find(({ operation }) => operation === FUSE);
  const usdEurMicro = config.capabilities.fx.rateMicro;
  return {
    store,
    sells,
    taskRoutes: {
      spend_fuse: verdictRoute(fuse as PaidRow, { from: { amount_usd: 'usd' }, freePath: checkPlan.path, usdEurMicro }),
    },
    jobs: [expiryJob('fuse-memory-sweep', { store, clock }, memoryExpiry)],
  };
}
