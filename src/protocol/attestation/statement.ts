import { newCommandId, newToken } from '#kernel/ids.ts';
import { schemaById } from './schemas.ts';
import { prepareSeal } from './seal.ts';
import type { SealDraft } from './seal-entry.ts';

/** A statement of the service itself, in clear: it names the entry and nobody. */
export function statementDraft(statement: string, corrects?: string): SealDraft {
  const schema = schemaById('protocol.statement.v1');
  if (schema === undefined) throw new Error('the schema of statements is missing');
  const claim = { statement, ...(corrects !== undefined && { corrects_attestation_id: corrects }) };
  const seed = newToken();
  const prepared = prepareSeal({ schema, claim, observations: [], seed: Buffer.from(seed, 'base64url') });
  return { prepared, claim, observations: [], seed, disclosure: 'public', nonce: newCommandId() };
}
