import { z } from 'zod';
import type { Store } from '#platform/storage/store.ts';
import type { Retrieval } from './retrieval.ts';
import * as sql from '../sql.ts';

const Fact = z.strictObject({
  id: z.string(),
  subject: z.string(),
  field: z.enum(['endpoint', 'price', 'limit', 'version']),
  value: z.string(),
  unit: z.string().optional(),
  path: z.string(),
  version: z.string(),
});
export type Fact = z.output<typeof Fact>;

export const Grounded = z.strictObject({
  facts: z.array(Fact),
  docs_sha256: z.string(),
  attestation_id: z
    .string()
    .nullable()
    .meta({ description: 'Attestation id of the sealed digest. Null until it is sealed.' }),
  abstained: z.boolean(),
});

export interface GroundingOptions {
  readonly store: Pick<Store, 'read'>;
  readonly retrieval: Pick<Retrieval, 'own'>;
  /** Facts of the tables that the service runs on, by the passage of their operation. */
  readonly factsOf: (passageId: string) => readonly Fact[];
  readonly docsSha256: () => Promise<string>;
}

const SUBJECTS = 3;
export const DOCS_SEAL = 'docs';

/** Facts come from the tables that the service runs on, never from prose. */
export class Grounding {
  readonly #options: GroundingOptions;

  constructor(options: GroundingOptions) {
    this.#options = options;
  }

  async ground(query: string): Promise<z.output<typeof Grounded>> {
    const { store, retrieval, factsOf, docsSha256 } = this.#options;
    const ids = (await retrieval.own(query, 'operations')).slice(0, SUBJECTS);
    const facts = ids.flatMap((id) => factsOf(id));
    const sha256 = await docsSha256();
    const [seal] = await store.read(sql.ONE_SEAL, [DOCS_SEAL]);
    const attestationId = seal?.sha256 === sha256 ? seal.attestationId : null;
    return { facts, docs_sha256: sha256, attestation_id: attestationId, abstained: facts.length === 0 };
  }
}
