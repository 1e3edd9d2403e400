import type { Config } from '#platform/config/config.ts';
import { isoTime } from '#kernel/clock.ts';
import { checkpointKeys } from '#platform/keys/key-view.ts';
import { entriesErasureUnit, erasureUnit } from '#platform/log/erasure.ts';
import { statementDraft } from '#protocol/attestation/statement.ts';
import { entryOfId, PublicLog, type StoredEntry } from '#platform/log/public-log.ts';
import { isAttestationId } from '#protocol/attestation/attestation-id.ts';
import { parseLeaf } from '#protocol/attestation/leaf.ts';
import { eventErasureUnit } from '#platform/storage/event-erasure.ts';
import { idForm } from '#kernel/ids.ts';
import type { Foundation } from '#platform/foundation.ts';
import { digestOfMandate, eraseMandate } from '#areas/mandates/erasure.ts';
import { forgetEntries } from '../areas.ts';
import type { Output } from './line/output.ts';
import { type Run, UsageError } from './line/spec.ts';
import { openStore } from './operator-store.ts';

const REFUSALS = {
  not_found: 'No log entry has this id.',
  in_clear: 'The claim of this entry is in clear text in the signed log and cannot be erased.',
} as const;

const MANDATE_ID = idForm('mnd_');

export const erase: Run = async ({ operands, values }, output) => {
  const [id] = operands as [string];
  const reason = values['reason'] as string;
  if (MANDATE_ID.test(id)) return eraseMandateOf(id, reason, output);
  if (isAttestationId(id)) return eraseEntry(id, reason, output);
  throw new UsageError('Pass an attestation id (ATT- and 52 characters) or a mandate id (mnd_ and 26 characters).');
};

async function eraseMandateOf(mandateId: string, reason: string, output: Output): Promise<number> {
  await using opened = await openStore(output);
  const { foundation, config, isSandbox } = opened;
  const { store } = foundation;
  const sha256 = await digestOfMandate(store, mandateId);
  if (sha256 === undefined) throw new Error('No mandate has this id.');
  await openLog(config, foundation);
  const eraseEntries = entriesErasureUnit(forgetEntries);
  const erased = await eraseMandate(store, { mandateId, sha256, reason, sandbox: isSandbox, eraseEntries });
  await store.scrub();
  const { again, erased_at, attestation_id: statement, entries } = erased;
  output.result(
    { mandate_id: mandateId, erased_at, again, statement, entries_erased: entries },
    `${again ? 'Already erased' : 'Erased'}: ${mandateId} at ${erased_at}.\nStatement: ${statement}\nEntries erased: ${entries}.\n`,
  );
  return 0;
}

async function eraseEntry(id: string, reason: string, output: Output): Promise<number> {
  await using opened = await openStore(output);
  const { foundation, config, isSandbox } = opened;
  // Looked up before anything is signed: on a database without a log there is nothing to erase.
  const stored = await entryOfId(foundation.store, id);
  if (stored === undefined) throw new Error(REFUSALS.not_found);
  const log = await openLog(config, foundation);
  const events = await eraseEvents(foundation, log, stored);
  const { store } = foundation;
  const result = await store.run(erasureUnit(forgetEntries), {
    seq: stored.seq,
    attestationId: id,
    by: 'operator',
    sandbox: isSandbox,
    // The reason is one of a closed set: what is sealed about an erasure says nothing about anybody.
    draft: statementDraft(`attest.erased ${id} by operator: ${reason}`),
  });
  if (!result.erased) throw new Error(REFUSALS[result.why]);
  await store.scrub();
  const { again, statement } = result;
  const at = isoTime(result.erasedAtMs);
  const deleted = events > 0 ? `Events deleted: ${events}.\n` : '';
  output.result(
    { attestation_id: id, erased_at: at, again, statement, events_deleted: events },
    `${again ? 'Already erased' : 'Erased'}: ${id} at ${at}.\nStatement: ${statement}\n${deleted}`,
  );
  return 0;
}

/** Checks the log against its signed head and lets this process seal beside a running service. */
async function openLog(config: Config, { store, keyRing }: Foundation): Promise<PublicLog> {
  return PublicLog.open({
    store,
    attach: (sequencer) => store.attachLog(sequencer),
    keys: checkpointKeys(keyRing),
    // The log exists, and keeps the origin that it was begun with.
    newOrigin: '',
    sandbox: config.profile === 'sandbox',
  });
}

/** What a release or a mark says stands in the events of its key too; they go first, while the key is known. */
async function eraseEvents({ store }: Foundation, log: PublicLog, stored: StoredEntry): Promise<number> {
  const entry = parseLeaf(Buffer.from(stored.leaf));
  const key = log.sealRecord(await log.recordOf(stored.seq))?.claim['key'];
  if (entry.type === 'seal' || typeof key !== 'string') return 0;
  const about = entry.type === 'release' ? { fence: entry.fence } : { log: stored.seq };
  return store.run(eventErasureUnit, { key, about });
}
