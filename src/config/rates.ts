import { RATE_CLASSES, type RateClass } from '#kernel/operation.ts';
import { type Env, rateSetting } from './env.ts';

export interface Rate {
  readonly calls: number;
  readonly perSeconds: 1 | 60;
  readonly burst: number;
}

const DEFAULT_RATES: Readonly<Record<RateClass, Rate>> = {
  'crossing-read': { calls: 20, perSeconds: 1, burst: 60 },
  'crossing-write': { calls: 5, perSeconds: 1, burst: 20 },
  tasks: { calls: 5, perSeconds: 1, burst: 20 },
  paid: { calls: 20, perSeconds: 1, burst: 60 },
  'attest-seal': { calls: 10, perSeconds: 1, burst: 50 },
  mcp: { calls: 10, perSeconds: 1, burst: 40 },
  login: { calls: 5, perSeconds: 60, burst: 5 },
  'attest-read': { calls: 20, perSeconds: 1, burst: 60 },
  wallet: { calls: 20, perSeconds: 1, burst: 60 },
};

const FORM = /^([1-9]\d{0,6})\/(s|min),([1-9]\d{0,6})$/;

export function readRates(env: Env, faults: string[]): Record<RateClass, Rate> {
  const rates = { ...DEFAULT_RATES };
  for (const name of RATE_CLASSES) {
    const text = env[rateSetting(name)];
    if (text === undefined) continue;
    const form = FORM.exec(text);
    if (form === null) faults.push(`${rateSetting(name)} must look like 5/s,20 or 5/min,5`);
    else rates[name] = { calls: Number(form[1]), perSeconds: form[2] === 's' ? 1 : 60, burst: Number(form[3]) };
  }
  return rates;
}
