// The vectors of the audits and the fuse: those of the project, and those that several implementations share.
import { existsSync, readFileSync } from 'node:fs';
import { BUDGET_CONTROLS } from '#areas/audits/budget-controls.ts';
import { COORDINATION_CONTROLS } from '#areas/audits/coordination-controls.ts';
import { microOf } from '#areas/audits/exact-number.ts';
import type { SpendInput, SpendMemory } from '#areas/audits/spend-facts.ts';

type Query = Readonly<Record<string, string>>;

export interface FuseVector {
  readonly name: string;
  readonly query: Query & SpendInput;
  readonly isRemembered: boolean;
  readonly expect: {
    readonly verdict: string;
    readonly stops: readonly string[];
    readonly cautions: readonly string[];
    readonly expected_value_usd: number | null;
  };
}

export interface AuditVector {
  readonly name: string;
  readonly query: Query;
  readonly expect: {
    readonly verdict: string;
    readonly score: number;
    readonly grade: string;
    readonly controls: readonly string[];
    readonly exposure?: Readonly<Record<string, unknown>> & { readonly assumptions: readonly string[] };
    readonly expected_value_usd?: number | null;
    readonly fuse?: Readonly<Record<string, number>>;
  };
}

interface OwnFile {
  readonly fuse: {
    readonly base: Query;
    readonly memory: { readonly amount_usd: string; readonly first_seen: string };
    readonly cases: readonly (FuseVector['expect'] & {
      readonly id: string;
      readonly says: string;
      readonly only?: Query;
      readonly change?: Query;
      readonly drop?: readonly string[];
      readonly remembered?: true;
    })[];
  };
  readonly budget: readonly OwnAudit[];
  readonly coordination: readonly OwnAudit[];
}

interface OwnAudit extends Omit<AuditVector['expect'], 'controls' | 'fuse'> {
  readonly id: string;
  readonly says: string;
  readonly numbers: Query;
  readonly every_control?: string;
  readonly except?: Query;
  readonly open: readonly string[];
  readonly recommended_fuse_settings?: Readonly<Record<string, number>>;
}

const own = JSON.parse(readFileSync(new URL('../vectors/audits.json', import.meta.url), 'utf8')) as OwnFile;

/** What the memory holds in the vectors that say so. */
export function vectorMemory(isRemembered: boolean): SpendMemory {
  const { amount_usd: amount, first_seen: at } = own.fuse.memory;
  const seen = isRemembered ? { amountMicro: microOf(amount), at, byOtherPayer: false } : undefined;
  return { seen, probedMicro: 0n };
}

const ownFuse = own.fuse.cases.map(({ id, says, only, change, drop = [], remembered, ...answer }): FuseVector => {
  const full = Object.fromEntries(
    Object.entries({ ...own.fuse.base, ...change }).filter(([name]) => !drop.includes(name)),
  );
  const { verdict, stops, cautions, expected_value_usd: value } = answer;
  return {
    name: `${id} ${says}`,
    query: (only ?? full) as FuseVector['query'],
    isRemembered: remembered === true,
    expect: { verdict, stops, cautions, expected_value_usd: value },
  };
});

function ownAudit(controls: readonly { readonly id: string }[]): (vector: OwnAudit) => AuditVector {
  return ({ id, says, numbers, every_control: answer, except, open, recommended_fuse_settings: fuse, ...expect }) => ({
    name: `${id} ${says}`,
    query: {
      ...numbers,
      ...(answer !== undefined && Object.fromEntries(controls.map((control) => [control.id, answer]))),
      ...except,
    },
    expect: { ...expect, controls: open, ...(fuse !== undefined && { fuse }) },
  });
}

interface VectorSet {
  readonly fuse: readonly FuseVector[];
  readonly budget: readonly AuditVector[];
  readonly coordination: readonly AuditVector[];
}

export const ownVectors: VectorSet = {
  fuse: ownFuse,
  budget: own.budget.map(ownAudit(BUDGET_CONTROLS)),
  coordination: own.coordination.map(ownAudit(COORDINATION_CONTROLS)),
};

/** They lie beside the repository and are not part of it. */
const SHARED = new URL('../../../shared/data/audits/', import.meta.url);
export const sharedVectorsMissing = !existsSync(SHARED) && '../shared/data/audits is not there';

export function sharedVectors(): VectorSet {
  const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, SHARED), 'utf8'));
  const fuse = read('fuse-vectors.json') as (FuseVector & { memory_seen: boolean })[];
  const audits = read('audit-vectors.json') as AuditVector[];
  return {
    fuse: fuse.map((vector) => ({ ...vector, isRemembered: vector.memory_seen })),
    budget: audits.filter(({ name }) => name.startsWith('A')),
    coordination: audits.filter(({ name }) => name.startsWith('C')),
  };
}
