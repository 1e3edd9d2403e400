import { Refusal } from '#kernel/problem.ts';
import { DOCUMENTS, SCHEMAS } from '#protocol/attestation/schemas.ts';
import * as problems from './problems.ts';

type SchemaList = { schemas: { schema_id: string; schema_digest: string }[] };

const IN_FORCE: SchemaList = {
  schemas: SCHEMAS.map(({ document, digest }) => ({ ...document, schema_digest: digest })),
};

/** One answer per document, which is then rendered and hashed once. */
const byDigest = new Map(IN_FORCE.schemas.map((document) => [document.schema_digest, { schemas: [document] }]));

/** The documents in force, or the one that has the digest, in force or not. */
export function schemaDocuments(digest: string | undefined): SchemaList | Refusal {
  if (digest === undefined) return IN_FORCE;
  const known = byDigest.get(digest) ?? oldDocument(digest); // attacker-controlled
  return known ?? new Refusal(problems.unknownSchemaDigest, { detail: 'No schema document has this digest.' });
}

function oldDocument(digest: string): SchemaList | undefined {
  const document = DOCUMENTS.get(digest);
  return document && { schemas: [{ ...document, schema_digest: digest }] };
}
