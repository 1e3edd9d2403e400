import type { Clock } from '#kernel/clock.ts';
import { checkpointVerifier } from '#protocol/cosignature.ts';
import { type NoteSignature, parseNote } from '#protocol/note.ts';
import { type NoteKey, noteKeyLabel } from '#protocol/note-key.ts';
import type { WitnessPolicy } from '#protocol/witness-policy.ts';
import type { Store } from '#platform/storage/store.ts';
import { cosignUnit, type KnownWitness, WITNESS_STATES } from './cosign-unit.ts';
import type { PublicLog } from './public-log.ts';
import type { Publisher } from './publisher.ts';
import type { WitnessOutcome, WitnessRequest, WitnessTarget } from './witness-client.ts';

export type WitnessQuestion = Omit<WitnessRequest, 'post'>;
export type AskWitness = (question: WitnessQuestion) => Promise<WitnessOutcome>;

export interface WitnessingOptions {
  readonly store: Store;
  readonly log: PublicLog;
  readonly publisher: Publisher;
  readonly clock: Pick<Clock, 'now'>;
  readonly policy: WitnessPolicy;
  readonly ask: AskWitness;
}

/** Asks the witnesses of the policy to cosign what was published. Nothing waits for them. */
export class Witnessing {
  readonly #options: WitnessingOptions;

  constructor(options: WitnessingOptions) {
    this.#options = options;
  }

  /** One round: the newest published checkpoint goes to every witness with an address that has not cosigned it. */
  async collect(): Promise<void> {
    const { store, log, publisher, policy } = this.#options;
    const { size, note } = await publisher.newest();
    // The proofs come from the tree of this process, and another one may have published.
    await log.follow();
    const signed = new Set(parseNote(note).signatures.map(noteKeyLabel));
    const targets = policy.witnesses.flatMap(({ name, key, url }) =>
      url === null || signed.has(noteKeyLabel(key)) ? [] : [{ name, key, url }],
    );
    if (targets.length === 0) return;
    const known = new Map((await store.read(WITNESS_STATES)).map((state) => [state.name, state]));
    const answers = await Promise.all(
      targets.map((target) => this.#ask(target, { size, note, rememberedSize: known.get(target.name)?.size ?? 0 })),
    );
    const signatures = answers.flatMap(({ signature }) => (signature === undefined ? [] : [signature]));
    await store.run(cosignUnit, { size, signatures, policy, states: answers.map(({ state }) => state) });
    await publisher.refreshStatus();
  }

  async #ask(
    target: WitnessTarget,
    { size, note, rememberedSize }: { size: number; note: string; rememberedSize: number },
  ): Promise<{ state: KnownWitness; signature?: NoteSignature }> {
    const { log, clock, ask } = this.#options;
    const nowSeconds = Math.floor(clock.now() / 1_000);
    const consistencyProof = (first: number, second: number) => log.consistencyProof(first, second);
    const question = { target, checkpoint: note, size, rememberedSize, consistencyProof, nowSeconds };
    const told = await ask(question).catch(unanswered);
    const { name } = target;
    if (told.outcome !== 'cosigned') {
      const { outcome, detail, knownSize } = told;
      // A size beyond the log is a lie, and a proof from it cannot be made.
      const remembered = knownSize !== undefined && knownSize <= size ? knownSize : rememberedSize;
      return { state: { name, size: remembered, outcome, detail } };
    }
    if (!isGood(target.key, note, told.signature, nowSeconds)) {
      return {
        state: { name, size: rememberedSize, outcome: 'bad_answer', detail: 'the cosignature does not verify' },
      };
    }
    return { state: { name, size, outcome: 'cosigned', detail: '' }, signature: told.signature };
  }
}

function unanswered(error: unknown): WitnessOutcome {
  return { outcome: 'unreachable', detail: error instanceof Error ? error.message : 'unknown fault' };
}

/** Only what verifies here goes into a published note: readers reject a whole note for one bad line. */
function isGood(key: NoteKey, note: string, signature: NoteSignature, nowSeconds: number): boolean {
  if (noteKeyLabel(signature) !== noteKeyLabel(key)) return false;
  return checkpointVerifier(key, nowSeconds).verify(parseNote(note).text, signature.signature).result === 'good';
}
