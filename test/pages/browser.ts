// A real Chromium for tests of pages.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import axeCore from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, launch, SMALL, WIDE } from '../support/chromium.ts';
import { TestService, type TestServiceOptions } from '../support/service.ts';
import { type PageRow, PAGES } from './page-table.ts';

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

/** Serious and critical findings of axe by all its rules or by those named, each with the first element of it. */
export async function axe(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(axeCore.source);
  const options = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) };
  const found = await page.evaluate(async (given) => {
    const runner = (globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } }).axe;
    return (await runner.run(given)).violations;
  }, options);
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html.slice(0, 200)} (${nodes.length})`);
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** Opens a row of the table; gives its path. */
async function visit(page: Page, service: TestService, { path, status = 200, needs }: PageRow): Promise<string> {
  const wanted = (await needs?.({ service, context: page.context() })) ?? path;
  const answer = await page.goto(wanted);
  assert.equal(answer?.status(), status, wanted);
  return wanted;
}

/** What holds for every page of a group: light, dark, small and without script. */
export function testEveryPage(pages: Pages, group: PageRow['group']): void {
  const rows = PAGES.filter((row) => row.group === group);
  test(`every ${group} page is accessible in light and dark, breaks no rule of its CSP and asks no other host`, {
    skip: skipsBrowser,
  }, async (t) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await pages.open(t, { colorScheme });
      for (const row of rows) {
        const path = await visit(page, await pages.service(), row);
        assert.equal(await page.locator('h1').count(), 1, `${path} has one h1`);
        // uPlot sizes its canvas through the object model, which the CSP allows.
        const inline = page.locator('[style]:not(.uplot, .uplot *), script:not([src]), style, [onclick]');
        assert.equal(await inline.count(), 0, `${path} has inline style or script`);
        assert.deepEqual(
          await axe(page, colorScheme === 'dark' ? ['color-contrast'] : undefined),
          [],
          `${path} ${colorScheme}`,
        );
      }
    }
  });
  test(`every ${group} page fits 360 px and says everything without script`, { skip: skipsBrowser }, async (t) => {
    const [scripted, plain] = [
      await pages.open(t, { viewport: SMALL }),
      await pages.open(t, { viewport: SMALL, javaScriptEnabled: false }),
    ];
    for (const row of rows) {
      for (const page of [scripted, plain]) {
        const path = await visit(page, await pages.service(), row);
        const { scrollWidth } = await page
          .locator('html')
          .evaluate((element) => ({ scrollWidth: element.scrollWidth }));
        assert.ok(scrollWidth <= SMALL.width, `${path} is ${scrollWidth} px wide`);
        assert.notEqual((await page.locator('main').innerText()).trim(), '', path);
      }
    }
  });
}
