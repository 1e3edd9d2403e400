import { RATE_CLASSES, type RateClass } from '#kernel/operation.ts';
import { rateSetting } from './env.ts';

export interface RateLimit {
  readonly calls: number;
  readonly perSeconds: 1 | 60;
  readonly burst: number;
}

const FORM = /^([1-9]\d{0,6})\/(s|min),([1-9]\d{0,6})$/;

/** The figures of every class; `textOf` gives the text of a setting or its default. */
export function readRates(textOf: (setting: string) => string, faults: string[]): Record<RateClass, RateLimit> {
  const rates = RATE_CLASSES.map((name): [RateClass, RateLimit] => {
    const setting = rateSetting(name);
    const form = FORM.exec(textOf(setting));
    if (form === null) faults.push(`${setting} must look like 5/s,20 or 5/min,5`);
    const perSeconds = form?.[2] === 's' ? 1 : 60;
    return [name, { calls: Number(form?.[1]), perSeconds, burst: Number(form?.[3]) }];
  });
  return Object.fromEntries(rates) as Record<RateClass, RateLimit>;
}
