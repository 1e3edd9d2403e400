import { canonicalJson } from '#kernel/canonical-json.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { type DataSource, type DraftRow, folded } from './source.ts';

interface Stamp extends Pick<DataSource, 'licence'> {
  readonly part: string;
  readonly snapshot: string;
  readonly retrievedAtMs: number;
}

/** What the digest of a row covers: all that the source said, nothing that depends on when it was read. */
export function rowDigest(id: string, sourceUrl: string, item: Readonly<Record<string, unknown>>): string {
  return sha256Hex(canonicalJson({ ...item, id, source_url: sourceUrl }));
}

/** The digest of a snapshot: over the sorted list of `id:row_sha256`, one in a line. */
export function snapshotDigest(digests: ReadonlyMap<string, string>): string {
  const lines = [...digests].map(([id, sha256]) => `${id}:${sha256}\n`);
  return sha256Hex(lines.toSorted((a, b) => (a < b ? -1 : Number(a > b))).join(''));
}

/** Facets stand between bars: a filter asks for the beginning of one, or for a word in it. */
function facetText(facets: readonly string[]): string {
  return facets.length === 0 ? '' : `|${facets.map((facet) => folded(facet).replaceAll('|', ' ')).join('|')}|`;
}

const MICRO = 1_000_000;
const MAX_SEARCH_TEXT_LENGTH = 1_000;

/** A row as a part holds it. */
export interface DatasetRow extends Stamp {
  readonly id: string;
  readonly sortAtMs: number;
  readonly untilMs: number;
  readonly kind: string;
  readonly authority: string;
  readonly facets: string;
  readonly reference: string;
  readonly searchText: string;
  readonly latMicro: number | null;
  readonly lonMicro: number | null;
  readonly sourceUrl: string;
  readonly item: DraftRow['item'];
  readonly sha256: string;
}

export function datasetRow(row: DraftRow, sha256: string, stamp: Stamp): DatasetRow {
  const { id, sortAtMs, untilMs = 0, kind = '', authority = '', facets = [], reference = '', text, lat, lon } = row;
  return {
    ...stamp,
    id,
    sortAtMs,
    untilMs,
    kind: folded(kind),
    authority,
    facets: facetText(facets),
    reference,
    searchText: folded(`${text} ${facets.join(' ')}`).slice(0, MAX_SEARCH_TEXT_LENGTH),
    latMicro: lat === undefined ? null : Math.round(lat * MICRO),
    lonMicro: lon === undefined ? null : Math.round(lon * MICRO),
    sourceUrl: row.sourceUrl,
    item: row.item,
    sha256,
  };
}
