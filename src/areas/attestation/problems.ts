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
  title: 'Schema reserved',
  help: 'Only Avouch itself seals under this schema. Nothing was sealed.',
});
export const attestationNotFound = defineProblem({
  code: 'attestation_not_found',
  status: 404,
  title: 'Seal not found',
  help: 'No log entry has this id. It was never sealed here, or the id has a typo.',
});
export const formatUnsupported = defineProblem({
  code: 'format_unsupported',
  status: 400,
  title: 'Format not offered',
  help: 'The response is not available in this format. Use format=json, or format=tlog-proof for the proof as a file.',
});
export const noReceiptYet = defineProblem({
  code: 'no_receipt_yet',
  status: 404,
  title: 'No receipt yet',
  help: 'A COSE receipt needs a path, which a log of one entry does not have. Ask again when the log has a second entry.',
});
export const unknownReceiptKey = defineProblem({
  code: 'unknown_receipt_key',
  status: 404,
  title: 'Unknown receipt key',
  help: 'No key of this log has this id. GET /.well-known/scitt-keys lists all, retired ones included.',
});
export const beyondTheLog = defineProblem({
  code: 'beyond_the_log',
  status: 416,
  title: "Beyond the log's end",
  help: 'The log does not have that many entries yet. tree_size says how many it has.',
});
export const noCheckpoint = defineProblem({
  code: 'no_checkpoint',
  status: 404,
  title: 'No checkpoint at this size',
  help: 'The log was not signed at this size: entries of one batch are signed together, or the log is not that long yet. The tree_size in any response is a size that was signed.',
});
export const unknownSchemaDigest = defineProblem({
  code: 'unknown_schema_digest',
  status: 404,
  title: 'Unknown schema digest',
  help: 'No schema document, current or earlier, has this digest. GET /api/attest/schemas lists the current ones.',
});
export const notWitnessed = defineProblem({
  code: 'not_witnessed',
  status: 404,
  title: 'Not witnessed',
  help: 'No checkpoint has reached the witness quorum, or no witnesses are configured. /astralock/checkpoint has the newest checkpoint.',
});
export const tileNotFound = defineProblem({
  code: 'tile_not_found',
  status: 404,
  title: 'No such tile',
  help: 'The log has no tile with this path and width yet, or the path is not spelled as tlog-tiles requires.',
});
