// An MCP server whose one tool acts only where a mandate allows it, and seals what came of it:
//   AVOUCH_URL=http://127.0.0.1:8402 AVOUCH_AMH_KEY=amhk_... node examples/guarded-shop.ts
// Without a key it registers itself as a platform and says so.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { avouchClient, MandateDenied, valueOf, withMandate } from '../client/index.ts';

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
      const order = { item, quantity, amount_cents };
      const question = { mandate_id, action: 'order.place', amount_cents, currency: 'EUR', payload: order } as const;
      const answered = (answer: object, isError = false) => ({
        content: [{ type: 'text' as const, text: JSON.stringify(answer) }],
        isError,
      });
      try {
        const { decision, sealed } = await withMandate(mandates, question, () => `order of ${JSON.stringify(order)}`);
        const { verify_ref, reason } = decision;
        return answered({ placed: true, reason, verify_ref, attestation_id: valueOf(sealed).attestation_id });
      } catch (error) {
        if (!(error instanceof MandateDenied)) throw error;
        const verify_ref = error.decision?.verify_ref ?? null;
        return answered({ placed: false, reason: error.code, verify_ref, attestation_id: null }, true);
      }
    },
  );
  return server;
});
