import { defineProblem } from '#kernel/problem.ts';

export const notAvailable = defineProblem({
  code: 'not_available',
  status: 503,
  title: 'Not available here',
  help: 'The tool exists, but this installation does not have what answers it. Nothing was done.',
});
export const toolTimedOut = defineProblem({
  code: 'tool_timed_out',
  status: 504,
  title: 'Tool took too long',
  help: 'The tool did not answer within 30 seconds. A tool that only reads may be called again; ask what became of the others before you repeat them.',
});
export const hostNotAllowed = defineProblem({
  code: 'host_not_allowed',
  status: 403,
  title: 'Host or Origin not allowed',
  help: 'MCP is served under the names of this installation, and to browsers only from pages of allowed origins. Its operator sets AVOUCH_MCP_HOSTS and AVOUCH_MCP_ORIGINS.',
});
export const notAcceptable = defineProblem({
  code: 'not_acceptable',
  status: 406,
  title: 'Not acceptable',
  help: 'MCP answers are JSON. Send Accept: application/json, text/event-stream, or none.',
});
export const batchTooLong = defineProblem({
  code: 'batch_too_long',
  status: 400,
  title: 'Batch too long',
  help: 'A batch of MCP messages holds at least one and at most twenty.',
});
export const sessionNotFound = defineProblem({
  code: 'session_not_found',
  status: 404,
  title: 'Session not found',
  help: 'The event stream of this session is not open in this process. Open /mcp/sse again, or use /mcp/streamable, which needs no session.',
});

export const MCP_PROBLEMS = [
  notAvailable,
  toolTimedOut,
  hostNotAllowed,
  notAcceptable,
  batchTooLong,
  sessionNotFound,
] as const;
