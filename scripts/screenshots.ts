// Pictures of every page in light and dark, small and wide: npm run screenshots [-- folder [name]].
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launch, SMALL, WIDE } from '../test/support/chromium.ts';
import { TestService } from '../test/support/service.ts';
import { PAGES } from '../test/pages/page-table.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const [folder = await mkdtemp(join(tmpdir(), 'avouch-screenshots-')), only] = positionals;
await mkdir(folder, { recursive: true });
await using service = await TestService.start({ opensSettlement: true });
const browser = await launch();
for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of [SMALL, WIDE]) {
    const context = await browser.newContext({ baseURL: service.url, colorScheme, viewport });
    const page = await context.newPage();
    for (const { name, path, needs } of PAGES.filter((row) => only === undefined || row.name.startsWith(only))) {
      await page.goto((await needs?.({ service, context })) ?? path, { waitUntil: 'networkidle' });
      await page.screenshot({ path: join(folder, `${name}-${viewport.width}-${colorScheme}.png`), fullPage: true });
    }
    await context.close();
  }
}
await browser.close();
process.stdout.write(`${folder}\n`);
