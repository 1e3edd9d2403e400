// The thread in which a list is measured, behind everything else that the machine has to do.
import { workBelowNormal } from '#platform/below-normal.ts';
import { listedEntities, type PackedTexts } from '#platform/screening/list-index.ts';
import { measureQuality, type Quality } from '#platform/screening/quality/quality.ts';
import { answerRequests } from '#platform/thread.ts';

export interface QualityTask {
  /** The entities of the list in use, as its index holds them. */
  readonly entities: PackedTexts;
  readonly sha256: string;
  /** Of each set. */
  readonly queries: number;
}

/** The seed comes from the list: nobody picks one that does well, and the same list gives the same figures. */
const seedOf = (sha256: string) => Number.parseInt(sha256.slice(0, 8), 16);

workBelowNormal();
answerRequests({
  answer({ entities, sha256, queries }: QualityTask): Quality {
    const list = { generationDate: null, entities: listedEntities(entities) };
    return measureQuality(list, { seed: seedOf(sha256), queries });
  },
});
