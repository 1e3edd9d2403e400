// npm run pages [-- name]: every check on every page in a real browser, one line of JSON for each page and variant.
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import {
  axeFindings,
  DESKTOP,
  type Finding,
  layoutFindings,
  MAX_LAYOUT_SHIFT,
  paintOf,
  PHONE,
  TabWatch,
  written,
} from '../test/pages/page-checks.ts';
import { exceptionsOf } from '../test/pages/page-exceptions.ts';
import { type PageRow, PAGES } from '../test/pages/page-table.ts';
import { chromiumPath, launch } from '../test/support/chromium.ts';
import { TestService } from '../test/support/service.ts';

interface Variant {
  readonly name: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
  readonly javaScriptEnabled: boolean;
}

const VARIANTS: readonly Variant[] = [
  { name: '1440 light', viewport: DESKTOP, colorScheme: 'light', javaScriptEnabled: true },
  { name: '1440 dark', viewport: DESKTOP, colorScheme: 'dark', javaScriptEnabled: true },
  { name: '390 light', viewport: PHONE, colorScheme: 'light', javaScriptEnabled: true },
  { name: 'no script', viewport: DESKTOP, colorScheme: 'light', javaScriptEnabled: false },
];

const { positionals } = parseArgs({ allowPositionals: true });
if (chromiumPath() === undefined) console.log('skipped: no Chromium here; CHROMIUM_PATH names one');
else process.exitCode = (await checkAll()) ? 0 : 1;

async function checkAll(): Promise<boolean> {
  await using service = await TestService.start({ opensSettlement: true });
  const browser = await launch();
  const rows = PAGES.filter(
    ({ name }) => positionals.length === 0 || positionals.some((word) => name.startsWith(word)),
  );
  let failed = 0;
  for (const variant of VARIANTS) failed += await checkVariant(browser, service, variant, rows);
  await browser.close();
  console.log(JSON.stringify({ pages: rows.length, variants: VARIANTS.length, failed }));
  return failed === 0;
}

/** How many pages have findings that are no exception. */
async function checkVariant(
  browser: Browser,
  service: TestService,
  variant: Variant,
  rows: readonly PageRow[],
): Promise<number> {
  const { viewport, colorScheme, javaScriptEnabled } = variant;
  const context = await browser.newContext({ baseURL: service.url, viewport, colorScheme, javaScriptEnabled });
  const page = await context.newPage();
  const watch = await TabWatch.on(page, service.url);
  let failed = 0;
  for (const row of rows) {
    await page.setViewportSize(viewport);
    const path = (await row.needs?.({ service, context })) ?? row.path;
    watch.begin();
    const status = (await page.goto(path, { waitUntil: 'load' }))?.status() ?? null;
    const wire = watch.findings(row);
    const { kilobytes: kb, requests } = watch;
    const painted = javaScriptEnabled ? await paintOf(page) : null;
    const findings = [...wire, ...(await findingsOf(page, row, variant, painted?.shift ?? 0))];
    if (status !== (row.status ?? 200)) findings.push({ check: 'browser', what: `status ${status}` });
    const excepted = exceptionsOf(row.name);
    const open = findings.filter(({ check }) => !excepted.includes(check));
    if (open.length > 0) failed += 1;
    const paint = painted && { fcp_ms: painted.fcpMs, lcp_ms: painted.lcpMs, shift: painted.shift };
    const known = findings.length - open.length;
    console.log(
      JSON.stringify({
        page: row.name,
        variant: variant.name,
        kb,
        requests,
        ...paint,
        ...(known > 0 && { excepted: known }),
        findings: [...new Set(open.map(written))],
      }),
    );
  }
  await context.close();
  return failed;
}

async function findingsOf(page: Page, row: PageRow, variant: Variant, shift: number): Promise<Finding[]> {
  const { viewport, colorScheme, javaScriptEnabled } = variant;
  const widths = viewport === PHONE ? (['phone', 'smallest'] as const) : (['desktop', 'tablet'] as const);
  return [
    ...(shift > MAX_LAYOUT_SHIFT ? [{ check: 'shift' as const, what: `${shift}, at most ${MAX_LAYOUT_SHIFT}` }] : []),
    // Axe needs script.
    ...(javaScriptEnabled ? await axeFindings(page, colorScheme) : []),
    ...(await layoutFindings(page, row, widths)),
  ];
}
