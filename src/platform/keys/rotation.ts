import { isoTime } from '#kernel/clock.ts';
import { newCommandId, newToken } from '#kernel/ids.ts';
import { keyDeclarationDraft } from '#protocol/attestation/key-declaration.ts';
import type { SealDraft } from '#protocol/attestation/seal-entry.ts';
import type { Store } from '#platform/storage/store.ts';
import type { KeyRing } from './key-ring.ts';
import { declaredName, KEY_SCOPES, type KeyScope, publicScopeOf } from './key-scope.ts';
import { type Declaration, type KeyRecord, keyUnit, type NewKey } from './key-unit.ts';

/** The log that key declarations are sealed in. */
export interface DeclaringLog {
  readonly origin: string;
  readonly sandbox: boolean;
}

class RotationRefused extends Error {
  override readonly name = 'RotationRefused';
}

/**
 * Makes a new key for the scope, declares it in the log and has it sign from the next batch on. The old key of the log
 * signs beside it until the overlap is over; others end at once. Interrupted anywhere, a repetition completes it.
 */
export async function rotateKey(
  ring: KeyRing,
  store: Store,
  { scope, log }: { scope: KeyScope; log: DeclaringLog },
): Promise<KeyRecord> {
  await ring.refresh();
  const overlap = overlapOf(ring.inForce(scope));
  if (overlap !== undefined) throw overlap;
  const key = ring.nextKey(scope);
  const legacy = ring.inForce(scope).flatMap((record) => legacyOf(record, key, log) ?? []);
  const draft = draftOf(key, log);
  ring.learn(await store.run(keyUnit, { type: 'rotate', key, draft, legacy, sandbox: log.sandbox }));
  const made = ring.records().find(({ keyId }) => keyId === key.keyId);
  if (made === undefined) throw overlapOf(ring.inForce(scope)) ?? new RotationRefused('the key was not recorded');
  return made;
}

/**
 * Ends the keys of the scope whose files are lost and has another sign in their place: one that is still there, or a new
 * one. Gives the lost ones; none where a repetition finds it done.
 */
export async function replaceLostKeys(
  ring: KeyRing,
  store: Store,
  scope: KeyScope,
): Promise<{ lost: readonly KeyRecord[]; key: NewKey }> {
  await ring.refresh();
  const lost = ring.missing().filter((record) => record.scope === scope);
  const left = ring.inForce(scope).findLast((record) => !lost.includes(record));
  const isDone = left !== undefined && left.declaredIn === null && publicScopeOf(left) !== null;
  if (lost.length === 0 && !isDone) {
    throw new RotationRefused(`the files of all ${scope} keys in force are here: rotate it instead`);
  }
  const key = left ?? ring.nextKey(scope);
  if (lost.length > 0) {
    ring.learn(await store.run(keyUnit, { type: 'replace', key, lost: lost.map(({ keyId }) => keyId) }));
  }
  return { lost, key };
}

/** Ends the keys whose overlap is over, each with a declaration that it is legacy; gives how many ended. */
export async function retireDueKeys(ring: KeyRing, store: Store, log: DeclaringLog): Promise<number> {
  await ring.refresh();
  const before = ring.records();
  const overlapping = before.filter(({ retiredAtMs, retiresAtMs }) => retiredAtMs === null && retiresAtMs !== null);
  if (overlapping.length === 0) return 0;
  const legacy = overlapping.flatMap((record) => {
    const successor = before.find(({ keyId }) => keyId === record.supersededBy);
    return successor === undefined ? [] : (legacyOf(record, successor, log) ?? []);
  });
  ring.learn(await store.run(keyUnit, { type: 'retire', legacy, sandbox: log.sandbox }));
  return ring.records().filter(({ retiredAtMs }) => retiredAtMs !== null).length - before.filter(isRetired).length;
}

/** Declares every key that is not, in the order of the scopes. `inception` is what entry 0 of the log declares. */
export async function declareKeys(
  ring: KeyRing,
  store: Store,
  { log, inception }: { log: DeclaringLog; inception: { readonly publicKey: unknown; readonly entry: string } },
): Promise<void> {
  const undeclared = ring
    .records()
    .filter((record) => record.declaredIn === null && publicScopeOf(record) !== null)
    .toSorted((a, b) => KEY_SCOPES.indexOf(a.scope) - KEY_SCOPES.indexOf(b.scope));
  if (undeclared.length === 0) return;
  const declarations = undeclared.flatMap((record): readonly Declaration[] => {
    const isInception = declaredName(record, log.origin) === inception.publicKey;
    if (isInception) return [{ keyId: record.keyId, entry: inception.entry }];
    const successor = ring.records().find(({ keyId }) => keyId === record.supersededBy);
    if (isRetired(record) && successor !== undefined) return [legacyOf(record, successor, log) ?? []].flat();
    const draft = draftOf(record, log);
    return draft === null ? [] : [{ keyId: record.keyId, draft }];
  });
  ring.learn(await store.run(keyUnit, { type: 'declare', declarations, sandbox: log.sandbox }));
}

/** Null for a key that the log does not declare. */
function draftOf(key: NewKey, { origin }: DeclaringLog): SealDraft | null {
  const scope = publicScopeOf(key);
  if (scope === null) return null;
  return keyDeclarationDraft({ publicKey: declaredName(key, origin), role: 'root', scope }, fresh());
}

function legacyOf(record: NewKey, successor: NewKey, { origin }: DeclaringLog): Declaration | null {
  const scope = publicScopeOf(record);
  if (scope === null) return null;
  const [publicKey, supersededBy] = [declaredName(record, origin), declaredName(successor, origin)];
  const draft = keyDeclarationDraft({ publicKey, role: 'legacy', scope, supersededBy }, fresh());
  return { keyId: record.keyId, draft };
}

function fresh(): { seed: string; nonce: string } {
  return { seed: newToken(), nonce: newCommandId() };
}

function isRetired({ retiredAtMs }: KeyRecord): boolean {
  return retiredAtMs !== null;
}

function overlapOf(inForce: readonly KeyRecord[]): RotationRefused | undefined {
  const ending = inForce.find(({ retiresAtMs }) => retiresAtMs !== null);
  if (ending?.retiresAtMs == null) return undefined;
  const until = isoTime(ending.retiresAtMs);
  return new RotationRefused(`the last rotation of ${ending.scope} is still under way: its overlap ends ${until}`);
}
