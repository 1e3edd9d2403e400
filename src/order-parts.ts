import { readFileSync } from 'node:fs';
import type { Mandates } from '#areas/mandates/service.ts';
import type { Rate } from '#areas/orders/bom.ts';
import { BomThread } from '#areas/orders/bom-thread.ts';
import { BomWork, Calculations } from '#areas/orders/calculations.ts';
import { readCatalogue } from '#areas/orders/catalogue-file.ts';
import { ComponentBook } from '#areas/orders/component-book.ts';
import { OfferBook } from '#areas/orders/offer-book.ts';
import { OrderFollow } from '#areas/orders/order-follow.ts';
import { Quotes } from '#areas/orders/order-quote.ts';
import type { MandatePort, SupplierChannel } from '#areas/orders/order-ports.ts';
import { ASK_EVERY_MS, Orders } from '#areas/orders/orders.ts';
import { ExampleSupply } from '#areas/orders/outside/example-supply.ts';
import type { Config } from '#platform/config/config.ts';
import { Secret } from '#platform/config/secret.ts';
import type { Clock } from '#kernel/clock.ts';
import { type Id, newApiKey } from '#kernel/ids.ts';
import { Refusal } from '#kernel/problem.ts';
import type { Authenticate } from '#platform/ledger/caller.ts';
import { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import { SupplierSet, type SupplierSettings } from '#platform/registers/suppliers/supplier-set.ts';
import type { Outbox } from '#platform/mail/outbox.ts';
import type { RuleDesk } from '#platform/usage-rules/rule-desk.ts';
import type { Store } from '#platform/storage/store.ts';
import type { Job } from '#kernel/job.ts';
import type { Logger } from '#platform/logger.ts';
import type { PaidCalls } from './paid-calls.ts';
import { VERSION } from '#platform/version.ts';

export interface OrderParts {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hashKey: (...parts: readonly string[]) => string;
  /** Makes the key of the installation's own platform. */
  readonly platformSecret: (...parts: readonly string[]) => string;
  /** Of the sandbox; undefined in production. */
  readonly standInUrl: string | undefined;
  readonly agents: { authenticate: Authenticate; recognise: Authenticate };
  readonly mandates: Mandates;
  readonly outbox: Pick<Outbox, 'isOff' | 'queue'>;
  readonly paidCalls: Pick<PaidCalls, 'unpaidReceipt'>;
  readonly rules: RuleDesk;
  /** How many times longer than usual others may take. */
  readonly patience?: number;
}

export interface OpenOrders extends AsyncDisposable {
  readonly work: BomWork;
  readonly calculations: Calculations;
  readonly orders: Orders;
  /** The installation itself in the handshake. */
  readonly platformId: string;
  /** What is known of a part by its number. */
  readonly component: ComponentBook['look'];
  readonly jobs: readonly Job[];
  readonly sweep: () => Promise<number>;
  /** Limits of suppliers hold over this many processes together. */
  share(processes: number): void;
}

/** Bills of materials, offers and orders; in the sandbox suppliers are stand-ins. */
export async function openOrders(parts: OrderParts): Promise<OpenOrders> {
  const { config, store, clock, logger, hashKey, standInUrl, agents, paidCalls, outbox, patience = 1 } = parts;
  const { rateMicro, asOf } = config.capabilities.fx;
  const rates = new Map<string, Rate>([['USD', { nano: rateMicro * 1_000, from: 'service', asOf }]]);
  await using stack = new AsyncDisposableStack();
  const sandbox = standInUrl !== undefined;
  const userAgent = `avouch/${VERSION}`;
  const suppliers = stack.use(
    new SupplierSet({
      clock,
      hashKey,
      userAgent,
      settings: sandbox ? standInSettings(standInUrl) : config.suppliers,
      patience,
      alert: (supplier, code) => logger.error('a supplier refuses our settings', { supplier, code }),
    }),
  );
  const catalogue = readCatalogue(catalogueText(config, sandbox), () => clock.now());
  const offers = new OfferBook({ store, clock, catalogue, adapters: suppliers.adapters });
  const hasSuppliers = suppliers.adapters.length > 0;
  const components = new ComponentBook({ clock, catalogue, offers, hasSuppliers });
  const thread = stack.use(new BomThread());
  const work = new BomWork({ clock, offers, thread, rates });
  const shared = {
    store,
    clock,
    sandbox,
    authenticate: (key: string | undefined) => agents.authenticate(key),
    recognise: (key: string | undefined) => agents.recognise(key),
    receipt: (of: Parameters<ConstructorParameters<typeof Calculations>[0]['receipt']>[0]) =>
      paidCalls.unpaidReceipt({ type: 'avouch.wallet-receipt.v1', ...of }),
  };
  const calculations = new Calculations({ ...shared, work });
  const channels: SupplierChannel[] = sandbox
    ? [
        new ExampleSupply(
          stack.use(new ConfiguredHost({ baseUrl: `${standInUrl}/example-supply`, userAgent })),
          patience,
        ),
      ]
    : [];
  const mailOf = (supplier: string) =>
    outbox.isOff ? null : (config.suppliers.orderMail[supplier] ?? (sandbox ? 'rfq@sandbox.invalid' : null));
  const isProgrammed = (name: string) => channels.some(({ supplier }) => supplier === name);
  const channelOf = (name: string) => (isProgrammed(name) ? 'adapter' : mailOf(name) === null ? null : 'manual');
  const mandates = await mandatePort(parts);
  const orders = new Orders({
    ...shared,
    quotes: new Quotes({ clock, calculations, offers, rates, channelOf }),
    mandates,
    queueMail: (mail) => outbox.queue(mail),
    channels,
    mailOf,
    serviceName: config.serviceName,
    rules: parts.rules,
  });
  const follow = new OrderFollow({ store, clock, orders, channels });
  const kept = stack.move();
  return {
    work,
    calculations,
    orders,
    platformId: mandates.platformId,
    component: (mpn) => components.look(mpn),
    jobs: [
      { name: 'orders', everyMs: ASK_EVERY_MS, ownTimer: true, run: () => follow.run(), stop: () => follow.stop() },
    ],
    sweep: async () => (await calculations.sweep()) + (await follow.sweep()),
    share: (processes) => suppliers.share(processes),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The installation itself as a platform of the handshake. */
async function mandatePort({ mandates, platformSecret, config }: OrderParts): Promise<MandatePort> {
  const bytes = Buffer.from(platformSecret('key'), 'hex');
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
    async seal(verifyRef, outcome, externalRef) {
      const asked = { api_key: apiKey, verify_ref: verifyRef, external_ref: externalRef };
      const answer = await mandates.seal({ ...asked, outcome: outcome as 'placed' });
      return answer instanceof Refusal ? answer : { attestationId: answer.body.attestation_id };
    },
  };
}

const EMPTY_CATALOGUE =
  'mpn,manufacturer,description,supplier,sku,moq,multiple,stock,lead_days,currency,break_qty,unit_price,as_of,source_url,licence\n';

function catalogueText({ suppliers }: Config, sandbox: boolean): string {
  if (suppliers.catalogue !== null) return suppliers.catalogue;
  return sandbox
    ? readFileSync(new URL('./sandbox/suppliers/catalogue.csv', import.meta.url), 'utf8')
    : EMPTY_CATALOGUE;
}

function standInSettings(url: string): SupplierSettings {
  const secret = new Secret('sandbox');
  const login = { clientId: 'sandbox', clientSecret: secret };
  return {
    nexar: { ...login, baseUrl: `${url}/nexar`, identityBaseUrl: `${url}/nexar-login` },
    mouser: { baseUrl: `${url}/mouser`, apiKey: secret },
    digikey: { ...login, baseUrl: `${url}/digikey` },
  };
}
