import type { Clock } from '#kernel/clock.ts';
import type { Cosigner } from '#protocol/cosignature.ts';
import { formatNote, parseNote } from '#protocol/note.ts';
import type { WitnessPolicy } from '#protocol/witness-policy.ts';
import type { Query, Store } from '#platform/storage/store.ts';
import { isWitnessed, witnessesIn } from './cosign-unit.ts';
import type { PublicLog } from './public-log.ts';
import * as unit from './publish-unit.ts';

export interface PublisherOptions {
  readonly store: Store;
  readonly log: PublicLog;
  readonly clock: Pick<Clock, 'now'>;
  /** The post-quantum key of the log; throws where this machine does not have it. */
  readonly cosigner: (origin: string) => Cosigner;
  /** Null where no witnesses are configured. */
  readonly policy: WitnessPolicy | null;
}

/** A checkpoint that met the quorum of the policy in force. */
export interface WitnessedCheckpoint {
  readonly size: number;
  readonly note: string;
  readonly witnesses: readonly { readonly name: string; readonly timeSeconds: number }[];
  /** How many of them, or of groups of them, the policy asks for. */
  readonly quorum: number;
}

export type WitnessStatus = 'not_configured' | 'up' | 'degraded';

/** Publishes checkpoints, and reads what any process has published. */
export class Publisher {
  readonly #options: PublisherOptions;
  #status: WitnessStatus;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#status = options.policy === null ? 'not_configured' : 'degraded';
  }

  /** The newest committed checkpoint with the ML-DSA-44 line, where the log has grown since the last one. */
  async publish(): Promise<void> {
    const { store, log, clock, cosigner } = this.#options;
    const head = await log.follow();
    if (head.size <= ((await this.#read(unit.NEWEST))?.size ?? 0)) return;
    const { text, signatures } = parseNote(head.checkpoint);
    const line = cosigner(log.origin).cosign(text, Math.max(1, Math.floor(clock.now() / 1_000)));
    await store.run(unit.publishUnit, {
      size: head.size,
      note: formatNote({ text, signatures: [...signatures, line] }),
    });
  }

  async newest(): Promise<unit.Published> {
    const row = await this.#read(unit.NEWEST);
    if (row === undefined) throw new Error('no checkpoint was published before the service listened');
    return row;
  }

  /** Judged by the policy of now: a checkpoint that an earlier one was content with does not count. */
  async witnessed(): Promise<WitnessedCheckpoint | null> {
    const { policy } = this.#options;
    const row = policy === null ? undefined : await this.#read(unit.NEWEST_WITNESSED);
    if (policy === null || row === undefined || !isWitnessed(row.note, policy)) return null;
    const { size, note } = row;
    return { size, note, witnesses: witnessesIn(note, policy), quorum: thresholdOf(policy) };
  }

  /** As the last beat found it. */
  witnessStatus(): WitnessStatus {
    return this.#status;
  }

  /** Well is when the last checkpoint that witnesses were asked for met the quorum. */
  async refreshStatus(): Promise<void> {
    if (this.#options.policy === null) return;
    const [asked, witnessed] = [await this.#read(unit.NEWEST_SUBMITTED), await this.witnessed()];
    this.#status = asked !== undefined && asked.size === witnessed?.size ? 'up' : 'degraded';
  }

  /** What a reader may conclude about witnesses, in words. */
  witnessStatement(witnessed: WitnessedCheckpoint | null): string {
    const { policy } = this.#options;
    if (policy === null) return `No independent witness cosigns this log. ${ONLY_MEMORY}`;
    const count = policy.witnesses.length;
    if (witnessed === null) {
      return `${count} ${count === 1 ? 'witness is' : 'witnesses are'} configured, but no checkpoint has reached their quorum. ${ONLY_MEMORY}`;
    }
    const { size, witnesses } = witnessed;
    const by = `${witnesses.length} ${witnesses.length === 1 ? 'witness' : 'witnesses'}`;
    return `The log of size ${size} reached the quorum with ${by} from the policy in /.well-known/avouch-keys.json. Later entries are not witnessed yet. Judge for yourself whether the witnesses are independent of the operator.`;
  }

  async #read(asked: Query<unit.Published>): Promise<unit.Published | undefined> {
    return (await this.#options.store.read(asked))[0];
  }
}

const ONLY_MEMORY = 'Only readers who remember earlier checkpoints can notice if it shows different views.';

function thresholdOf({ groups, quorum }: WitnessPolicy): number {
  if (quorum === null) return 0;
  return groups.find(({ name }) => name === quorum)?.threshold ?? 1;
}
