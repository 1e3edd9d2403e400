import { DAY_MS, isoTime } from '#kernel/clock.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import { decideByType, type Found, type Unit, type Write } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import * as sql from './sql.ts';
import type { CheckSeal, FreeCheck } from './sql.ts';

export const FREE_CHECKS_PER_DAY = 20;
export const FREE_CHECK_RETENTION_MS = 30 * DAY_MS;
export const checkExpiry = sql.CHECK.expiring({ by: ['at'], keptMs: FREE_CHECK_RETENTION_MS });

interface KeepCheck {
  readonly type: 'keep';
  readonly check: Omit<FreeCheck, 'atMs' | 'seal'>;
}

interface SealCheck {
  readonly type: 'seal';
  readonly id: string;
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

type SealResult =
  | { readonly type: 'not_found' }
  | { readonly type: 'sealed'; readonly check: FreeCheck; readonly seal: CheckSeal; readonly again: boolean };

type FreeCheckDeed = [KeepCheck, { readonly type: 'kept' | 'used_up' }] | [SealCheck, SealResult];
type FreeCheckCommand = FreeCheckDeed[0];

interface State {
  readonly checks: VersionedMap<string, FreeCheck>;
  readonly asked: ReadonlyMap<string, number>;
}

/** Keeps the answers of free checks for thirty days, counts them by address, and seals those that are recorded. */
export const freeCheckUnit: Unit<FreeCheckDeed, State, typeof reads> = {
  name: 'free-check',
  reads,
  load,
  decide: decideByType<FreeCheckDeed, State>({
    keep(state, nowMs, _next, { check }) {
      const { id, addressTag } = check;
      const before = state.asked.get(addressTag) ?? 0;
      if (before >= FREE_CHECKS_PER_DAY) return { state, result: { type: 'used_up' } };
      const checks = state.checks.with(id, { ...check, atMs: nowMs, seal: null });
      const asked = new Map(state.asked).set(addressTag, before + 1);
      return { state: { ...state, checks, asked }, result: { type: 'kept' } };
    },
    seal(state, nowMs, next, { id, draft, sandbox }) {
      const check = state.checks.get(id);
      if (check === undefined || nowMs - check.atMs >= FREE_CHECK_RETENTION_MS)
        return { state, result: { type: 'not_found' } };
      if (check.seal !== null) return { state, result: { type: 'sealed', check, seal: check.seal, again: true } };
      const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
      const seal = { attestationId: entry.leaf.id, seq: next.seq, atMs: nowMs };
      const sealed = { ...state, checks: state.checks.with(id, { ...check, seal }) };
      return { state: sealed, result: { type: 'sealed', check, seal, again: false }, entries: [entry] };
    },
  }),
  writes,
};

function reads(commands: readonly FreeCheckCommand[]) {
  const ids = commands.flatMap((command) => (command.type === 'seal' ? command.id : []));
  const addresses = commands.flatMap((command) => (command.type === 'keep' ? command.check.addressTag : []));
  return {
    named: listed(sql.CHECKS_OF_IDS, ids),
    asked: listed(sql.ASKED_FROM, addresses),
  };
}

function load({ named, asked }: Found<typeof reads>): State {
  const byAddress = Map.groupBy(asked, ({ addressTag }) => addressTag);
  return {
    checks: VersionedMap.by(named, ({ id }) => id),
    asked: new Map([...byAddress].map(([addressTag, checks]) => [addressTag, checks.length])),
  };
}

function writes(before: State, after: State): readonly Write[] {
  return [sql.CHECK.upsert(after.checks.changedSince(before.checks).map(sql.storedCheck))];
}
