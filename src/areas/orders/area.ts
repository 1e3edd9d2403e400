import { on, type OpenArea } from '#kernel/area.ts';
import { type Id, idForm, newApiKey } from '#kernel/ids.ts';
import { type Job, sweepJob } from '#kernel/job.ts';
import { Refusal } from '#kernel/problem.ts';
import type { MandatesPort } from '#areas/mandates/port.ts';
import type { Authenticate } from '#platform/ledger/caller.ts';
import { PHASE_A_TERMS } from '#platform/phase.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { expiryJob } from '#platform/storage/expiry.ts';
import { bomCalculate, getCalculation } from './bom/bom-operations.ts';
import { BomThread } from './bom/bom-thread.ts';
import type { ExchangeRate } from './bom/bom.ts';
import { BomWork, Calculations } from './bom/calculations.ts';
import { KEPT_EXPIRIES } from './bom/kept-unit.ts';
import { readCatalogue } from './offers/catalogue-file.ts';
import { ComponentBook } from './offers/component-book.ts';
import { OfferBook } from './offers/offer-book.ts';
import { OrderFollow } from './order/order-follow.ts';
import { cancelOrder, createOrder, getOrder, listOrders, placeOrder } from './order/order-operations.ts';
import type { MandatePort, SupplierChannel } from './order/order-ports.ts';
import { Quotes } from './order/order-quote.ts';
import { FEE_PCT } from './order/order.ts';
import { ASK_EVERY_MS, Orders } from './order/orders.ts';
import { exampleSupply } from './outside/example-supply.ts';
import { FEE_HOLDS } from './sql.ts';
import { taskRoutes } from './task-routes.ts';

export interface OrderNeeds {
  readonly agents: { authenticate: Authenticate; recognise: Authenticate };
  readonly mandates: MandatesPort;
}

export interface OpenOrders extends OpenArea, AsyncDisposable {
  readonly calculations: Calculations;
  readonly orders: Orders;
  /** The installation itself in the handshake. */
  readonly platformId: string;
  /** What is known of a part by its number. */
  readonly component: ComponentBook['look'];
  readonly jobs: readonly Job[];
}

export const ordersArea = {
  name: 'orders',
  services: 'all',
  open: openOrders,
  operations: [
    on(bomCalculate, ({ calculations }, input) => calculations.calculate(input)),
    on(getCalculation, ({ calculations }, input) => calculations.view(input)),
    on(createOrder, ({ orders }, input) => orders.create(input)),
    on(listOrders, ({ orders }, input) => orders.list(input)),
    on(getOrder, ({ orders }, input) => orders.view(input)),
    on(placeOrder, ({ orders }, input) => orders.place(input)),
    on(cancelOrder, ({ orders }, input) => orders.cancel(input)),
  ],
  ledgerChecks: FEE_HOLDS,
  published: { terms: () => ({ broker_fee_pct: FEE_PCT, paid_by: 'card to the supplier', ...PHASE_A_TERMS }) },
} satisfies PlatformArea<OpenOrders, OrderNeeds>;

/** Bills of materials, offers and orders; in the sandbox suppliers are simulators. */
async function openOrders(platform: Platform, needs: OrderNeeds): Promise<OpenOrders> {
  const { config, store, clock, sandbox, receipts, rules, outbox, logger } = platform;
  const { rateMicro, asOf } = config.capabilities.fx;
  const rates = new Map<string, ExchangeRate>([['USD', { nano: rateMicro * 1_000, from: 'service', asOf }]]);
  await using stack = new AsyncDisposableStack();
  const { suppliers } = platform.registers;
  const catalogue = readCatalogue(catalogueText(platform), () => clock.now());
  const offers = new OfferBook({ store, clock, catalogue, adapters: suppliers.adapters });
  const components = new ComponentBook({ clock, catalogue, offers, hasSuppliers: suppliers.adapters.length > 0 });
  const work = new BomWork({ clock, offers, thread: stack.use(new BomThread()), rates });
  const { agents } = needs;
  const shared = {
    store,
    clock,
    sandbox,
    authenticate: (key: string | undefined) => agents.authenticate(key),
    recognise: (key: string | undefined) => agents.recognise(key),
    receipt: (of: Parameters<ConstructorParameters<typeof Calculations>[0]['receipt']>[0]) =>
      receipts.sign({ type: 'avouch.wallet-receipt.v1', ...of }),
  };
  const calculations = new Calculations({ ...shared, work });
  const { channels, mailOf, channelOf } = channelsOf(platform, stack);
  const mandates = await mandatePort(platform, needs);
  const orders = new Orders({
    ...shared,
    quotes: new Quotes({ clock, calculations, offers, rates, channelOf }),
    mandates,
    queueMail: (mail) => outbox.queue(mail),
    channels,
    mailOf,
    serviceName: config.serviceName,
    rules,
    logFault: (orderId, error) => logger.warn('order follow-up failed', { order_id: orderId, cause: String(error) }),
  });
  const follow = new OrderFollow({ store, clock, orders, channels });
  const kept = stack.move();
  return {
    calculations,
    orders,
    platformId: mandates.platformId,
    component: (mpn) => components.look(mpn),
    taskRoutes: taskRoutes(work, orders),
    references: [
      {
        pattern: idForm('ord_'),
        kind: 'order',
        async find(ref) {
          const found = await orders.newestEntry(ref);
          return found && { entry: found.attestationId, url: `/api/v1/orders/${ref}` };
        },
      },
    ],
    jobs: [
      sweepJob('order-sweep', () => follow.sweep()),
      expiryJob('bom-sweep', { store, clock }, ...KEPT_EXPIRIES),
      { name: 'orders', everyMs: ASK_EVERY_MS, ownTimer: true, run: () => follow.run(), stop: () => follow.stop() },
    ],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** How orders reach suppliers: by a programme, or by mail. */
function channelsOf({ config, sandbox, simulators, outbox, patience }: Platform, stack: AsyncDisposableStack) {
  const channels: SupplierChannel[] = simulators === undefined ? [] : [exampleSupply(simulators.url, patience, stack)];
  const mailOf = (supplier: string) =>
    outbox.isOff ? null : (config.suppliers.orderMail.get(supplier) ?? (sandbox ? 'rfq@sandbox.invalid' : null));
  const isProgrammed = (name: string) => channels.some(({ supplier }) => supplier === name);
  const channelOf = (name: string) => (isProgrammed(name) ? 'adapter' : mailOf(name) === null ? null : 'manual');
  return { channels, mailOf, channelOf } as const;
}

/** The installation itself as a platform of the handshake. */
async function mandatePort({ serverSecret, config }: Platform, { mandates }: OrderNeeds): Promise<MandatePort> {
  const bytes = Buffer.from(serverSecret.hasher('own-platform')('key'), 'hex');
  const apiKey: Id<'amhk_'> = newApiKey('amhk_', () => bytes);
  const { serviceName: name, operator } = config;
  const platformId = await mandates.ownPlatform({ apiKey, name, contact: operator.contact });
  return {
    platformId,
    async verify({ mandateId, amountCents, payloadHash, requestId }) {
      const answer = await mandates.verify({
        api_key: apiKey,
        idempotency_key: undefined,
        request_id: requestId,
        mandate_id: mandateId,
        action: 'order.place',
        amount_cents: amountCents,
        currency: 'EUR',
        payload_hash: payloadHash,
        min_assurance: 'unsigned',
        hold_seconds: 900,
      });
      if (answer instanceof Refusal) return answer;
      const { ok, verify_ref, reason } = answer.body;
      return { ok, verifyRef: verify_ref, reason };
    },
    async seal(verifyRef, outcome, { orderId, documentSha256 }) {
      const evidence = documentSha256 === undefined ? {} : { evidence: [{ sha256: documentSha256 }] };
      const asked = { api_key: apiKey, verify_ref: verifyRef, external_ref: orderId, ...evidence };
      const answer = await mandates.seal({ ...asked, outcome: outcome as 'placed' });
      return answer instanceof Refusal ? answer : { attestationId: answer.body.attestation_id };
    },
  };
}

const EMPTY_CATALOGUE =
  'mpn,manufacturer,description,supplier,sku,moq,multiple,stock,lead_days,currency,break_qty,unit_price,as_of,source_url,licence\n';

function catalogueText({ config: { suppliers }, simulators }: Platform): string {
  return suppliers.catalogue ?? simulators?.catalogue() ?? EMPTY_CATALOGUE;
}
