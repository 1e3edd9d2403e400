// What must hold for every page, found in a real browser: each check gives findings, `<check>: <what>`.
import axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import type { PageRow } from './page-table.ts';

export const DESKTOP = { width: 1440, height: 900 };
/** The narrowest screen on which a table is still a table beside a side bar. */
const TABLET = { width: 1040, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** The smallest phone that must not scroll sideways. */
const SMALLEST = { width: 360, height: 740 };

const MAX_KB = 100;
const MAX_KB_OF: Readonly<Record<string, number>> = { home: 60 };
const MAX_REQUESTS = 8;
const H1_BELOW = 130;
/** Documentation has its menu above the text. */
const H1_BELOW_IN_DOCS = 220;
export const MAX_LAYOUT_SHIFT = 0.05;

/** The checks by name, for the table of exceptions. */
export type CheckName =
  | 'axe'
  | 'browser'
  | 'danger'
  | 'h1'
  | 'id'
  | 'inline'
  | 'requests'
  | 'shift'
  | 'table'
  | 'text'
  | 'time'
  | 'weight'
  | 'width';

export interface Finding {
  readonly check: CheckName;
  readonly what: string;
}

export function written({ check, what }: Finding): string {
  return `${check}: ${what}`;
}

const found = (check: CheckName, whats: readonly string[]): Finding[] => whats.map((what) => ({ check, what }));

/** What a tab reports of itself while it loads pages: errors, requests to other hosts, and what came over the wire. */
export class TabWatch {
  #faults: string[] = [];
  #bytes = 0;
  #requests = 0;

  /** From now on nothing comes from the cache: every visit is a first one. */
  static async on(page: Page, url: string): Promise<TabWatch> {
    const session = await page.context().newCDPSession(page);
    const watch = new TabWatch();
    page.on('console', (message) => {
      // Chromium reports the status of an error page as an error of the console.
      const isStatus = /^Failed to load resource: the server responded with a status of [45]\d\d/.test(message.text());
      if (message.type() === 'error' && !isStatus) watch.#faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => watch.#faults.push(`script: ${error.message}`));
    page.on('request', (request) => {
      const address = request.url();
      if (address.startsWith('data:')) return;
      watch.#requests += 1;
      if (!address.startsWith(`${url}/`)) watch.#faults.push(`asks ${address}`);
    });
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (watch.#bytes += encodedDataLength));
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    return watch;
  }

  get kilobytes(): number {
    return Math.round(this.#bytes / 100) / 10;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Requests to other hosts. */
  get otherHosts(): number {
    return this.#faults.filter((fault) => fault.startsWith('asks ')).length;
  }

  /** Forgets the pages before. */
  begin(): void {
    this.#faults = [];
    this.#bytes = 0;
    this.#requests = 0;
  }

  /** What was seen since the page began to load. */
  findings({ name }: Pick<PageRow, 'name'>): Finding[] {
    const maxKb = MAX_KB_OF[name] ?? MAX_KB;
    const { kilobytes, requests } = this;
    return [
      ...found('browser', this.#faults),
      ...(kilobytes > maxKb ? found('weight', [`${kilobytes} KB, at most ${maxKb}`]) : []),
      ...(requests > MAX_REQUESTS ? found('requests', [`${requests}, at most ${MAX_REQUESTS}`]) : []),
    ];
  }
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** Serious and critical findings of axe by all its rules or by those named, each with its first element. */
export async function axe(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(axeCore.source);
  const options = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) };
  const { violations } = await page.evaluate((given) => {
    const runner = (globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } }).axe;
    return runner.run(given);
  }, options);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html.slice(0, 200)} (${nodes.length})`);
}

/** What the document looks like to somebody who sees it; runs in the page. */
function look() {
  const CODE = 'code, pre, kbd, samp, textarea, script, style, noscript, select, [hidden]';
  const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.className;
  const ids: string[] = [];
  const times: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').trim();
    const holder = node.parentElement;
    if (text === '' || holder === null || holder.closest(CODE) !== null || !holder.checkVisibility()) continue;
    if (text.length > 24 && /^[A-Za-z0-9_+/=-]+$/.test(text)) ids.push(text);
    if (/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) times.push(text.slice(0, 60));
  }
  const tables = [...document.querySelectorAll('.table-scroll')]
    .filter((element) => element.checkVisibility() && element.scrollWidth > element.clientWidth)
    .map((element) => `${nameOf(element)} is ${element.scrollWidth} px in ${element.clientWidth}`);
  const dangers = [...document.querySelectorAll('form[method="post" i] button[class*="danger"]')]
    .filter(
      (button) => (button as HTMLButtonElement).form?.querySelector('[name="confirmed"], [name="confirm"]') === null,
    )
    .map((button) => (button.textContent ?? '').trim());
  const headings = [...document.querySelectorAll('h1')];
  return {
    ids,
    times,
    tables,
    dangers,
    headings: headings.length,
    h1Top: (headings[0]?.getBoundingClientRect().top ?? 0) + window.scrollY,
    width: document.documentElement.scrollWidth,
    innerWidth: window.innerWidth,
    hasText: (document.querySelector('main')?.innerText ?? '').trim() !== '',
    // uPlot sizes its canvas through the object model, which the CSP allows.
    inline: document.querySelectorAll('[style]:not(.uplot, .uplot *), script:not([src]), style, [onclick]').length,
  };
}

type Width = 'desktop' | 'tablet' | 'phone' | 'smallest';
const SIZES: Readonly<Record<Width, { width: number; height: number }>> = {
  desktop: DESKTOP,
  tablet: TABLET,
  phone: PHONE,
  smallest: SMALLEST,
};

const MOST_FRAMES = 60;

/** Charts follow a new width some frames later, the later the busier the machine. */
async function settled(page: Page): Promise<ReturnType<typeof look>> {
  let seen = await page.evaluate(look);
  for (let frame = 0; frame < MOST_FRAMES && seen.width > seen.innerWidth; frame += 1) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    seen = await page.evaluate(look);
  }
  return seen;
}

/** Checks of the page as it lies, at each of the widths; the tab is left at the last of them. */
export async function layoutFindings(page: Page, { name }: Pick<PageRow, 'name'>, widths: readonly Width[]) {
  const findings: Finding[] = [];
  for (const width of widths) {
    await page.setViewportSize(SIZES[width]);
    const seen = await settled(page);
    const at = `at ${SIZES[width].width}`;
    if (seen.width > seen.innerWidth) findings.push(...found('width', [`${seen.width} px ${at}`]));
    if (width === 'tablet' || width === 'phone') {
      findings.push(
        ...found(
          'table',
          seen.tables.map((one) => `${one} ${at}`),
        ),
      );
    }
    const limit = name.startsWith('docs') ? H1_BELOW_IN_DOCS : H1_BELOW;
    if (width === 'phone' && seen.h1Top > limit)
      findings.push(...found('h1', [`starts at ${Math.round(seen.h1Top)} px, at most ${limit}`]));
    if (width !== widths[0]) continue;
    if (seen.headings !== 1) findings.push(...found('h1', [`${seen.headings} of them`]));
    if (seen.inline > 0) findings.push(...found('inline', [`${seen.inline} inline styles or scripts`]));
    if (!seen.hasText) findings.push(...found('text', ['main is empty']));
    findings.push(...found('id', seen.ids), ...found('time', seen.times), ...found('danger', seen.dangers));
  }
  return findings;
}

/** What axe says of the page as it stands. */
export async function axeFindings(page: Page, colorScheme: 'light' | 'dark', rules?: readonly string[]) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  return found(
    'axe',
    (await axe(page, rules)).map((what) => `${what} in ${colorScheme}`),
  );
}

/** When the page first showed something, its largest part, and how far things moved. */
export function paintOf(page: Page): Promise<{ fcpMs: number | null; lcpMs: number | null; shift: number }> {
  return page.evaluate(async () => {
    const entriesOf = (type: string) =>
      new Promise<PerformanceEntry[]>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
        observer.observe({ type, buffered: true });
        // Without entries the observer never calls back.
        setTimeout(() => resolve([]), 100);
      });
    const shifts = (await entriesOf('layout-shift')) as (PerformanceEntry & { value: number })[];
    const largest = (await entriesOf('largest-contentful-paint')).at(-1);
    const first = performance.getEntriesByName('first-contentful-paint')[0];
    return {
      fcpMs: first === undefined ? null : Math.round(first.startTime),
      lcpMs: largest === undefined ? null : Math.round(largest.startTime),
      shift: Math.round(shifts.reduce((sum, { value }) => sum + value, 0) * 1e4) / 1e4,
    };
  });
}
