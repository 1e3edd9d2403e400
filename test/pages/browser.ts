// A real Chromium for tests of pages.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, launch, WIDE } from '../support/chromium.ts';
import { TestService, type TestServiceOptions } from '../support/service.ts';
import { axeFindings, DESKTOP, type Finding, layoutFindings, PHONE, TabWatch, written } from './page-checks.ts';
import { exceptionsOf } from './page-exceptions.ts';
import { type PageRow, PAGES } from './page-table.ts';

export { axe } from './page-checks.ts';

/** Why tests with a browser are left out here, or false. */
export const skipsBrowser: string | false =
  chromiumPath() === undefined ? 'no Chromium here; CHROMIUM_PATH names one' : false;

/** Says only that it hung: whatever a page does at all it does sooner on the slowest machine. */
const HUNG_MS = 120_000;

interface Opening {
  readonly javaScriptEnabled?: boolean;
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly permissions?: readonly string[];
  /** The address of a service of the test's own. */
  readonly of?: string;
}

/** What the tests of one file share: a service, and a browser. */
export interface Pages {
  service(): Promise<TestService>;
  /** A tab of its own. The test fails on a violation of the CSP, a console error and a request to another host. */
  open(t: TestContext, opening?: Opening): Promise<Page>;
}

/** Called at the top of a test file: both begin with the first test that needs them and end with the file. */
export function pagesOf(options: TestServiceOptions = {}): Pages {
  let browser: Promise<Browser> | undefined;
  let running: Promise<TestService> | undefined;
  after(async () => {
    await (await browser)?.close();
    await (await running)?.[Symbol.asyncDispose]();
  });
  const service = () => (running ??= TestService.start(options));
  return {
    service,
    async open(t, { javaScriptEnabled = true, colorScheme = 'light', viewport = WIDE, permissions = [], of } = {}) {
      const url = of ?? (await service()).url;
      const context = await (await (browser ??= launch())).newContext({
        baseURL: url,
        javaScriptEnabled,
        colorScheme,
        viewport,
        permissions: [...permissions],
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(HUNG_MS);
      t.after(() => context.close());
      return watched(t, await context.newPage(), url);
    },
  };
}

function watched(t: TestContext, page: Page, url: string): Page {
  const faults: string[] = [];
  page.on('console', (message) => {
    // Chromium reports the status of a page that is an error page as an error of the console.
    const isStatus = /^Failed to load resource: the server responded with a status of [45]\d\d/.test(message.text());
    if (message.type() === 'error' && !isStatus) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:'))
      faults.push(`asks ${request.url()}`);
  });
  t.after(() => assert.deepEqual(faults, [], 'faults that the browser saw'));
  return page;
}

/** Opens a row of the table; gives its path. */
async function visit(page: Page, service: TestService, { path, status = 200, needs }: PageRow): Promise<string> {
  const wanted = (await needs?.({ service, context: page.context() })) ?? path;
  const answer = await page.goto(wanted);
  assert.equal(answer?.status(), status, wanted);
  return wanted;
}

/** Every check on every page of a group: two loads of each, at four widths, in light and dark, with and without script. */
export function testEveryPage(pages: Pages, group: PageRow['group']): void {
  const rows = PAGES.filter((row) => row.group === group);
  const check = async (t: TestContext, hasScript: boolean) => {
    const service = await pages.service();
    const page = await pages.open(t, { javaScriptEnabled: hasScript, viewport: DESKTOP });
    const watch = await TabWatch.on(page, service.url);
    const found: Record<string, string[]> = {};
    for (const row of rows) {
      const findings = hasScript ? await scripted(page, row, watch, service) : await plain(page, row, watch, service);
      const open = findings.filter((finding) => !exceptionsOf(row.name).includes(finding.check));
      if (open.length > 0) found[row.name] = [...new Set(open.map(written))];
    }
    assert.deepEqual(found, {}, 'findings by page');
  };
  test(
    `every ${group} page passes the checks: accessible in light and dark, fits every width, light, and asks no other host`,
    {
      skip: skipsBrowser,
    },
    (t) => check(t, true),
  );
  test(`every ${group} page says everything and fits every width without script`, { skip: skipsBrowser }, (t) =>
    check(t, false),
  );
}

async function scripted(page: Page, row: PageRow, watch: TabWatch, service: TestService): Promise<Finding[]> {
  await page.setViewportSize(DESKTOP);
  watch.begin();
  await visit(page, service, row);
  const wire = watch.findings(row);
  return [
    ...wire,
    ...(await axeFindings(page, 'light')),
    ...(await axeFindings(page, 'dark', ['color-contrast'])),
    ...(await layoutFindings(page, row, ['desktop', 'tablet', 'phone'])),
    ...(await axeFindings(page, 'dark', ['color-contrast'])),
    ...(await axeFindings(page, 'light', ['color-contrast'])),
  ];
}

async function plain(page: Page, row: PageRow, watch: TabWatch, service: TestService): Promise<Finding[]> {
  await page.setViewportSize(PHONE);
  watch.begin();
  await visit(page, service, row);
  return [...watch.findings(row), ...(await layoutFindings(page, row, ['phone', 'smallest', 'tablet', 'desktop']))];
}
