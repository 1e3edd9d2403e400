import { defineProblem } from '#kernel/problem.ts';

export { idempotencyConflict, idempotencyInFlight } from '#kernel/idempotency.ts';

export const unknownSchema = defineProblem({
  code: 'unknown_schema',
  status: 404,
  title: 'Unknown schema',
  help: 'No schema has this id. GET /api/attest/schemas lists them. Nothing was sealed.',
});
export const schemaNotOpen = defineProblem({
  code: 'schema_not_open',
  status: 403,
  title: 'Schema not open',
  help: 'Only the service itself seals under this schema. Nothing was sealed.',
});
export const attestationNotFound = defineProblem({
  code: 'attestation_not_found',
  status: 404,
  title: 'Attestation not found',
  help: 'No entry of the log has this id. Either it was never sealed here, or the id was mistyped.',
});
export const formatUnsupported = defineProblem({
  code: 'format_unsupported',
  status: 400,
  title: 'Format not offered',
  help: 'The answer is not offered in this format. Use format=json, or format=tlog-proof for the proof as a file.',
});
export const beyondTheLog = defineProblem({
  code: 'beyond_the_log',
  status: 416,
  title: 'Beyond the end of the log',
  help: 'The log does not have as many entries yet. tree_size says how many it has.',
});
export const noCheckpoint = defineProblem({
  code: 'no_checkpoint',
  status: 404,
  title: 'No checkpoint of this size',
  help: 'The log was not signed at this size: entries of one batch are signed together, or the log is not as long yet. The tree_size of any answer is a size that was signed.',
});
export const unknownSchemaDigest = defineProblem({
  code: 'unknown_schema_digest',
  status: 404,
  title: 'Unknown schema digest',
  help: 'No schema document, in force or earlier, has this digest. GET /api/attest/schemas lists those in force.',
});
export const notWitnessed = defineProblem({
  code: 'not_witnessed',
  status: 404,
  title: 'Not witnessed',
  help: 'No checkpoint has met the quorum of the witnesses, or no witnesses are configured. /astralock/checkpoint has the newest one.',
});
export const tileNotFound = defineProblem({
  code: 'tile_not_found',
  status: 404,
  title: 'No such tile',
  help: 'The log has no tile of this path and width yet, or the path is not in the one spelling of tlog-tiles.',
});
