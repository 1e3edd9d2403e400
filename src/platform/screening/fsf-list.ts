import { DAY_MS } from '#kernel/clock.ts';
import { XmlError, XmlReader } from '#kernel/xml.ts';

/** One name of a listed entity. A weak one counts only when it fits almost wholly. */
export interface ListedName {
  readonly name: string;
  readonly isWeak: boolean;
}

export interface ListedEntity {
  /** The EU reference number, else the logical id. */
  readonly id: string;
  readonly subjectType: 'person' | 'enterprise' | null;
  readonly programme: string | null;
  readonly country: string | null;
  readonly names: readonly ListedName[];
}

export interface SanctionsList {
  /** As the file says it, or null when it says nothing. */
  readonly generationDate: string | null;
  readonly entities: readonly ListedEntity[];
}

/** What decides whether a list may take the place of another. */
export interface ListSummary {
  readonly generationDate: string | null;
  readonly entityCount: number;
}

type ListRefusalCode =
  | 'not_well_formed'
  | 'not_a_list'
  | 'no_entities'
  | 'no_generation_date'
  | 'from_the_future'
  | 'older_than_in_use'
  | 'shrunken';

export interface ListRefusal {
  readonly ok: false;
  readonly code: ListRefusalCode;
  readonly detail: string;
}

interface Draft {
  logicalId: string;
  reference: string;
  subject: string;
  regulations: { programme: string; published: string }[];
  countries: Record<'citizenship' | 'address' | 'birthdate', string[]>;
  names: { name: string; isWeak: boolean }[];
}

const ENTITY = 'sanctionEntity';
const ROOT = 'export';
const SUBJECTS: ReadonlyMap<string, 'person' | 'enterprise'> = new Map([
  ['person', 'person'],
  ['P', 'person'],
  ['enterprise', 'enterprise'],
  ['E', 'enterprise'],
]);
const LOW_QUALITY = /low[\s-]+quality/i;

function newDraft(attributes: ReadonlyMap<string, string>): Draft {
  return {
    logicalId: attributes.get('logicalId') ?? '',
    reference: attributes.get('euReferenceNumber') ?? '',
    subject: '',
    regulations: [],
    countries: { citizenship: [], address: [], birthdate: [] },
    names: [],
  };
}

function wholeName(attributes: ReadonlyMap<string, string>): string {
  const whole = attributes.get('wholeName')?.trim() ?? '';
  if (whole !== '') return whole;
  const parts = ['firstName', 'middleName', 'lastName'].map((part) => attributes.get(part)?.trim() ?? '');
  return parts.filter((part) => part !== '').join(' ');
}

function entityOf(draft: Draft): ListedEntity {
  const { citizenship, address, birthdate } = draft.countries;
  // The first of the latest: a stable sort keeps the order of the file.
  const latest = draft.regulations.toSorted((a, b) =>
    a.published < b.published ? 1 : a.published > b.published ? -1 : 0,
  )[0];
  return {
    id: draft.reference === '' ? draft.logicalId : draft.reference,
    subjectType: SUBJECTS.get(draft.subject) ?? null,
    programme: latest?.programme ?? null,
    country: [...citizenship, ...address, ...birthdate][0] ?? null,
    names: draft.names,
  };
}

/** Collects the entities of the list from the events of its XML. */
class ListBuilder {
  readonly entities: ListedEntity[] = [];
  generationDate: string | null = null;
  #root: string | undefined;
  #draft: Draft | undefined;
  #path: string[] = [];
  #remark = '';

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#path.push(name);
    if (this.#root === undefined) {
      this.#root = name;
      if (name !== ROOT) throw new NotAList(name);
      this.generationDate = attributes.get('generationDate')?.trim() || null;
    } else if (name === ENTITY && this.#path.length === 2) this.#draft = newDraft(attributes);
    else if (this.#draft !== undefined && this.#path.length === 3) this.#child(this.#draft, name, attributes);
    this.#remark = '';
  }

  #child(draft: Draft, name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === 'nameAlias') {
      const whole = wholeName(attributes);
      if (whole !== '')
        draft.names.push({ name: whole, isWeak: attributes.get('strong')?.trim().toLowerCase() === 'false' });
    } else if (name === 'subjectType')
      draft.subject = attributes.get('code')?.trim() || attributes.get('classificationCode')?.trim() || '';
    else if (name === 'regulation') {
      const programme = attributes.get('programme')?.trim() ?? '';
      if (programme !== '') draft.regulations.push({ programme, published: attributes.get('publicationDate') ?? '' });
    } else if (name === 'citizenship' || name === 'address' || name === 'birthdate') {
      const country = attributes.get('countryIso2Code')?.trim() ?? '';
      if (/^[A-Z]{2}$/.test(country)) draft.countries[name].push(country);
    }
  }

  text(text: string): void {
    this.#remark += text;
  }

  close(): void {
    const name = this.#path.pop();
    const alias = this.#draft?.names.at(-1);
    const isAliasRemark = name === 'remark' && this.#path.at(-1) === 'nameAlias';
    if (isAliasRemark && alias !== undefined && LOW_QUALITY.test(this.#remark)) alias.isWeak = true;
    if (name === ENTITY && this.#path.length === 1 && this.#draft !== undefined) {
      if (this.#draft.names.length > 0) this.entities.push(entityOf(this.#draft));
      this.#draft = undefined;
    }
    this.#remark = '';
  }
}

class NotAList extends Error {}

/** Reads the XML of the EU list in chunks of bytes or text. Any way to cut it gives the same list. */
export async function readFsfList(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
): Promise<SanctionsList | ListRefusal> {
  const builder = new ListBuilder();
  const reader = new XmlReader(builder);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks)
      reader.write(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    reader.write(decoder.decode());
    reader.end();
  } catch (error) {
    if (error instanceof NotAList)
      return refused('not_a_list', `the root element is <${error.message}>, not <${ROOT}>`);
    if (error instanceof XmlError) return refused('not_well_formed', error.message);
    if (error instanceof TypeError) return refused('not_well_formed', 'the file is not UTF-8');
    throw error;
  }
  if (builder.entities.length === 0) return refused('no_entities', 'the file names nobody');
  return { generationDate: builder.generationDate, entities: builder.entities };
}

export function isListRefusal(list: SanctionsList | ListRefusal): list is ListRefusal {
  return 'ok' in list;
}

function refused(code: ListRefusalCode, detail: string): ListRefusal {
  return { ok: false, code, detail };
}

const KEPT_SHARE = 0.9;

/** Clocks may differ so much. */
const MAX_AHEAD_MS = DAY_MS;

/** Why a new list may not take the place of the one in use; undefined when it may. */
export function refusalToReplace(next: ListSummary, inUse: ListSummary | null, nowMs: number): ListRefusal | undefined {
  const generatedMs = Date.parse(next.generationDate ?? '');
  if (Number.isNaN(generatedMs)) return refused('no_generation_date', 'the file does not say when it was made');
  // It would hide its age, and no later list could take its place.
  if (generatedMs > nowMs + MAX_AHEAD_MS)
    return refused('from_the_future', `it says that it was made at ${next.generationDate}`);
  if (inUse === null) return undefined;
  if (generatedMs < Date.parse(inUse.generationDate ?? ''))
    return refused(
      'older_than_in_use',
      `it was made at ${next.generationDate}, the list in use at ${inUse.generationDate}`,
    );
  const [now, before] = [next.entityCount, inUse.entityCount];
  if (now < before * KEPT_SHARE) return refused('shrunken', `it names ${now} entities, the list in use ${before}`);
  return undefined;
}
