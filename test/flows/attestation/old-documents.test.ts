// A schema's text and fee may change; what was sealed before is judged by the document of then.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaDocuments } from '#areas/attestation/schema-documents.ts';
import { judgePage } from '#platform/log/judge-pass.ts';
import { schemaDigest, type SchemaDocument } from '#protocol/attestation/schema-document.ts';
import { DOCUMENTS, schemaById } from '#protocol/attestation/schemas.ts';
import { sealUnder } from '../../support/log.ts';
import { sharedLogOn } from '../../support/shared-service.ts';
import type { TestService } from '../../support/service.ts';

const CLAIM = { statement: 'delivered' };
const CHECKS = ['verdict_reexecuted', 'fee'];

/** The schema as it might have been before its title and its fee changed. */
function formerSchema(schemaId: string) {
  const schema = schemaById(schemaId);
  assert.ok(schema !== undefined);
  const document: SchemaDocument = { ...schema.document, title: 'A record, as of old', fee_eurocents: 20 };
  return { ...schema, document, digest: schemaDigest(document) };
}

/** A document that was in force once, for as long as the test runs. */
function registered(document: SchemaDocument, digest: string): Disposable {
  DOCUMENTS.set(digest, document);
  return { [Symbol.dispose]: () => void DOCUMENTS.delete(digest) };
}

function outcomes({ json }: { json: Record<string, unknown> }) {
  const checks = json['checks'] as { name: string; ok: boolean | null }[];
  return [json['valid'], ...checks.flatMap(({ name, ok }) => (CHECKS.includes(name) ? [ok] : []))];
}

/** What the service, a bundle and the audit say of the entry. */
async function judgements(service: TestService, { id, seed }: { id: string; seed: string }) {
  const verified = await service.call(`/api/attest/verify/${id}`);
  const bundle = { proof: verified.json['proof'], claim: CLAIM, seed };
  const { seq } = verified.json as { seq: number };
  const { problems, verdicts } = await judgePage(service.service.store, seq, seq + 1);
  return {
    entry: outcomes(verified),
    bundle: outcomes(await service.call('/api/attest/verify', { method: 'POST', body: bundle })),
    audit: [verdicts, ...problems.map((problem) => problem.replace(/^entry \d+: /, ''))],
  };
}

test('a seal is judged by the document that it names, also when that is in force no more', async () => {
  const service = await sharedLogOn('sqlite');
  const former = formerSchema('record.integrity.v1');
  const sealed = await sealUnder(service, former, CLAIM);
  {
    using _known = registered(former.document, former.digest);
    assert.deepEqual(await judgements(service, sealed), {
      entry: [true, true, true],
      bundle: [true, true, true],
      audit: [1],
    });
    const served = schemaDocuments(former.digest);
    assert.deepEqual(served, { schemas: [{ ...former.document, schema_digest: former.digest }] });
  }
  assert.deepEqual(await judgements(service, sealed), {
    entry: [false, false, false],
    // Of another log, whose documents nobody here needs to know.
    bundle: [true, null, null],
    audit: [0, 'the check verdict_reexecuted failed', 'the check fee failed'],
  });
});
