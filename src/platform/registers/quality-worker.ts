// The thread in which a list is measured, behind everything else that the machine has to do.
import { parentPort, workerData } from 'node:worker_threads';
import { workBelowNormal } from '#platform/below-normal.ts';
import { listedEntities, type PackedTexts } from '#platform/screening/list-index.ts';
import { measureQuality, type Quality } from '#platform/screening/quality/quality.ts';

export interface QualityTask {
  /** The entities of the list in use, as its index holds them. */
  readonly entities: PackedTexts;
  readonly sha256: string;
  /** Of each set. */
  readonly queries: number;
}
export type QualityOutcome = Quality;

/** The seed comes from the list: nobody picks one that does well, and the same list gives the same figures. */
const seedOf = (sha256: string) => Number.parseInt(sha256.slice(0, 8), 16);

workBelowNormal();
const { entities, sha256, queries } = workerData as QualityTask;
const list = { generationDate: null, entities: listedEntities(entities) };
const quality: QualityOutcome = measureQuality(list, { seed: seedOf(sha256), queries });
parentPort?.postMessage(quality);
