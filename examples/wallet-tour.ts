// An agent with a wallet, from its registration to an order, against a running sandbox:
//   node_modules/.bin/node examples/wallet-tour.ts [http://127.0.0.1:8402]
// Every receipt is checked, and at the end the movements of the wallet must add up to its balance.
import { setTimeout as sleep } from 'node:timers/promises';
import { avouchClient } from '../client/client.ts';
import { valueOf } from '../client/outcome.ts';

const baseUrl = process.argv[2] ?? 'http://127.0.0.1:8402';

function say(what: string, ...facts: readonly unknown[]): void {
  console.log(`${what.padEnd(12)} ${facts.map(String).join('  ')}`);
}

async function checked(answer: { readonly receipt?: unknown }): Promise<string> {
  const { valid, checks } = await client.verifyReceipt(answer);
  if (!valid) throw new Error(`a receipt does not verify: ${JSON.stringify(checks)}`);
  return 'receipt valid';
}

const registered = { name: 'buyer-7', owner_email: 'ops@example.org' };
const { agent_id, agent_key } = valueOf(await avouchClient({ baseUrl }).register_agent(registered));
const client = avouchClient({ baseUrl, agentKey: String(agent_key) });
say('registered', agent_id);

const { topup_id, checkout_url } = valueOf(await client.topup_wallet({ tier: 'starter' }));
say('checkout', checkout_url);
const session_id = String(checkout_url?.split('/').at(-1));
valueOf(await client.sandbox_checkout_act({ session_id, action: 'pay' }));
while (valueOf(await client.get_topup({ topup_id })).status !== 'credited') await sleep(200);
say('topped up', valueOf(await client.get_wallet()).available_eur, 'EUR');

const offers = [{ supplier: 'EXAMPLE-SUPPLY', sku: 'ES-1', moq: 1, multiple: 1, stock: 500, breaks: [[1, '2.00']] }];
const bill = valueOf(
  await client.bom_calculate({
    bom: { root: 'P', parts: [{ id: 'P', mpn: 'EX-0603-10K', manufacturer: 'EXAMPLE', offers }] },
    quantity: 10,
    catalogue: ['inline'],
  }),
);
say('bill', bill.totals.total_eur, 'EUR, charged', bill.charged_eur, await checked(bill));

const redaction = { text: 'Pay NL91ABNA0417164300 and write to jan@example.org.' };
const done = valueOf(await client.execute_capability({ capability: 'text.redact', input: redaction }));
say('capability', JSON.stringify((done.output as { text: string }).text));
say('', 'charged', done.price.charged_eur, await checked(done));

const made = valueOf(await client.create_task({ agent_id, need: 'Check VAT number NL123456782B90' }));
let task: Pick<typeof made, 'task_id' | 'state' | 'result' | 'receipt'> = made;
while (['submitted', 'quoted', 'working'].includes(task.state)) {
  await sleep(200);
  task = valueOf(await client.check_task({ ref: made.task_id }));
}
say('task', task.state, made.route.id, await checked(task));

let order = valueOf(
  await client.create_order({
    calculation_id: bill.calculation_id,
    supplier: 'EXAMPLE-SUPPLY',
    ship_to: { country: 'NL', postcode: '1234 AB', lines: ['Example Lane 1', 'Exampletown'] },
  }),
);
while (order.state === 'placed') {
  await sleep(500);
  order = valueOf(await client.get_order({ order_id: order.order_id }));
}
const { fee } = order;
say('order', order.state, 'fee', fee.fee_eur, fee.state, await checked(order));

const { items } = valueOf(await client.get_wallet_ledger());
for (const { kind, amount_eur, balance_after_eur } of items.toReversed())
  say('ledger', kind, amount_eur, balance_after_eur);
const micro = (text: string) => Math.round(Number(text) * 1_000_000);
const sum = items.reduce((posted, { amount_eur }) => posted + micro(amount_eur), 0);
const { posted_eur } = valueOf(await client.get_wallet());
if (sum !== micro(posted_eur)) throw new Error(`the movements add up to ${sum}, the wallet says ${posted_eur}`);
say('adds up', posted_eur, 'EUR');
