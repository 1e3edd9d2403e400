import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { NotFound, RegisterAnswer } from '#platform/registers/outcome.ts';

/** An answer of a register, or its own word that it has nothing. Anything else gives no verdict. */
export type RegisterFinding<T> = RegisterAnswer<T> | NotFound;

export const timeToMs = z.iso.datetime({ precision: 3 });

const OpenQuestion = z.strictObject({ code: z.string(), section: z.string().nullable(), text: z.string() });
export type VerdictQuestion = z.output<typeof OpenQuestion>;

/** What every verdict on registers carries. */
export const verdictMembers = {
  open_questions: z.array(OpenQuestion),
  checked_at: timeToMs.meta({ description: 'When this check was made.' }),
  oldest_observation_at: timeToMs.meta({
    description: 'The oldest register response or list load that the check is based on. sources lists each of them.',
  }),
  sources: z.array(
    z.strictObject({
      register: z.string(),
      part: z.string().optional().meta({ description: 'Of a register whose parts are queried separately.' }),
      source: z.enum(['live', 'cache']),
      observed_at: timeToMs,
      register_code: z.string().nullable(),
    }),
  ),
  sandbox: z.literal(true).optional(),
};

export interface Seen {
  readonly register: string;
  readonly part?: string;
  readonly source: 'live' | 'cache';
  readonly observedAtMs: number;
  readonly registerCode: string | null;
}

export function seenOf(register: string, { source, observedAtMs, registerCode }: RegisterFinding<unknown>): Seen {
  return { register, source, observedAtMs, registerCode };
}

/** When and where a verdict is given. */
export interface Judged {
  readonly nowMs: number;
  readonly isSandbox: boolean;
}

/** When it was checked, and when and by whom it was said; at least one register must have spoken. */
export function origin(seen: readonly Seen[], { nowMs, isSandbox }: Judged) {
  return {
    checked_at: isoTime(nowMs),
    oldest_observation_at: isoTime(Math.min(...seen.map(({ observedAtMs }) => observedAtMs))),
    sources: seen.map(({ register, part, source, observedAtMs, registerCode }) => ({
      register,
      ...(part !== undefined && { part }),
      source,
      observed_at: isoTime(observedAtMs),
      register_code: registerCode,
    })),
    ...(isSandbox && { sandbox: true as const }),
  };
}

/** The names of the rules that hold, sorted. */
export function raisedFlags<F extends string>(rules: Readonly<Record<F, boolean | null>>): F[] {
  return (Object.keys(rules) as F[]).filter((flag) => rules[flag] === true).toSorted();
}

/** A question for each needed fact that is not known. */
export function unknowns(facts: Readonly<Record<string, unknown>>): VerdictQuestion[] {
  return Object.entries(facts)
    .filter(([, value]) => value === null)
    .map(([code]) => ({
      code,
      section: null,
      text: 'The register does not say. Ask the company, or read its filings.',
    }));
}

export const OGL = 'Contains public sector information licensed under the Open Government Licence v3.0.';
