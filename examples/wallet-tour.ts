// An agent with a wallet, from its registration to an order, against a running sandbox:
//   node_modules/.bin/node examples/wallet-tour.ts [http://127.0.0.1:8402]
// Every receipt is checked, and at the end the movements of the wallet must add up to its balance.
import { setTimeout as sleep } from 'node:timers/promises';

type Body = Record<string, unknown>;

const base = process.argv[2] ?? 'http://127.0.0.1:8402';
let agentKey: string | undefined;

async function call(path: string, body?: Body): Promise<Body> {
  const response = await fetch(new URL(path, base), {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(agentKey !== undefined && { 'x-agent-key': agentKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Body;
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer;
}

function say(what: string, ...facts: readonly unknown[]): void {
  console.log(`${what.padEnd(12)} ${facts.map(String).join('  ')}`);
}

/** The receipt signs exactly these members of the answer. */
async function receiptOf({ receipt }: Body, result: Body): Promise<string> {
  const { valid } = await call('/v1/receipts/verify', { receipt, result });
  if (valid !== true) throw new Error(`a receipt does not verify: ${JSON.stringify(receipt)}`);
  return 'receipt valid';
}

function without(answer: Body, ...members: readonly string[]): Body {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !members.includes(name)));
}

const agent = await call('/api/agents/register', { name: 'buyer-7', owner_email: 'ops@example.org' });
agentKey = String(agent['agent_key']);
say('registered', agent['agent_id']);

const topUp = await call('/api/agents/wallet/topup', { tier: 'starter' });
say('checkout', topUp['checkout_url']);
await call(`${new URL(String(topUp['checkout_url'])).pathname}/pay`, {});
while ((await call(String(topUp['poll'])))['status'] !== 'credited') await sleep(200);
say('topped up', (await call('/api/agents/wallet'))['available_eur'], 'EUR');

const offers = [{ supplier: 'EXAMPLE-SUPPLY', sku: 'ES-1', moq: 1, multiple: 1, stock: 500, breaks: [[1, '2.00']] }];
const bill = await call('/api/v1/calculate', {
  bom: { root: 'P', parts: [{ id: 'P', mpn: 'EX-0603-10K', manufacturer: 'EXAMPLE', offers }] },
  quantity: 10,
  catalogue: ['inline'],
});
const total = (bill['totals'] as Body)['total_eur'];
const signedBill = without(bill, 'receipt', 'buys', 'flags');
say('bill', total, 'EUR, charged', bill['charged_eur'], await receiptOf(bill, signedBill));

const summary = await call('/capabilities/execute', {
  capability: 'text.redact',
  input: { text: 'Pay NL91ABNA0417164300 and write to jan@example.org.' },
});
say('capability', JSON.stringify((summary['output'] as Body)['text']));
say(
  '',
  'charged',
  (summary['price'] as Body)['charged_eur'],
  await receiptOf(summary, without(summary, 'receipt', 'balance_eur')),
);

let task = await call('/api/tasks', { agent_id: agent['agent_id'], need: 'Check VAT number NL123456782B90' });
while (typeof task['poll'] === 'string') {
  await sleep(200);
  task = { ...(await call(task['poll'])), poll: null };
  if (['submitted', 'quoted', 'working'].includes(String(task['state'])))
    task['poll'] = `/api/tasks/${String(task['task_id'])}`;
}
say('task', task['state'], (task['route'] as Body)['id'], await receiptOf(task, task['result'] as Body));

let order = await call('/api/v1/orders', {
  calculation_id: bill['calculation_id'],
  supplier: 'EXAMPLE-SUPPLY',
  ship_to: { country: 'NL', postcode: '1234 AB', lines: ['Example Lane 1', 'Exampletown'] },
});
while (order['state'] === 'placed') {
  await sleep(500);
  order = await call(`/api/v1/orders/${String(order['order_id'])}`);
}
const { order_id, supplier, channel, goods_total_eur, lines, sandbox } = order;
const fee = order['fee'] as Body;
const signedOrder = { order_id, supplier, channel, goods_total_eur, fee_eur: fee['fee_eur'], lines, sandbox };
say('order', order['state'], 'fee', fee['fee_eur'], fee['state'], await receiptOf(order, signedOrder));

const { items } = (await call('/api/agents/wallet/ledger')) as { items: Body[] };
for (const { kind, amount_eur, balance_after_eur } of items.toReversed())
  say('ledger', kind, amount_eur, balance_after_eur);
const micro = (text: unknown) => Math.round(Number(text) * 1_000_000);
const sum = items.reduce((posted, { amount_eur }) => posted + micro(amount_eur), 0);
const { posted_eur } = await call('/api/agents/wallet');
if (sum !== micro(posted_eur)) throw new Error(`the movements add up to ${sum}, the wallet says ${String(posted_eur)}`);
say('adds up', posted_eur, 'EUR');
