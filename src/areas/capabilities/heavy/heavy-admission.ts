import { NewestMap } from '#kernel/newest-map.ts';
import type { Clock } from '#kernel/clock.ts';
import { Unworkable } from '../capability.ts';
import { HEAVY_LIMITS } from './heavy-limits.ts';

const RETRY_AFTER_SECONDS = 5;

/** Which agent may have heavy work done now: so many executions of one agent, so many of all, and a rest after failures. */
export class HeavyAdmission {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #executions = new Map<string, number>();
  /** When tasks of an agent were ended at a limit, the agent that failed last at the end. */
  readonly #failures = new NewestMap<string, readonly number[]>(HEAVY_LIMITS.agentsRemembered);
  #total = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Counts an execution of the agent until `leave`, or says why not. */
  enter(agentId: string): Unworkable | undefined {
    const own = this.#executions.get(agentId) ?? 0;
    if (own >= HEAVY_LIMITS.executionsPerAgent) {
      const detail = `${own} executions of this agent are waiting or running, and the maximum is ${HEAVY_LIMITS.executionsPerAgent}. Retry later.`;
      return new Unworkable('work', 'too_many_executions', detail, null, RETRY_AFTER_SECONDS);
    }
    if (this.#total >= HEAVY_LIMITS.executions) {
      const detail = `${this.#total} executions of all agents are waiting or running, which is the maximum. Retry later.`;
      return new Unworkable('work', 'capabilities_busy', detail, null, RETRY_AFTER_SECONDS);
    }
    this.#executions.set(agentId, own + 1);
    this.#total += 1;
    return undefined;
  }

  leave(agentId: string): void {
    const own = this.#executions.get(agentId) ?? 0;
    if (own <= 1) this.#executions.delete(agentId);
    else this.#executions.set(agentId, own - 1);
    this.#total -= 1;
  }

  /** A task of the agent was ended at a limit. */
  failed(agentId: string): void {
    const recent = this.#recent(agentId).slice(1 - HEAVY_LIMITS.failuresPerAgent);
    this.#failures.set(agentId, [...recent, this.#clock.monotonicMs()]);
  }

  /** Why heavy work of the agent rests; undefined where it does not. */
  restOf(agentId: string): Unworkable | undefined {
    const recent = this.#recent(agentId);
    const last = recent.at(-1);
    if (last === undefined || recent.length < HEAVY_LIMITS.failuresPerAgent) return undefined;
    const retryAfterSeconds = Math.ceil((last + HEAVY_LIMITS.restMs - this.#clock.monotonicMs()) / 1_000);
    const detail = `${recent.length} executions of this agent were stopped because they used too much time or memory. Retry later.`;
    return new Unworkable('work', 'heavy_work_paused', detail, null, retryAfterSeconds);
  }

  #recent(agentId: string): readonly number[] {
    const since = this.#clock.monotonicMs() - HEAVY_LIMITS.failureWindowMs;
    return (this.#failures.get(agentId) ?? []).filter((atMs) => atMs > since);
  }
}
