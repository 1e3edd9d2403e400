import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ROOT } from '../../support/child-service.ts';
import { TestService } from '../../support/service.ts';
import { mandate, mandateBody } from '../../support/mandates.ts';

test('the official client orders through the guarded server: within the mandate it is placed and sealed, beyond it refused', async () => {
  await using service = await TestService.start();
  const { mandate_id } = await mandate(service, mandateBody(Date.now(), { max_commit_cents: 15_000 }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [`${ROOT}examples/guarded-shop.ts`],
    env: { AVOUCH_URL: service.url },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['place_order'],
    );
    const order = async (item: string) => {
      const result = await client.callTool({ name: 'place_order', arguments: { mandate_id, item, quantity: 1 } });
      const [part] = result.content as { text: string }[];
      return JSON.parse(part?.text ?? '{}') as Record<string, unknown>;
    };
    const placed = await order('anchor');
    assert.deepEqual([placed['placed'], placed['reason']], [true, 'within_mandate']);
    const { json: status } = await service.call(`/api/amh/status/${String(placed['verify_ref'])}`);
    assert.deepEqual([status['state'], status['committed_cents']], ['placed', 12_999]);
    const { json: verified } = await service.call(`/api/attest/verify/${String(placed['attestation_id'])}`);
    assert.equal(verified['valid'], true);
    assert.equal((await order('anchor'))['reason'], 'cumulative_cap_exceeded');
    assert.equal((await order('rope'))['placed'], true);
  } finally {
    await client.close();
  }
});
