// A walk over the documentation: old addresses, new ones, and every link between its pages.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { anchorOf } from '#kernel/anchor.ts';
import { MOVED_DOCS } from '#areas/discovery/moved.ts';
import { readingPath } from '#areas/discovery/pages/docs-nav.ts';
import { documentation } from '#platform/documentation/documentation.ts';
import { ROOT } from '../support/child-service.ts';
import { sharedService } from '../support/shared-service.ts';

const BROWSER = { headers: { accept: 'text/html' } };

/** Ids of a page that a fragment can name. */
function idsOf(page: string): Set<string> {
  return new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
}

test('an old address of the documentation leads to a page and a section that exist', async () => {
  const service = await sharedService();
  for (const [from, to] of Object.entries(MOVED_DOCS)) {
    const moved = await service.call(`/docs/${from}`);
    assert.deepEqual([moved.status, moved.headers.location], [308, `/docs/${to}`]);
    const [path = '', anchor] = String(moved.headers.location).split('#', 2);
    const page = await service.call(path, BROWSER);
    assert.equal(page.status, 200, from);
    if (anchor !== undefined) assert.ok(idsOf(page.text).has(anchor), `/docs/${from} leads to ${to}`);
    const markdown = await service.call(`/docs/${from}.md`);
    assert.deepEqual([markdown.status, markdown.headers.location], [308, `${path}.md`]);
    assert.equal((await service.call(`${path}.md`)).status, 200, from);
  }
});

test('an old address answers other methods than GET and HEAD with 405', async () => {
  const service = await sharedService();
  const answer = await service.call('/docs/crossing', { method: 'POST', body: '{}' });
  assert.equal(answer.status, 405);
  assert.equal((await service.call('/docs/crossing', { method: 'HEAD' })).status, 308);
});

test('every page of the documentation is served, and its links lead to pages and sections that exist', async () => {
  const service = await sharedService();
  const pages = new Map<string, string>();
  for (const { path } of readingPath()) {
    const page = await service.call(path, BROWSER);
    assert.equal(page.status, 200, path);
    pages.set(path, page.text);
  }
  const index = await service.call('/docs', BROWSER);
  for (const [path, text] of [...pages, ['/docs', index.text] as const]) {
    for (const [, href = ''] of text.matchAll(/href="((?:\/docs)?[^":]*)"/g)) {
      const [address = '', anchor] = href.split('#', 2);
      const [target = ''] = address.split('?', 1);
      const page = target === '' ? text : pages.get(target);
      if (target.startsWith('/docs/') && !target.startsWith('/docs/api/') && !target.endsWith('.md'))
        assert.ok(page !== undefined, `${path}: ${href}`);
      if (page !== undefined && anchor !== undefined) {
        assert.ok(idsOf(page).has(anchor), `${path}: ${href} names no section`);
      }
    }
  }
});

/** Links of a text to files, without its code. */
function linksOf(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\((?!https?:|mailto:|\/)([^)\s]+)\)/g)].map(([, link = '']) => link);
}

function sectionsOf(markdown: string): Set<string> {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```/gm, '');
  return new Set([...prose.matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));
}

test('every link between files leads to a file, and to a section that it has', async () => {
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...documentation().map(({ name }) => `docs/${name}.md`),
  ];
  const dead: string[] = [];
  for (const file of files) {
    for (const link of linksOf(await readFile(join(ROOT, file), 'utf8'))) {
      const [path = '', anchor] = link.split('#', 2);
      const target = path === '' ? file : normalize(join(dirname(file), path));
      const isThere = existsSync(join(ROOT, target));
      const hasSection =
        anchor === undefined || (isThere && sectionsOf(await readFile(join(ROOT, target), 'utf8')).has(anchor));
      if (!isThere || !hasSection) dead.push(`${file}: ${link}`);
    }
  }
  assert.deepEqual(dead, []);
});
