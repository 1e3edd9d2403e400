import { type Config, readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { isoTime } from '#kernel/clock.ts';
import { checkpointKeys } from '#platform/keys/key-view.ts';
import { erasureUnit } from '#platform/log/erasure.ts';
import { statementDraft } from '#protocol/attestation/statement.ts';
import { entryOfId, PublicLog, type StoredEntry } from '#platform/log/public-log.ts';
import { isAttestationId } from '#protocol/attestation/attestation-id.ts';
import { parseLeaf } from '#protocol/attestation/leaf.ts';
import { eventErasureUnit } from '#platform/storage/event-erasure.ts';
import { type Foundation, openFoundation } from '#platform/foundation.ts';
import { forgetEntries } from '../areas.ts';
import { givenArguments } from './arguments.ts';
import { type Command, UsageError } from './command.ts';

/** A closed set: what is sealed about an erasure says nothing about anybody. */
const REASONS = ['request', 'legal', 'mistake'] as const;
type Reason = (typeof REASONS)[number];
const USAGE_ERROR = `erase takes an attestation id and --reason ${REASONS.join('|')}`;

const REFUSALS = {
  not_found: 'no entry of the log has this id',
  in_clear: 'the claim of this entry stands in clear in the signed log and cannot be erased',
} as const;

export const eraseCommand: Command = {
  name: 'erase',
  summary: 'delete the claim of a log entry as its operator; the entry stays and the erasure is sealed',
  usage: `erase <attestation_id> --reason <${REASONS.join('|')}>`,
  examples: [
    './avouch erase ATT-E6V5YUMJRAFE3HZG3JGSRTZPZ42GISEAMANQPA7O56S3WAMZQRFA --reason request',
    'DATA_DIR=/var/lib/avouch ./avouch erase ATT-E6V5... --reason legal',
  ],
  async run(args, terminal) {
    const { id, reason } = argumentsOf(args);
    const config = readConfig(terminal.env);
    await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
    // Looked up before anything is signed: on a database without a log there is nothing to erase.
    const stored = await entryOfId(foundation.store, id);
    if (stored === undefined) throw new Error(REFUSALS.not_found);
    const log = await openLog(config, foundation);
    const events = await eraseEvents(foundation, log, stored);
    const { store } = foundation;
    const result = await store.run(erasureUnit(forgetEntries), {
      seq: stored.seq,
      by: 'operator',
      sandbox: config.profile === 'sandbox',
      draft: statementDraft(`attest.erased ${id} by operator: ${reason}`),
    });
    if (!result.erased) throw new Error(REFUSALS[result.why]);
    await store.scrub();
    const { again, erasedAtMs, statement } = result;
    terminal.out(
      `${again ? 'was erased before' : 'erased'}: ${id} at ${isoTime(erasedAtMs)}\nstatement: ${statement}\n`,
    );
    if (events > 0) terminal.out(`events deleted: ${events}\n`);
    return 0;
  },
};

function argumentsOf(args: readonly string[]): { id: string; reason: Reason } {
  const { positionals, values } = givenArguments(args, { values: ['reason'] }, USAGE_ERROR);
  const [id, ...more] = positionals;
  const reason = REASONS.find((one) => one === values['reason']);
  if (id === undefined || more.length > 0 || reason === undefined) throw new UsageError(USAGE_ERROR);
  if (!isAttestationId(id)) throw new UsageError('an attestation id is ATT- and 52 characters of base32');
  return { id, reason };
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
