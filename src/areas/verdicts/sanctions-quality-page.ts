import { lazily } from '#kernel/lazily.ts';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { badge, card, dataTable, heading, keyValues, notice } from '#web/components.ts';
import { machineReadable } from '#web/document.ts';
import { page } from '#web/layout.ts';
import { fullId } from '#web/short-id.ts';
import { whenExact } from '#web/times.ts';
import type { Quality } from './sanctions-quality-answer.ts';

const TITLE = 'Sanctions screening quality';
const PATH = '/v1/sanctions/quality';
const LEAD =
  'How many listed names screening finds when they are misspelled, and how often it flags people who are not listed.';

export const sanctionsQualityPages = {
  html: (quality: Quality, site: Site) =>
    page({ title: TITLE, path: PATH, section: 'docs', body: body(quality) }, site),
  markdown: (quality: Quality) => documentMarkdown(quality, TITLE),
};

const REASONS: Readonly<Record<NonNullable<Quality['reason']>, string>> = {
  switched_off: 'Screening is switched off on this installation.',
  no_list: 'No list has been loaded yet.',
  measuring: 'The list in use is being measured now.',
  failed: 'The last measurement failed.',
};

const SETS: Readonly<Record<string, string>> = {
  mangled: 'Everyday misspellings',
  cyrillic: 'Cyrillic script',
  arabic: 'Arabic script',
  greek: 'Greek script',
  hebrew: 'Hebrew script',
  han: 'Chinese script',
  hangul: 'Korean script',
  us: 'United States',
  global_latin: 'Latin script, worldwide',
  maghreb: 'Maghreb',
  pakistan: 'Pakistan',
};

function setName(set: string): string {
  return SETS[set] ?? set.replaceAll('_', ' ');
}

const percent = lazily(() => new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 }));
const count = lazily(() => new Intl.NumberFormat('en'));

function share(value: number | null): string {
  return value === null ? 'No name in the list' : percent().format(value);
}

function body(quality: Quality): Html {
  const { reason, method } = quality;
  return html`${heading(TITLE, LEAD)}
${notice('info', html`<p>Screening searches the EU consolidated financial sanctions list. The frozen sets below were measured on the UN consolidated list and the OFAC SDN list.</p>`)}
${listCard(quality)}
${reason === null ? figures(quality) : card({ title: 'Figures for the list in use', body: html`<p>${REASONS[reason]}</p>` })}
${frozenCard(quality)}
${card({ title: 'How it is measured', body: html`<p>${method}</p>` })}
${machineReadable(PATH)}`;
}

function listCard({
  list,
  matcher_version: matcher,
  screen_threshold: screen,
  pair_threshold: pair,
  status,
  measured_at: at,
}: Quality): Html {
  const facts =
    list === null
      ? []
      : ([
          ['List', list.source],
          ['Issued', whenExact(list.list_generated)],
          ['Loaded', whenExact(list.list_loaded_at)],
          ['Size', `${count().format(list.entities)} entities, ${count().format(list.names)} names`],
          ['SHA-256', fullId(list.sha256)],
        ] as const);
  return card({
    title: 'List in use',
    aside: status === 'measured' ? badge('Measured', 'good') : badge('Not measured yet', 'warn'),
    body: keyValues([
      ...facts,
      ...(at === null ? [] : ([['Measured', whenExact(at)]] as const)),
      ['Matcher', `Version ${matcher}`],
      ['Counts as a hit from', `Score ${screen} for a name, ${pair} for a pair of names`],
    ]),
  });
}

function figures({ recall, false_hits }: Quality): Html {
  const found = dataTable({
    caption: 'Listed names that screening finds',
    columns: ['Names', { label: 'Queries', align: 'number' }, { label: 'Found', align: 'number' }],
    rows: recall.map(({ set, queries, recall: value }) => [setName(set), count().format(queries), share(value)]),
  });
  return card({ title: 'Figures for the list in use', body: html`${found}${falseHits(false_hits)}` });
}

function falseHits(sets: Quality['false_hits']): Html {
  return dataTable({
    caption: 'Common names that are flagged although nobody looked for them',
    columns: ['Names', { label: 'Queries', align: 'number' }, { label: 'Flagged', align: 'number' }],
    rows: sets.map(({ set, queries, false_hits: value }) => [setName(set), count().format(queries), share(value)]),
  });
}

function frozenCard({ frozen }: Quality): Html {
  const { measured_on: on, list, pairs, mangled, false_hits, sets } = frozen;
  const files = sets.map(({ file, sha256 }) => html`<li>${file} ${fullId(sha256)}</li>`);
  return card({
    title: 'Figures on frozen sets',
    body: html`<p class="muted">From sets written separately, before the matcher was last changed. <a href="/docs/quality">How they were made</a>.</p>
${keyValues([
  ['Measured', whenExact(on)],
  ['Lists', `${list.source}, ${count().format(list.names)} names`],
  [
    'Pairs of names',
    `${count().format(pairs.pairs)} pairs: precision ${percent().format(pairs.precision)}, recall ${percent().format(pairs.recall)}, F1 ${pairs.f1}`,
  ],
  ['Everyday misspellings', `${percent().format(mangled.recall)} of ${count().format(mangled.queries)} found`],
])}${falseHits(false_hits)}<details><summary>Files and their hashes</summary><ul>${files}</ul></details>`,
  });
}
