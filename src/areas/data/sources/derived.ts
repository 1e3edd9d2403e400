import { HOUR_MS } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { leadTimeItem, leadTimes, STATUTORY } from './lead-times.ts';
import { authorityName, type DataSource, type DraftRow, SourceError, type StoredRow } from './source.ts';
import { permits } from './permits.ts';

const statutory: readonly DraftRow[] = STATUTORY.map(({ id, activity, days, words, url }) => ({
  id,
  sourceUrl: url,
  sortAtMs: 0,
  kind: 'statutory',
  facets: [activity],
  text: words,
  item: {
    authority: 'by law',
    activity,
    median_days: days,
    p90_days: null,
    n: 0,
    basis: 'statutory',
    from: null,
    to: null,
    label: words,
  },
}));

/** Lead times come from the permits that are stored: nobody publishes them. */
export const leadtimes: DataSource = {
  id: 'leadtimes',
  dataset: 'leadtimes',
  title: 'Permit lead times, measured from publications',
  licence: permits.licence,
  publisher: 'derived from koop-sru',
  everyMs: HOUR_MS,
  mode: 'full',
  maxBytes: 0,
  maxRows: 50_000,
  indexed: 0,
  async *read({ stored, link }) {
    const rows: StoredRow[] = [];
    for await (const row of stored(permits.id)) if (row.reference !== '') rows.push(row);
    const { groups, dropped } = leadTimes(rows);
    if (groups.length === 0) throw new SourceError('EMPTY', 'no application and decision for the same case are stored');
    const measured = groups.map((group): DraftRow => {
      const { authority, activity, toMs } = group;
      return {
        id: `lead-${sha256Hex(`${authority}\n${activity}`).slice(0, 16)}`,
        sourceUrl: link('koop', 'https://www.officielebekendmakingen.nl/'),
        sortAtMs: toMs,
        kind: 'measured',
        authority: authorityName(authority),
        facets: [activity],
        text: `${authority} ${activity}`,
        item: leadTimeItem(group),
      };
    });
    yield { rows: [...measured, ...statutory], cursor: String(dropped) };
  },
  readFile() {
    throw new SourceError('NO_FILE', 'lead times are derived from permits; import a permits file instead');
  },
};
