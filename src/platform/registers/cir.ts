import { randomBytes } from '#kernel/ids.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import type { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import { type Finding, registerFailure, type RegisterOutcome } from './outcome.ts';
import type { Asking, RegisterClient, RegisterSession } from './resilience/register-client.ts';
import { requireEcho, statusError } from './wire.ts';
import { allNamed, escapeXml, readXml, textOf, type XmlElement } from '#kernel/xml.ts';

export type InsolvencyState = 'ACTIVE' | 'UNDETERMINED' | 'ENDED';

export interface Insolvency {
  /** Of all cases together: one that runs wins, then one of which it cannot be said. */
  readonly state: InsolvencyState;
  readonly cases: number;
}

/** Found is not running: a case stays in the register for months after its end. */
const STATES: readonly InsolvencyState[] = ['ACTIVE', 'UNDETERMINED', 'ENDED'];
const MAX_CASES = 20;

const NAMESPACE = 'http://www.rechtspraak.nl/namespaces/cir01';
const WSA = 'http://schemas.xmlsoap.org/ws/2004/08/addressing';
const WSS = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-';

/** The two ways in which the service is called. */
const STYLES = {
  '1.1': {
    envelope: 'http://schemas.xmlsoap.org/soap/envelope/',
    contentType: 'text/xml; charset=utf-8',
    action: (operation: string) => `${NAMESPACE}/${operation}`,
  },
  '1.2': {
    envelope: 'http://www.w3.org/2003/05/soap-envelope',
    contentType: 'application/soap+xml; charset=utf-8',
    action: (operation: string) => `${NAMESPACE}/CIRSoap/${operation}Request`,
  },
} as const;
export type SoapStyle = keyof typeof STYLES;

export interface CirDeps {
  readonly host: ConfiguredHost;
  readonly url: string;
  readonly style: SoapStyle;
  readonly clock: Clock;
  readonly credentials: () => { username: string; password: string };
}

/** The Dutch central insolvency register, asked about undertakings only, by their number. */
export class Cir {
  readonly client: RegisterClient;
  readonly #parts: CirDeps;

  constructor(client: RegisterClient, parts: CirDeps) {
    this.client = client;
    this.#parts = parts;
  }

  undertaking(kvkNumber: string, asking: Asking = {}): Promise<RegisterOutcome<Insolvency>> {
    return this.client.ask({
      key: kvkNumber,
      ...asking,
      attempt: async (session): Promise<Finding<Insolvency>> => {
        const found = await this.#call(session, 'searchUndertaking', { commercialRegisterID: kvkNumber });
        const [list] = allNamed(found, 'publicatieLijst');
        if (list === undefined) throw registerFailure('MALFORMED_RESPONSE');
        const marks = [...new Set(allNamed(list, 'publicatieKenmerk').map(({ text }) => text.trim()))];
        if (marks.length === 0) return { kind: 'not_found' };
        if (marks.length > MAX_CASES) throw registerFailure('MALFORMED_RESPONSE');
        const states = await Promise.all(marks.map((mark) => this.#case(session, mark, kvkNumber)));
        const state = STATES.find((candidate) => states.includes(candidate)) as InsolvencyState;
        return { kind: 'answered', value: { state, cases: marks.length } };
      },
    });
  }

  async #case(session: RegisterSession, publicationNumber: string, kvkNumber: string): Promise<InsolvencyState> {
    const answer = await this.#call(session, 'getCase', { publicationNumber });
    const [insolvent] = allNamed(answer, 'insolvente');
    if (insolvent === undefined) throw registerFailure('MALFORMED_RESPONSE');
    requireEcho(textOf(insolvent, 'KvKNummer') ?? '', kvkNumber);
    return caseState(insolvent);
  }

  async #call(session: RegisterSession, operation: string, fields: Record<string, string>): Promise<XmlElement> {
    const { host, style } = this.#parts;
    const headers = { 'content-type': STYLES[style].contentType };
    const answer = await session.send(host, { method: 'POST', headers, body: this.#envelope(operation, fields) });
    const document = readXml(answer.body.toString('utf8'));
    const reason = document && faultText(document);
    if (reason !== undefined && /Security requirements|FailedAuthentication|InvalidSecurity/i.test(reason)) {
      throw registerFailure('AUTH_FAILED', 'config', 300);
    }
    if (reason !== undefined) throw registerFailure('SOAP_FAULT');
    if (answer.status !== 200) throw statusError(answer);
    const [refusal] = document === undefined ? [] : allNamed(document, 'exceptie');
    if (refusal !== undefined)
      throw registerFailure((refusal.attributes.get('errorcode') ?? '').slice(0, 20) || 'EXCEPTIE');
    const [result] = document === undefined ? [] : allNamed(document, `${operation}Result`);
    if (document?.name !== 'Envelope' || result === undefined) throw registerFailure('MALFORMED_RESPONSE');
    return result;
  }

  #envelope(operation: string, fields: Record<string, string>): string {
    const { url, style, clock, credentials } = this.#parts;
    const { username, password } = credentials();
    const nonce = Buffer.from(randomBytes(16)).toString('base64');
    const members = Object.entries(fields).map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`);
    return (
      `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="${STYLES[style].envelope}" xmlns:wsa="${WSA}">` +
      `<s:Header><wsa:Action>${STYLES[style].action(operation)}</wsa:Action><wsa:To>${escapeXml(url)}</wsa:To>` +
      `<wsse:Security xmlns:wsse="${WSS}wssecurity-secext-1.0.xsd" xmlns:wsu="${WSS}wssecurity-utility-1.0.xsd">` +
      `<wsse:UsernameToken><wsse:Username>${escapeXml(username)}</wsse:Username>` +
      `<wsse:Password Type="${WSS}username-token-profile-1.0#PasswordText">${escapeXml(password)}</wsse:Password>` +
      `<wsse:Nonce>${nonce}</wsse:Nonce><wsu:Created>${isoTime(clock.now())}</wsu:Created>` +
      `</wsse:UsernameToken></wsse:Security></s:Header>` +
      `<s:Body><${operation} xmlns="${NAMESPACE}">${members.join('')}</${operation}></s:Body></s:Envelope>`
    );
  }
}

/** The text of a fault in either style; undefined where the document holds none. */
function faultText(document: XmlElement): string | undefined {
  return allNamed(document, 'Fault')[0]?.text;
}

const ENDING = /einde|opheffing|vernietig/i;
const RULING = /uitspra(?:ak|ken)\b.*(?:faillissement|surs[eé]ance|schuldsanering)/i;
const BANKRUPTCY_RULING = '1300';

function publicationState(publication: XmlElement): InsolvencyState {
  const text = textOf(publication, 'publicatieOmschrijving') ?? '';
  if (ENDING.test(text)) return 'ENDED';
  const isRuling = RULING.test(text) || textOf(publication, 'publicatieSoortCode') === BANKRUPTCY_RULING;
  return isRuling ? 'ACTIVE' : 'UNDETERMINED';
}

/** The newest publication says whether a case runs; of several on one day the gravest counts. */
function caseState(insolvent: XmlElement): InsolvencyState {
  const publications = allNamed(insolvent, 'publicatie');
  const dateOf = (publication: XmlElement) => textOf(publication, 'publicatieDatum') ?? '';
  const newest = publications.map(dateOf).toSorted().at(-1);
  const states = publications.filter((publication) => dateOf(publication) === newest).map(publicationState);
  return STATES.find((candidate) => states.includes(candidate)) ?? 'UNDETERMINED';
}
