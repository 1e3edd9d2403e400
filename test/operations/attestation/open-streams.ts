// As many streams of the log as addresses may have.
import assert from 'node:assert/strict';
import type { Answer } from '../../support/client.ts';
import { BEGUN } from '../../support/log.ts';
import { TestService } from '../../support/service.ts';
import { EventReader } from '../../support/sse.ts';

const PATH = '/api/attest/stream';
const PER_ADDRESS = 10;

export interface OpenStreams extends AsyncDisposable {
  readonly service: TestService;
  /** The answer to one more from an address. */
  refused(address: number): Promise<Answer>;
}

export function from(address: number): Record<string, string> {
  return { 'x-forwarded-for': `192.0.2.${address}` };
}

export async function openStreams(addresses: number): Promise<OpenStreams> {
  const stack = new AsyncDisposableStack();
  const service = stack.use(await TestService.start({ env: { AVOUCH_TRUSTED_PROXIES: '127.0.0.1' } }));
  for (let address = 0; address < addresses; address += 1) {
    const url = `${service.url}${PATH}?from_seq=${BEGUN}`;
    const opened = Array.from({ length: PER_ADDRESS }, () => EventReader.open(url, from(address)));
    for (const reader of await Promise.all(opened)) {
      assert.equal(reader.response.statusCode, 200);
      stack.use(reader);
    }
  }
  return {
    service,
    refused: (address) => service.call(PATH, { headers: from(address) }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
