// An MCP server whose one tool acts only where a mandate allows it, and seals what came of it:
//   AVOUCH_URL=http://127.0.0.1:8402 AVOUCH_AMH_KEY=amhk_... node examples/guarded-shop.ts
// Without a key it registers itself as a platform and says so.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { avouchClient } from '../client/client.ts';
import { guard, payloadHash } from '../client/guard.ts';
import { valueOf } from '../client/outcome.ts';

const baseUrl = process.env['AVOUCH_URL'] ?? 'http://127.0.0.1:8402';

async function ownKey(): Promise<string> {
  const given = process.env['AVOUCH_AMH_KEY'];
  if (given !== undefined) return given;
  const platform = { name: 'Guarded Shop', mcp_url: 'https://shop.example/mcp', contact: 'desk@shop.example' };
  const { platform_id, api_key } = valueOf(await avouchClient({ baseUrl }).amh_register(platform));
  process.stderr.write(`registered as ${platform_id}\n`);
  return api_key;
}

const mandates = avouchClient({ baseUrl, platformKey: await ownKey() });
const PRICES: Readonly<Record<string, number>> = { rope: 1_250, anchor: 12_999 };

const input = z.object({
  mandate_id: z.string().describe('The mandate under which the agent orders'),
  item: z.enum(['rope', 'anchor']),
  quantity: z.number().int().min(1).max(100),
});

serveStdio(() => {
  const server = new McpServer({ name: 'guarded-shop', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.registerTool(
    'place_order',
    { description: 'Orders rope or an anchor, within the mandate of the agent', inputSchema: input },
    async ({ mandate_id, item, quantity }) => {
      const amount_cents = (PRICES[item] ?? 0) * quantity;
      const order = JSON.stringify({ item, quantity, amount_cents });
      const asked = { mandate_id, action: 'order.place', amount_cents, currency: 'EUR' } as const;
      const question = { ...asked, payload_hash: await payloadHash(order) };
      const { decision, sealed } = await guard(mandates, question, async () => `order of ${order}`);
      const { ok: placed, verify_ref, reason } = valueOf(decision);
      const attestation_id = sealed?.ok ? sealed.value.attestation_id : null;
      const answer = { placed, reason, verify_ref, attestation_id };
      return { content: [{ type: 'text', text: JSON.stringify(answer) }], isError: !placed };
    },
  );
  return server;
});
