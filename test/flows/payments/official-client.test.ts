import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import { extractDiscoveryInfo } from '@x402/extensions/bazaar';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Settleable } from '#platform/payments/settlement.ts';
import { OPERATIONS } from '../../../src/areas.ts';
import { TestService } from '../../support/service.ts';
import { MemoryChain } from '../../support/memory-chain.ts';

const PATHS = [
  '/v1/agent-budget-audit?budget_period_usd=100',
  '/v1/spend-fuse?amount_usd=1&agent=scout-1&intent_id=official',
  '/v1/agent-coordination-audit?system=demo',
];
const UNSOLD = '/v1/eu-vat-check?vat_number=DE999003014';

test('the official client pays unmodified, is answered once per key, and pays nothing when a register has no answer', async () => {
  const chain = new MemoryChain(() => Math.floor(Date.now() / 1000));
  await using service = await TestService.start({ settlement: chain });
  const client = new x402Client().register(
    'eip155:8453',
    new ExactEvmScheme(privateKeyToAccount(generatePrivateKey())),
  );
  const pay = wrapFetchWithPayment(fetch, client);
  for (const [index, path] of PATHS.entries()) {
    const headers = { 'idempotency-key': `a-key-of-the-official-client-${index}` };
    const answer = await pay(`${service.url}${path}`, { headers });
    assert.equal(answer.status, 200, path);
    const text = await answer.text();
    const settled = decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '');
    assert.equal(settled.success, true);
    const again = await pay(`${service.url}${path}`, { headers });
    assert.deepEqual([await again.text(), again.headers.get('idempotent-replayed')], [text, 'true']);
    assert.equal(chain.transfers.size, index + 1);
  }
  const refused = await pay(`${service.url}${UNSOLD}`);
  assert.equal(refused.status, 503);
  await refused.text();
  assert.equal(chain.transfers.size, PATHS.length);
});

/** Keeps what a facilitator would be sent. */
class ToldChain extends MemoryChain {
  readonly told: Settleable[] = [];

  override settle(payment: Settleable): ReturnType<MemoryChain['settle']> {
    this.told.push(payment);
    return super.settle(payment);
  }
}

interface Listed {
  readonly resourceUrl: string;
  readonly method: string;
  readonly discoveryInfo: {
    readonly input: { readonly queryParams: Record<string, string> };
    readonly output: { readonly example: { readonly kind: string } };
  };
}

test('what the official client pays with is listed by the official catalogue, and what is listed can be bought', async () => {
  const chain = new ToldChain(() => Math.floor(Date.now() / 1000));
  await using service = await TestService.start({ settlement: chain });
  const scheme = new ExactEvmScheme(privateKeyToAccount(generatePrivateKey()));
  const pay = wrapFetchWithPayment(fetch, new x402Client().register('eip155:8453', scheme));
  for (const { path, operationId } of OPERATIONS.filter(({ price }) => price !== null)) {
    const bare = await service.call(path);
    const { extensions = {} } = decodePaymentRequiredHeader(bare.headers['payment-required'] as string);
    const { info } = extensions['bazaar'] as { info: Listed['discoveryInfo'] };
    const answer = await pay(`${service.url}${path}?${new URLSearchParams(info.input.queryParams)}`);
    const { kind } = (await answer.json()) as { kind: string };
    assert.equal(answer.status, 200, operationId);
    const { payload, requirements } = chain.told.at(-1) ?? assert.fail(operationId);
    const listed = extractDiscoveryInfo(payload as never, requirements as never) as Listed | null;
    assert.partialDeepStrictEqual(
      listed,
      {
        resourceUrl: `${service.url}${path}`,
        method: 'GET',
        discoveryInfo: { input: info.input, output: { example: { kind } } },
      },
      operationId,
    );
  }
});
