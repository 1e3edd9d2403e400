// A real Chromium for tests of pages: one browser and one service per test file.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import axeCore from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, launch, SMALL, WIDE } from './chromium.ts';

import { TestService, type TestServiceOptions } from './service.ts';
import { type PageRow, PAGES } from '../pages/page-table.ts';

export { launch, SMALL, WIDE };

/** Why tests with a browser are left out here, or false. */
export const skipsBrowser: string | false =
  chromiumPath() === undefined ? 'no Chromium here; CHROMIUM_PATH names one' : false;

let browser: Promise<Browser> | undefined;
let service: Promise<TestService> | undefined;
after(async () => {
  await (await browser)?.close();
  await (await service)?.[Symbol.asyncDispose]();
});

function sharedBrowser(): Promise<Browser> {
  browser ??= launch();
  return browser;
}

/** The service of this test file; the options count for the first who asks. */
export function pageService(options: TestServiceOptions = {}): Promise<TestService> {
  service ??= TestService.start(options);
  return service;
}

export interface Opening {
  readonly javaScriptEnabled?: boolean;
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly permissions?: readonly string[];
}

/** A tab of its own. The test fails on a violation of the CSP, on a console error and on a request to another host. */
export async function openPage(t: TestContext, opening: Opening = {}, of?: string): Promise<Page> {
  const url = of ?? (await pageService()).url;
  const { javaScriptEnabled = true, colorScheme = 'light', viewport = WIDE, permissions = [] } = opening;
  const context = await (await sharedBrowser()).newContext({
    ...{ baseURL: url, javaScriptEnabled, colorScheme, viewport },
    ...{ permissions: [...permissions], reducedMotion: 'reduce' },
  });
  t.after(() => context.close());
  return watched(t, await context.newPage(), url);
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
export async function visit(page: Page, { path, status = 200, needs }: PageRow): Promise<string> {
  const wanted = (await needs?.({ service: await pageService(), context: page.context() })) ?? path;
  const answer = await page.goto(wanted);
  assert.equal(answer?.status(), status, wanted);
  return wanted;
}

/** What holds for every page of a group: light, dark, small and without script. */
export function testEveryPage(group: PageRow['group']): void {
  const rows = PAGES.filter((row) => row.group === group);
  test(`every ${group} page is accessible in light and dark, breaks no rule of its CSP and asks no other host`, {
    skip: skipsBrowser,
  }, async (t) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openPage(t, { colorScheme });
      for (const row of rows) {
        const path = await visit(page, row);
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
      await openPage(t, { viewport: SMALL }),
      await openPage(t, { viewport: SMALL, javaScriptEnabled: false }),
    ];
    for (const row of rows) {
      for (const page of [scripted, plain]) {
        const path = await visit(page, row);
        const { scrollWidth } = await page
          .locator('html')
          .evaluate((element) => ({ scrollWidth: element.scrollWidth }));
        assert.ok(scrollWidth <= SMALL.width, `${path} is ${scrollWidth} px wide`);
        assert.notEqual((await page.locator('main').innerText()).trim(), '', path);
      }
    }
  });
}
