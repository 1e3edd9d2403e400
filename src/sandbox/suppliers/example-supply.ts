import { NewestMap } from '#kernel/newest-map.ts';
import { jsonAnswer, type Simulator } from '../registers/simulator.ts';

const CONFIRMED_MS = 3_000;
const SHIPPED_MS = 6_000;
const DELIVERED_MS = 9_000;
/** By the ends of their numbers. */
const cancelled = new NewestMap<string, true>(10_000);

/**
 * A supplier that takes orders: it confirms after 3 seconds, ships after 6 and delivers after 9. One part whose number
 * ends in -REFUSE makes it refuse, in -SLOW keeps it silent. What it knows stands in the number that it gives, but for what
 * was cancelled.
 */
export const EXAMPLE_SUPPLY: Simulator = {
  answer({ method, path, body, nowMs }) {
    if (method === 'POST' && path === '/orders') {
      const { reference, lines } = JSON.parse(body) as { reference: string; lines: { sku: string }[] };
      const has = (end: string) => lines.some(({ sku }) => sku.endsWith(end));
      const fate = has('-REFUSE') ? 'R' : has('-SLOW') ? 'S' : 'D';
      return jsonAnswer(201, { order: `EXS-${fate}-${nowMs}-${numberEnd(reference)}`, sandbox: true });
    }
    if (method === 'POST' && path === '/cancellations') {
      const { reference } = JSON.parse(body) as { reference: string };
      cancelled.set(numberEnd(reference), true);
      return jsonAnswer(201, { reference, sandbox: true });
    }
    const [, fate, placedAt, end = ''] = /^\/orders\/EXS-([RSD])-(\d+)-(.*)$/.exec(path) ?? [];
    if (fate === undefined) return jsonAnswer(404, {});
    if (cancelled.get(end)) return jsonAnswer(200, { state: 'cancelled', sandbox: true });
    return jsonAnswer(200, { state: stateOf(fate, nowMs - Number(placedAt)), sandbox: true });
  },
  throttle: () => jsonAnswer(429, {}, { 'retry-after': '1' }),
};

/** What the supplier's number has of the buyer's. */
function numberEnd(reference: string): string {
  return reference.slice(-8);
}

function stateOf(fate: string, ageMs: number): string {
  if (fate === 'S' || ageMs < CONFIRMED_MS) return 'received';
  if (fate === 'R') return 'refused';
  return ageMs < SHIPPED_MS ? 'confirmed' : ageMs < DELIVERED_MS ? 'shipped' : 'delivered';
}
