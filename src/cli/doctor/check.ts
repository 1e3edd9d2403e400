import type { Asker, Facts, StoreFacts } from './facts.ts';

export interface Verdict {
  readonly status: 'ok' | 'warn' | 'fail' | 'not_checked';
  /** What was found, or why nobody looked. */
  readonly detail: string;
  /** What to do; empty where nothing is. */
  readonly cure: string;
}

export interface Check {
  readonly id: string;
  readonly what: string;
  /** Names of the settings whose faults are told here. */
  readonly settings?: RegExp;
  readonly check: (facts: Facts) => Verdict;
}

export interface Result extends Verdict {
  readonly id: string;
  readonly what: string;
}

export const ok = (detail: string): Verdict => ({ status: 'ok', detail, cure: '' });
export const notChecked = (why: string): Verdict => ({ status: 'not_checked', detail: why, cure: '' });
export const warn = (detail: string, cure: string): Verdict => ({ status: 'warn', detail, cure });
export const fail = (detail: string, cure: string): Verdict => ({ status: 'fail', detail, cure });

/** A check of what the database tells; it has nothing to say while there is none. */
export function ofStore(check: (store: StoreFacts, facts: Facts) => Verdict): (facts: Facts) => Verdict {
  return (facts) => {
    if (facts.store === null) return notChecked('there is no database yet');
    return typeof facts.store === 'string' ? notChecked('the database does not answer') : check(facts.store, facts);
  };
}

/** A check of what somebody else said. */
export function ofAsked(who: Asker, cure: string): (facts: Facts) => Verdict {
  return ({ asked }) => {
    const { outcome, text } = asked[who];
    if (outcome === 'ok') return ok(text);
    return outcome === 'not_asked' ? notChecked(text) : { status: outcome, detail: text, cure };
  };
}

export function isProduction({ config }: Facts): boolean {
  return config.profile === 'production';
}

/** Every check in its order. A fault of a setting is told by the check that owns the setting, else by `settings`. */
export function diagnose(checks: readonly Check[], facts: Facts): Result[] {
  const isOwned = (fault: string) => checks.some(({ settings }) => isAbout(fault, settings));
  return checks.map(({ id, what, settings, check }) => {
    const isOwn = (fault: string) => (id === 'settings' ? !isOwned(fault) : isAbout(fault, settings));
    const faults = facts.faults.filter(isOwn);
    const verdict = faults.length > 0 ? fail(faults.join('; '), 'correct the setting') : check(facts);
    return { id, what, ...verdict };
  });
}

/** Whether a fault names a setting of these. */
export function isAbout(fault: string, settings: RegExp | undefined): boolean {
  return (
    settings !== undefined &&
    (fault.match(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)*\b/g) ?? []).some((name) => settings.test(name))
  );
}
