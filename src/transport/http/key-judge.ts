import type { KeyJudge } from '#kernel/key-judge.ts';
import type { Binding } from './call-steps.ts';

/**
 * Judges the key of a call whose row needs one, or takes one that is sent, by its header alone: whoever is refused for it sent
 * a body for nothing.
 */
export function judgeKeys(judges: readonly KeyJudge[]): NonNullable<Binding['unauthorized']> {
  const byAccess = new Map<string, KeyJudge>(judges.map((judge) => [judge.access, judge]));
  return (row, headers, looksUp) => {
    const canDoWithout = row.access === 'agent_if_sent';
    const judge = byAccess.get(canDoWithout ? 'agent' : row.access);
    if (judge === undefined) return undefined;
    const key = textOf(headers[judge.header]);
    if (canDoWithout && key === undefined) return undefined;
    const refused = judge.refuseForm(key);
    return refused !== undefined || !looksUp ? refused : judge.refuse(key as string, row);
  };
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
