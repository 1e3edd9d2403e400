import { asSentence } from '#kernel/sentence.ts';
import type { Asker, Installation, StoreFacts } from './facts.ts';

export interface DoctorVerdict {
  readonly status: 'ok' | 'warn' | 'fail' | 'not_checked';
  /** What was found, or why it was not checked, in sentences. */
  readonly detail: string;
  /** What to do; empty where there is nothing to do. */
  readonly cure: string;
}

export interface DoctorCheck {
  readonly id: string;
  readonly what: string;
  /** Names of the settings whose errors this check reports. */
  readonly settings?: RegExp;
  /** Of services that AVOUCH_SERVICES=free leaves out: there is nothing to check then but the values of its settings. */
  readonly services?: 'all';
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

/** A check of what the database contains; not checked while there is no database. */
export function ofStore(
  check: (store: StoreFacts, facts: Installation) => DoctorVerdict,
): (facts: Installation) => DoctorVerdict {
  return (facts) => {
    if (facts.store === null) return notChecked('There is no database yet.');
    return typeof facts.store === 'string' ? notChecked('The database does not answer.') : check(facts.store, facts);
  };
}

/** A check of the response of another system. */
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

/** Every check in its order. The check that owns a setting reports its errors; `settings` reports the others. */
export function diagnose(checks: readonly DoctorCheck[], facts: Installation): DoctorResult[] {
  const isOwned = (fault: string) => checks.some(({ settings }) => isAbout(fault, settings));
  return checks.map(({ id, what, settings, services, check }) => {
    const isUnused = services === 'all' && facts.config.services === 'free';
    const judge = isUnused ? () => notChecked('Free services do not use it (AVOUCH_SERVICES=free).') : check;
    const isOwn = (fault: string) => (id === 'settings' ? !isOwned(fault) : isAbout(fault, settings));
    const faults = facts.faults.filter(isOwn);
    const verdict = faults.length > 0 ? fail(faults.map(asSentence).join(' '), 'Correct the setting.') : judge(facts);
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
