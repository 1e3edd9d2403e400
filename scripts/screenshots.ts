// Pictures of every page in light and dark, on phone and desktop, and a sheet of each group to look through:
// npm run screenshots [-- folder [name]].
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { html } from '#kernel/html.ts';
import { launch } from '../test/support/chromium.ts';
import { DESKTOP, PHONE } from '../test/pages/page-checks.ts';
import { TestService } from '../test/support/service.ts';
import { type PageRow, PAGES } from '../test/pages/page-table.ts';

const VARIANTS = [DESKTOP, PHONE].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
);

const { positionals } = parseArgs({ allowPositionals: true });
const [folder = await mkdtemp(join(tmpdir(), 'avouch-screenshots-')), only] = positionals;
const rows = PAGES.filter((row) => only === undefined || row.name.startsWith(only));
await mkdir(folder, { recursive: true });
await using service = await TestService.start({ opensSettlement: true });
const browser = await launch();
for (const { viewport, colorScheme } of VARIANTS) {
  const context = await browser.newContext({ baseURL: service.url, colorScheme, viewport });
  const page = await context.newPage();
  for (const { name, path, needs } of rows) {
    await page.goto((await needs?.({ service, context })) ?? path, { waitUntil: 'networkidle' });
    await page.screenshot({
      path: join(folder, pictureOf(name, viewport.width, colorScheme)),
      fullPage: true,
    });
  }
  await context.close();
}
await browser.close();
for (const [group, shown] of Map.groupBy(rows, (row) => row.group)) {
  await writeFile(join(folder, `${group}.html`), sheet(group, shown));
}
process.stdout.write(`${folder}\n`);

function pictureOf(name: string, width: number, colorScheme: string): string {
  return `${name}-${width}-${colorScheme}.png`;
}

/** Every page of a group in a row, each picture a link to itself. */
function sheet(group: string, shown: readonly PageRow[]): string {
  const style =
    'body{font:14px sans-serif;margin:1rem}section{display:flex;gap:1rem;align-items:start;margin:0 0 2rem}a{flex:14}a.phone{flex:4}img{width:100%;max-height:80rem;object-fit:cover;object-position:top;border:1px solid #999}';
  const pictures = ({ name }: PageRow) =>
    VARIANTS.map(({ viewport, colorScheme }) => {
      const picture = pictureOf(name, viewport.width, colorScheme);
      return html`<a href="${picture}" class="${viewport === PHONE ? 'phone' : 'desktop'}"><img src="${picture}" alt="${name}, ${viewport.width} px, ${colorScheme}" loading="lazy"></a>`;
    });
  return html`<!doctype html><meta charset="utf-8"><title>${group}</title><style>${style}</style><h1>${group}</h1>${shown.map(
    (row) => html`<h2>${row.name} <small>${row.path}</small></h2><section>${pictures(row)}</section>`,
  )}`.text;
}
