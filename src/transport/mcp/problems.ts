import { defineProblem } from '#kernel/problem.ts';

export const notAvailable = defineProblem({
  code: 'not_available',
  status: 503,
  title: 'Not available here',
  help: 'The tool exists, but this installation does not have what it needs. Nothing was changed.',
});
export const toolTimedOut = defineProblem({
  code: 'tool_timed_out',
  status: 504,
  title: 'Tool timed out',
  help: 'The tool did not respond within 30 seconds. You can call a tool that only reads again. For any other tool, check the outcome before you repeat the call.',
});
export const hostNotAllowed = defineProblem({
  code: 'host_not_allowed',
  status: 403,
  title: 'Host or Origin not allowed',
  help: "MCP is served only under this installation's host names, and to browsers only from allowed origins. The operator sets AVOUCH_MCP_HOSTS and AVOUCH_MCP_ORIGINS.",
});
export const notAcceptable = defineProblem({
  code: 'not_acceptable',
  status: 406,
  title: 'Not acceptable',
  help: 'MCP responses are JSON. Send Accept: application/json, text/event-stream, or no Accept header.',
});
export const batchTooLong = defineProblem({
  code: 'batch_too_long',
  status: 400,
  title: 'Wrong batch size',
  help: 'A batch of MCP messages must have 1 to 20 messages.',
});
export const sessionNotFound = defineProblem({
  code: 'session_not_found',
  status: 404,
  title: 'Session not found',
  help: "This session's event stream is not open in this process. Open /mcp/sse again, or use /mcp/streamable, which needs no session.",
});

export const MCP_PROBLEMS = [
  notAvailable,
  toolTimedOut,
  hostNotAllowed,
  notAcceptable,
  batchTooLong,
  sessionNotFound,
] as const;
