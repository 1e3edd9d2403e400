import { isoTime } from '#kernel/clock.ts';
import type { OpenLog } from '#platform/log/open-log.ts';
import type { Platform } from '#platform/platform.ts';
import { type About, rowOf } from './about.ts';
import { productFigures } from './front/pricing.ts';
import { newDemoKey, offersProduct } from './front/product.ts';
import { PRODUCT_IDS, PRODUCTS } from './front/product-texts.ts';
import type { FrontDoor } from './front-door.ts';
import type { LeaseCount } from './lease-count.ts';
import type { LiveStats } from './live-stats.ts';
import type { HomeAnswer } from './pages/home.ts';
import type { Discovery, DiscoveryOptions } from './service.ts';
import { headlineOf } from './status-headline.ts';

/** What the status page shows of the log. */
export function logState({ log, publisher, audit, continuity }: OpenLog): ReturnType<DiscoveryOptions['logState']> {
  const { size, rootHex } = log.head();
  const newest = audit.newest();
  return {
    tree_size: size,
    root_hash: rootHex,
    witnesses: publisher.witnessStatus(),
    last_audit: newest && { ok: newest.ok, at: isoTime(newest.atMs), entries: newest.entries },
    continuity: continuity(),
  };
}

export function paymentState({ config, clock, payments }: Platform): ReturnType<DiscoveryOptions['payments']> {
  const { backend, figures } = payments;
  const totals = figures.newest();
  const oldestMs = totals?.oldestUnknownMs ?? null;
  return {
    backend: backend === undefined ? null : (config.settlement?.backend ?? 'chain'),
    unknown_settlements: totals?.unknown ?? null,
    oldest_unknown_s: oldestMs === null ? null : Math.max(0, Math.floor((clock.now() - oldestMs) / 1_000)),
    refunds_due: totals?.refundsDue ?? null,
  };
}

export function walletState({ ledger }: Platform): ReturnType<DiscoveryOptions['wallet']> {
  const { isAuditOk, auditedAtMs, appendOnly } = ledger.state();
  const audit_at = auditedAtMs === null ? null : isoTime(auditedAtMs);
  return { audit_ok: isAuditOk, audit_at, append_only: appendOnly };
}

/** The front page, from the same answers as the documents. */
export async function homeState(parts: {
  readonly about: Discovery;
  readonly documents: FrontDoor;
  readonly figures: LiveStats;
  readonly leases: LeaseCount;
  readonly platform: Platform;
  readonly capabilities: () => Promise<object>;
}): Promise<HomeAnswer> {
  const { about, documents, figures, leases, platform } = parts;
  const state = about.status('');
  const { as_of, status, log, registers } = state;
  const { text, tone } = headlineOf(state);
  const made = documents.made();
  const { service, description, base_url, first_calls, surfaces, is_not } = made.entry;
  const counted = figures.live();
  const products = productFigures(made.about, await parts.capabilities());
  return {
    service,
    description,
    base_url,
    sandbox: state.sandbox,
    live: {
      as_of,
      status,
      headline: { text, tone },
      log_entries: log.tree_size,
      claims_now: await leases.now(),
      seals_today: counted?.seals_today ?? null,
      calls_24h: counted?.calls_24h ?? null,
      registers: registers.map((register) => ({ id: register.id, status: register.status })),
    },
    first_calls,
    surfaces: surfaces.map(({ id, title, what }) => ({ id, title, what })),
    is_not,
    products: PRODUCT_IDS.filter((id) => offersProduct(made.about.operations, id)).map((id) => ({
      id,
      title: PRODUCTS[id].title,
      what: PRODUCTS[id].short(products),
    })),
    demos: {
      work_key: newDemoKey(platform.clock.now()),
      entry: await newestEntry(platform.log),
      vat_check: vatCheck(made.about),
    },
  };
}

/** Null while the store is out of reach: the page has to be there all the same. */
async function newestEntry({ log }: OpenLog): Promise<HomeAnswer['demos']['entry']> {
  const seq = log.head().size - 1;
  const id = await log.idAt(seq).catch(() => null);
  return id === null ? null : { seq, attestation_id: id, vkeys: log.allVkeys() };
}

const VAT_NUMBER = 'NL000099998B57';

function vatCheck(about: About): HomeAnswer['demos']['vat_check'] {
  const row = rowOf(about, 'eu_vat_check');
  const recorded = row?.examples[0]?.output as
    | { readonly result: { status: string; name: string | null; checked_at: string } }
    | undefined;
  if (row?.price == null || recorded === undefined) return null;
  const { status, name, checked_at: at } = recorded.result;
  return { vat_number: VAT_NUMBER, price_usdc: row.price.usdc, recorded: { status, name, at } };
}
