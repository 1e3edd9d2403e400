// Public lists in the formats of their publishers, when a directory with them is given: UN XML, OFAC CSV, labelled pairs.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedEntity, ListedName, SanctionsList } from '#platform/screening/fsf-list.ts';
import { XmlReader } from '#kernel/xml.ts';
import { readCsv } from '#kernel/csv.ts';

export interface LabelledPair {
  readonly left: string;
  readonly right: string;
  readonly isMatch: boolean;
  readonly group: string;
}

export function labelledPairs(directory: string): LabelledPair[] {
  const file = join(directory, 'namepairs', 'dev.csv');
  if (!existsSync(file)) return [];
  const [header = [], ...rows] = readCsv(readFileSync(file, 'utf8')).rows;
  const at = (row: readonly string[], column: string) => row[header.indexOf(column)] ?? '';
  return rows.map((row) => ({
    left: at(row, 'left'),
    right: at(row, 'right'),
    isMatch: at(row, 'is_match') === 'true',
    group: at(row, 'group'),
  }));
}

function unEntities(file: string): ListedEntity[] {
  const entities: ListedEntity[] = [];
  let path: string[] = [];
  let text = '';
  let fields: Record<string, string> = {};
  let names: ListedName[] = [];
  let quality = '';
  const reader = new XmlReader({
    open(name) {
      path = [...path, name];
      text = '';
    },
    text(part) {
      text += part;
    },
    close(name) {
      path = path.slice(0, -1);
      if (name === 'QUALITY') quality = text.trim();
      else if (name === 'ALIAS_NAME') {
        for (const alias of text.split(';'))
          if (alias.trim() !== '') names.push({ name: alias.trim(), isWeak: quality === 'Low' });
      } else if (name === 'INDIVIDUAL' || name === 'ENTITY') {
        const whole = ['FIRST', 'SECOND', 'THIRD', 'FOURTH']
          .map((part) => fields[`${part}_NAME`]?.trim() ?? '')
          .filter((part) => part !== '');
        names.unshift({ name: whole.join(' '), isWeak: false });
        entities.push({
          id: `UN.${fields['DATAID']}`,
          subjectType: name === 'ENTITY' ? 'enterprise' : 'person',
          programme: null,
          country: null,
          names,
        });
        fields = {};
        names = [];
      } else if (path.length === 3) fields[name] = text;
      text = '';
    },
  });
  reader.write(readFileSync(file, 'utf8'));
  reader.end();
  return entities;
}

const turned = (name: string) => name.replace(/^([^,]+), (.+)$/, '$2 $1');

function ofacEntities(directory: string): ListedEntity[] {
  const aliases = Map.groupBy(
    readCsv(readFileSync(join(directory, 'ofac_alt.csv'), 'utf8')).rows,
    (row) => row[0] as string,
  );
  return readCsv(readFileSync(join(directory, 'ofac_sdn.csv'), 'utf8')).rows.map((row): ListedEntity => {
    const [id = '', name = '', type = ''] = row;
    const isPerson = type.trim() === 'individual';
    const shown = (text: string) => (isPerson ? turned(text) : text);
    const weak = [...(row[11] ?? '').matchAll(/a\.k\.a\. '([^']+)'/g)].map((match) => match[1] as string);
    const names = [
      { name: shown(name), isWeak: false },
      ...(aliases.get(id) ?? []).map((alias) => ({ name: shown(alias[3] ?? ''), isWeak: false })),
      ...weak.map((alias) => ({ name: alias, isWeak: true })),
    ];
    return { id: `US.${id}`, subjectType: isPerson ? 'person' : 'enterprise', programme: null, country: null, names };
  });
}

/** The UN and OFAC lists as one, or undefined when the directory does not hold them. */
export function publicLists(directory: string): SanctionsList | undefined {
  const lists = join(directory, 'lists');
  if (!existsSync(join(lists, 'un_names.xml'))) return undefined;
  const entities = [...unEntities(join(lists, 'un_names.xml')), ...ofacEntities(lists)];
  return { generationDate: '2026-02-27T00:00:00.000Z', entities };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A list as the EU writes it, with as much around the names as there is in the real file. */
export function fsfXml({ generationDate, entities }: SanctionsList): string {
  const about = `<regulationSummary regulationType="regulation" publicationDate="2022-03-09" numberTitle="2022/396 (OJ L80)" publicationUrl="https://eur-lex.example/legal-content/EN/TXT/PDF/?uri=CELEX:32022R0396"/>`;
  const rows = entities.map(({ id, subjectType, names }, at) => {
    const aliases = names.map(
      ({ name, isWeak }, alias) =>
        `<nameAlias firstName="" middleName="" lastName="" wholeName="${escaped(name)}" function="" gender="M" title="" nameLanguage="" strong="${!isWeak}" regulationLanguage="en" logicalId="${at}${alias}">${about}</nameAlias>`,
    );
    const birth = `<birthdate circa="false" calendarType="GREGORIAN" city="" zipCode="" birthdate="1961-04-12" dayOfMonth="12" monthOfYear="4" year="1961" region="" place="" countryIso2Code="00" countryDescription="UNKNOWN" regulationLanguage="en" logicalId="${at}">${about}</birthdate>`;
    const paper = `<identification diplomatic="false" knownExpired="false" knownFalse="false" reportedLost="false" revokedByIssuer="false" issuedBy="" latinNumber="" nameOnDocument="" number="A${at}" region="" countryIso2Code="00" countryDescription="UNKNOWN" identificationTypeCode="passport" identificationTypeDescription="National passport" regulationLanguage="en" logicalId="${at}"><remark>(${'passport-National passport '.repeat(4)})</remark>${about}</identification>`;
    return `<sanctionEntity designationDetails="" unitedNationId="" euReferenceNumber="${escaped(id)}" logicalId="${at}"><remark>${'Listed on account of facts that the regulation names. '.repeat(2)}</remark><regulation regulationType="amendment" organisationType="commission" publicationDate="2022-03-09" entryIntoForceDate="2022-03-09" numberTitle="2022/396 (OJ L80)" programme="TEST" logicalId="${at}"><publicationUrl>https://eur-lex.example/${at}</publicationUrl></regulation><subjectType code="${subjectType}" classificationCode="P"/>${aliases.join('')}${birth}${paper}</sanctionEntity>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?><export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="${generationDate}" globalFileId="1">${rows.join('\n')}</export>`;
}
