// An answer that is no text.
import type { TestService } from './service.ts';

export async function bytesAt(service: Pick<TestService, 'url'>, path: string, accept = '*/*') {
  const answer = await fetch(`${service.url}${path}`, { headers: { accept } });
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
}
