import { defineProblem } from '#kernel/problem.ts';

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
export const beyondTheLog = defineProblem({
  code: 'beyond_the_log',
  status: 416,
  title: 'Beyond the end of the log',
  help: 'The log does not have as many entries yet. tree_size says how many it has.',
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
