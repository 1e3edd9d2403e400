import type { Asker, Installation, StoreFacts } from './facts.ts';

export interface DoctorVerdict {
  readonly status: 'ok' | 'warn' | 'fail' | 'not_checked';
  /** What was found, or why nobody looked. */
  readonly detail: string;
  /** What to do; empty where nothing is. */
  readonly cure: string;
}

export interface DoctorCheck {
  readonly id: string;
  readonly what: string;
  /** Names of the settings whose faults are told here. */
  readonly settings?: RegExp;
  readonly check: (facts: Installation) => DoctorVerdict;
}

export interface DoctorResult extends DoctorVerdict {
  readonly id: string;
  readonly what: string;
}

export const ok = (detail: string): DoctorVerdict => ({ status: 'ok', detail, cure: '' });
export const notChecked = (why: string): DoctorVerdict => ({ status: 'not_checked', detail: why, cure: '' });
export const warn = (detail: string, cure: string): DoctorVerdict => ({ status: 'warn', detail, cure });
export const fail = (detail: string, cure: string): DoctorVerdict => ({ status: 'fail', detail, cure });

/** A check of what the database tells; it has nothing to say while there is none. */
export function ofStore(
  check: (store: StoreFacts, facts: Installation) => DoctorVerdict,
): (facts: Installation) => DoctorVerdict {
  return (facts) => {
    if (facts.store === null) return notChecked('there is no database yet');
    return typeof facts.store === 'string' ? notChecked('the database does not answer') : check(facts.store, facts);
  };
}

/** A check of what somebody else said. */
export function ofAsked(who: Asker, cure: string): (facts: Installation) => DoctorVerdict {
  return ({ asked }) => {
    const { outcome, text } = asked[who];
    if (outcome === 'ok') return ok(text);
    return outcome === 'not_asked' ? notChecked(text) : { status: outcome, detail: text, cure };
  };
}

export function isProduction({ config }: Installation): boolean {
  return config.profile === 'production';
}

/** Every check in its order. A fault of a setting is told by the check that owns the setting, else by `settings`. */
export function diagnose(checks: readonly DoctorCheck[], facts: Installation): DoctorResult[] {
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
