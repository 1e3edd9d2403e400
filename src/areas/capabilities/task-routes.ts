import type { Clock } from '#kernel/clock.ts';
import { Refusal } from '#kernel/problem.ts';
import {
  ANONYMOUS,
  type Entities,
  FREE,
  type Inputs,
  questionsOf,
  type TaskRoute,
  type TaskRoutes,
} from '#kernel/task-route.ts';
import { chargeMicro, SEAL_FEE_MICRO } from '#platform/ledger/steps.ts';
import { sealedOutputs } from './output-seals.ts';
import type { CapabilityWork, PlannedWork } from './work.ts';

const ROUTED = ['text.translate', 'text.summarise', 'text.extract', 'text.redact', 'web.fetch_seal'];

export interface RouteDeps {
  readonly work: Pick<CapabilityWork, 'plan' | 'perform'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
}

/** What capabilities do for tasks. */
export function taskRoutes(parts: RouteDeps): TaskRoutes {
  return Object.fromEntries(ROUTED.map((id) => [id, capabilityRoute(id, parts)]));
}

/** A capability: free where it runs embedded and seals nothing. An anonymous caller gets the embedded form if there is one. */
function capabilityRoute(id: string, { work, clock, sandbox }: RouteDeps): TaskRoute {
  const planFor = async ({ url }: Entities, inputs: Inputs, agentId: string): Promise<PlannedWork | Refusal> => {
    const input = id === 'web.fetch_seal' && url !== undefined ? { url, ...inputs } : inputs;
    const planIn = (mode: 'auto' | 'embedded') => work.plan({ capability: id, input, options: { mode } });
    const embedded = agentId === ANONYMOUS ? await planIn('embedded') : null;
    return embedded === null || embedded instanceof Refusal ? planIn('auto') : embedded;
  };
  const chargeFor = (mode: PlannedWork['mode'], costMicro: number, sealCount: number) =>
    (mode === 'embedded' ? 0 : chargeMicro(costMicro)) + sealCount * SEAL_FEE_MICRO;
  return {
    revenue: 'revenue:capability',
    isSold: false,
    async quote(entities, inputs, agentId) {
      const plan = await planFor(entities, inputs, agentId);
      if (!(plan instanceof Refusal)) {
        return { ...FREE, priceMicro: chargeFor(plan.mode, plan.worstMicro, plan.seals) };
      }
      const questions = questionsOf(plan);
      return questions.length === 0 ? plan : { ...FREE, questions };
    },
    async run(entities, inputs, { agentId, callerId, signal }) {
      const plan = await planFor(entities, inputs, agentId);
      if (plan instanceof Refusal) return plan;
      const done = await work.perform(plan, { callerId, signal });
      if (done instanceof Refusal) return done;
      const { entries, fees } = sealedOutputs(done, { sandbox, atMs: clock.now() });
      const costMicro = plan.mode === 'embedded' ? 0 : done.costMicro;
      const charge = chargeFor(plan.mode, costMicro, fees.length);
      return { result: done.output ?? {}, chargeMicro: charge, costMicro, sealFees: fees, entries };
    },
  };
}
