// Bills that were calculated by hand from docs/orders.md, without sight of this program.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type BuyRow, run } from './_bom-run.ts';

interface Flag {
  /** `*` where docs/orders.md did not say whose it is. */
  readonly part: string;
  readonly flag: string;
}
interface Bill {
  readonly id: string;
  readonly title: string;
  readonly request: object;
  readonly expect: {
    readonly total_eur: string;
    readonly lead_days: number | null;
    readonly buys: readonly Readonly<Record<string, string>>[];
    readonly flags: readonly Flag[];
    readonly critical_path?: readonly string[];
    readonly fewest_suppliers_extra_eur?: string;
  };
  /** Flags that docs/orders.md left open. */
  readonly open_flags?: readonly Flag[];
}

const file = new URL('../../../../test/vectors/bills.json', import.meta.url);
const { bills } = JSON.parse(readFileSync(file, 'utf8')) as { bills: Bill[] };
/** Amounts are compared as numbers; names as they are. */
const plain = (value: unknown) => (Number.isNaN(Number(value)) ? value : Number(value));

for (const { id, title, request, expect, open_flags: open = [] } of bills) {
  test(`${id} is calculated as by hand. ${title}`, () => {
    const ran = run(request);
    assert.ok(!('faults' in ran), JSON.stringify(ran));
    const { totals, lead } = ran.head;
    assert.equal(Number(totals.total_eur), Number(expect.total_eur));
    assert.equal(lead.days, expect.lead_days);
    assert.equal(ran.buys.length, expect.buys.length);
    for (const { part, ...wanted } of expect.buys) {
      const buy: BuyRow | undefined = ran.buys.find((one) =>
        part === '*' ? one['sku'] === wanted['sku'] : one['part'] === part,
      );
      for (const [name, value] of Object.entries(wanted)) assert.equal(plain(buy?.[name]), plain(value), name);
    }
    if (expect.critical_path !== undefined) {
      assert.deepEqual(new Set(lead.critical_path), new Set(expect.critical_path));
    }
    if (expect.fewest_suppliers_extra_eur !== undefined) {
      assert.equal(Number(totals.fewest_suppliers_extra_eur), Number(expect.fewest_suppliers_extra_eur));
    }
    assert.deepEqual(flagsOf(ran.flags, expect.flags, open), expect.flags.map(textOf).toSorted());
  });
}

function textOf({ part, flag }: Flag): string {
  return `${part} ${flag}`;
}

/** Those that were told, without those that are open, named as far as the hand calculation names them. */
function flagsOf(told: readonly Readonly<Record<string, unknown>>[], wanted: readonly Flag[], open: readonly Flag[]) {
  const named = new Set(wanted.map(textOf));
  const left = new Set(open.map(textOf));
  return told
    .map(({ part, code }) => ({ part: String(part), flag: String(code) }))
    .filter((flag) => named.has(textOf(flag)) || !left.has(textOf(flag)))
    .map((flag) => (named.has(textOf(flag)) ? textOf(flag) : `* ${flag.flag}`))
    .toSorted();
}
