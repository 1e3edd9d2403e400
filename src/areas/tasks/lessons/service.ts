import type { z } from 'zod';
import { keyInvalid } from '#kernel/api-key.ts';
import { isoTime } from '#kernel/clock.ts';
import { newId, sha256Hex } from '#kernel/ids.ts';
import { Answer, type Call } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { Authenticate } from '#platform/ledger/caller.ts';
import { withoutSecrets } from '#platform/usage-rules/secret-shapes.ts';
import { softRuleOf } from '#platform/usage-rules/soft-rules.ts';
import type { Store } from '#platform/storage/store.ts';
import { lessonsExceeded } from '../problems.ts';
import { consolidate } from './digest.ts';
import type { ExitAnswer, exit } from './operations.ts';
import { lessonUnit } from './unit.ts';

export interface LessonsOptions {
  readonly store: Store;
  readonly sandbox: boolean;
  readonly authenticate: Authenticate;
  /** The sealed refusal of a text or a name that breaks a usage rule; null where it breaks none. */
  readonly refuseText: (field: string, text: string) => Promise<Refusal | null>;
  readonly refuseName: (field: string, name: string) => Promise<Refusal | null>;
}

/** What agents learned, kept for those who come next. */
export class Lessons {
  readonly #options: LessonsOptions;

  constructor(options: LessonsOptions) {
    this.#options = options;
  }

  async exit(input: z.output<typeof exit.input>, call: Call): Promise<Answer<z.output<typeof ExitAnswer>> | Refusal> {
    const who = await this.#who(input, call);
    if (who instanceof Refusal) return who;
    const text = withoutSecrets(input.lesson);
    const { refuseText, refuseName, store } = this.#options;
    const named = input.agent === undefined ? null : await refuseName('agent', input.agent);
    const ruleRefusal = named ?? (await refuseText('lesson', text));
    if (ruleRefusal !== null) return ruleRefusal;
    const { agent = null, agent_id = null, task_id = null, outcome = null, evidence } = input;
    const result = await store.run(lessonUnit, {
      id: newId('les_'),
      who,
      text,
      addressTag: call.addressTag,
      key: input.key === undefined ? null : withoutSecrets(input.key),
      about: { agent, agent_id, task_id, outcome, evidence: evidence === undefined ? null : withoutSecrets(evidence) },
    });
    if (result.type === 'exceeded') {
      const retryAfterSeconds = Math.ceil(result.retryAfterMs / 1_000);
      return new Refusal(lessonsExceeded, {
        detail: 'This address has recorded ten lessons within an hour. Nothing was stored. Retry later.',
        retryAfterSeconds,
      });
    }
    const body = {
      lesson_id: result.id,
      sha256: sha256Hex(text),
      recorded_at: isoTime(result.atMs),
      mirrored: true as const,
      untrusted_lesson: text,
      source: 'agent' as const,
      ...softRuleOf(text),
      similar: result.similar.map(({ lessonId, count }) => ({ lesson_id: lessonId, count })),
    };
    return new Answer(201, body, undefined, result.type === 'repeated');
  }

  /** Seals a digest of what several lessons say. */
  async consolidate(): Promise<void> {
    const { store, sandbox } = this.#options;
    await consolidate(store, sandbox);
  }

  /** A registered agent proves itself by its key; others are told apart by name, or by address for a day. */
  async #who(input: z.output<typeof exit.input>, { addressTag }: Call): Promise<string | Refusal> {
    const { agent, agent_id: agentId, agent_key: agentKey } = input;
    if (agentId === undefined && agentKey === undefined)
      return agent === undefined ? `addr:${addressTag}` : `name:${agent}`;
    const caller = await this.#options.authenticate(agentKey);
    if (caller instanceof Refusal) return caller;
    if (agentId === undefined || agentId === caller.agentId) return caller.agentId;
    return new Refusal(keyInvalid, {
      detail: 'The key belongs to another agent. Send the key of the agent in agent_id. Nothing was stored.',
    });
  }
}
