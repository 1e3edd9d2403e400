// The real endpoint with the tools that the conformance suite calls; production has none of them.
import { HttpServer } from '#transport/http/server.ts';
import { RateLimiter } from '#transport/http/rate-limit.ts';
import { McpEndpoint } from '#transport/mcp/mcp-endpoint.ts';
import { type OfferedTool, ToolServer } from '#transport/mcp/tool-server.ts';
import type { ToolResult } from '#transport/mcp/tool-result.ts';
import { systemClock } from '#kernel/clock.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = (value: string) => ({ type: 'text', text: value });
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, value: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
});

const RESULTS: Readonly<Record<string, { readonly content: readonly object[]; readonly isError?: true }>> = {
  test_simple_text: { content: [text('This is a simple text response for testing.')] },
  test_error_handling: { isError: true, content: [text('This tool intentionally returns an error for testing')] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: 'UklGRiQAAABXQVZFZm10IA==', mimeType: 'audio/wav' }] },
  test_embedded_resource: {
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  },
  test_multiple_content_types: {
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
};

function diagnostic([name, result]: readonly [string, object]): OfferedTool {
  const inputSchema = { type: 'object', properties: {} } as const;
  return {
    fields: new Set(),
    listed: {
      name,
      title: name,
      description: name,
      inputSchema,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    run: () => Promise.resolve({ result: result as ToolResult, code: null }),
  };
}

export async function startFixtures(): Promise<{ readonly url: string } & AsyncDisposable> {
  const clock = systemClock();
  const shared = {
    tagOf: () => 'one',
    record: () => {},
    logFault: (_requestId: string, _operation: string, error: unknown) => console.error(error),
    isTrailFailing: () => false,
    explainFault: () => undefined,
  };
  const desk = new ToolServer(Object.entries(RESULTS).map(diagnostic), {
    ...shared,
    scopesOf: () => Promise.resolve([]),
  });
  const local = () => ['localhost', '127.0.0.1', '[::1]'];
  const site = { service: 'Test', sandbox: true, baseUrl: () => 'http://test.invalid', nowMs: () => 0 };
  const endpoint = new McpEndpoint({
    ...shared,
    site,
    identityOf: () => ({ name: 'fixtures', version: '1', instructions: 'Tools for the conformance suite.' }),
    toolServers: () => Promise.resolve({ free: desk, coordination: desk, paid: desk }),
    limiter: new RateLimiter('mcp', { calls: 1_000_000, perSeconds: 1, burst: 1_000_000 }),
    hostOf: (request) => request.headers.host,
    allowedHosts: local,
    allowedOrigins: local,
  });
  const server = new HttpServer({
    ...shared,
    operations: [],
    site,
    routes: endpoint.routes(),
    limiterOf: () => undefined,
    baseUrl: () => 'http://fixtures.invalid',
    nowMs: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    requestIdPrefix: 'f',
    maxConnections: 100,
  });
  const url = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  return { url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
