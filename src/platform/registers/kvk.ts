import { z } from 'zod';
import { type Clock, dutchDay } from '#kernel/clock.ts';
import type { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { OutboundAnswer } from '#platform/outbound/exchange.ts';
import { comparableName } from '#protocol/identifiers/company.ts';
import { type Finding, RegisterError, registerFailure, type RegisterOutcome, unavailable } from './outcome.ts';
import type { Asking, RegisterClient, RegisterSession } from './resilience/register-client.ts';
import { readJson, requireEcho, statusError, tryJson } from './wire.ts';

export interface DutchCompany {
  readonly kvkNumber: string;
  /** Null where only the free search was asked, which does not say it of a company that it shows. */
  readonly active: boolean | null;
  /** For comparison in memory only: passing them on needs the register's leave. */
  readonly names: readonly string[];
}

/** What a search by name found: one company of exactly this name, or so many that none can be taken. */
export type KvkNameMatch = { readonly kvkNumber: string } | { readonly candidates: number };

const Fault = z.looseObject({ fout: z.array(z.looseObject({ code: z.string().max(20) })).min(1) });
const Found = z.looseObject({
  totaal: z.int().min(1),
  resultaten: z
    .array(z.looseObject({ kvkNummer: z.string(), naam: z.string().optional(), actief: z.string().optional() }))
    .min(1),
});
const Profile = z.looseObject({
  kvkNummer: z.string(),
  naam: z.string().optional(),
  statutaireNaam: z.string().optional(),
  handelsnamen: z.array(z.looseObject({ naam: z.string() })).optional(),
  materieleRegistratie: z.looseObject({
    datumEinde: z
      .string()
      .regex(/^\d{8}$/)
      .optional(),
  }),
});

const NOTHING_FOUND = 'IPD5200';
const PAGE = '100';
/** Of an example of the register. */
const PROBED_NUMBER = '69599084';

export class Kvk {
  readonly client: RegisterClient;
  readonly #parts: { readonly host: ConfiguredHost; readonly apiKey: () => string; readonly clock: Clock };

  constructor(client: RegisterClient, parts: { host: ConfiguredHost; apiKey: () => string; clock: Clock }) {
    this.client = client;
    this.#parts = parts;
  }

  /** `free` stops before the query that costs a fee. */
  company(kvkNumber: string, asking: Asking = {}): Promise<RegisterOutcome<DutchCompany>> {
    const { free = false } = asking;
    return this.client.ask({
      key: `${free ? 'free' : 'full'} ${kvkNumber}`,
      ...asking,
      attempt: async (session) => {
        const found = await this.#search(session, {
          kvkNummer: kvkNumber,
          inclusiefInactieveRegistraties: 'true',
          resultatenPerPagina: PAGE,
        });
        if (found === null) return { kind: 'not_found', registerCode: NOTHING_FOUND };
        for (const row of found.resultaten) requireEcho(row.kvkNummer, kvkNumber);
        const names = found.resultaten.flatMap(({ naam }) => naam ?? []);
        if (isWhole(found) && found.resultaten.every(({ actief }) => actief === 'Nee')) {
          return { kind: 'answered', value: { kvkNumber, active: false, names } };
        }
        if (free) return { kind: 'answered', value: { kvkNumber, active: null, names } };
        return this.#profile(session, kvkNumber);
      },
    });
  }

  /** Never the first hit: one company of exactly this name, or none. */
  byName(name: string, city?: string, asking: Asking = {}): Promise<RegisterOutcome<KvkNameMatch>> {
    return this.client.ask({
      key: JSON.stringify(['name', comparableName(name), city ?? null]),
      ...asking,
      attempt: async (session): Promise<Finding<KvkNameMatch>> => {
        const query = { naam: name, ...(city !== undefined && { plaats: city }), resultatenPerPagina: PAGE };
        const found = await this.#search(session, query);
        if (found === null) return { kind: 'not_found', registerCode: NOTHING_FOUND };
        const asked = comparableName(name);
        const equal = found.resultaten.filter(({ naam }) => naam !== undefined && comparableName(naam) === asked);
        const numbers = [...new Set(equal.map(({ kvkNummer }) => kvkNummer))];
        const [kvkNumber] = numbers;
        if (kvkNumber !== undefined && numbers.length === 1 && isWhole(found))
          return { kind: 'answered', value: { kvkNumber } };
        return { kind: 'answered', value: { candidates: found.totaal } };
      },
    });
  }

  /** Whether the free search answers, be it with a company or with none. */
  probe(): Promise<RegisterOutcome<unknown>> {
    return this.client.ask({
      key: 'probe',
      live: true,
      attempt: async (session) => {
        await this.#search(session, { kvkNummer: PROBED_NUMBER });
        return { kind: 'answered', value: null };
      },
    });
  }

  async #search(session: RegisterSession, query: Record<string, string>): Promise<z.output<typeof Found> | null> {
    const answer = await this.#get(session, '/v2/zoeken', query);
    if (answer.status === 200) return readJson(answer, Found);
    if (answer.status === 404 && codeOf(answer) === NOTHING_FOUND) return null;
    throw refusal(answer);
  }

  async #profile(session: RegisterSession, kvkNumber: string): Promise<Finding<DutchCompany>> {
    const answer = await this.#get(session, `/v1/basisprofielen/${kvkNumber}`, { geoData: 'false' });
    // The search has just shown the company.
    if (answer.status === 404 && codeOf(answer) !== undefined) {
      throw new RegisterError(unavailable('INCONSISTENT'), { final: true, harmless: true });
    }
    if (answer.status !== 200) throw refusal(answer);
    const profile = readJson(answer, Profile);
    requireEcho(profile.kvkNummer, kvkNumber);
    const end = profile.materieleRegistratie.datumEinde;
    const trade = (profile.handelsnamen ?? []).map(({ naam }) => naam);
    const names = [profile.naam, profile.statutaireNaam, ...trade].filter((name) => name !== undefined);
    return {
      kind: 'answered',
      value: { kvkNumber, active: end === undefined || end > dutchDay(this.#parts.clock.now()), names },
    };
  }

  #get(session: RegisterSession, path: string, query: Record<string, string>): Promise<OutboundAnswer> {
    const { host, apiKey } = this.#parts;
    return session.send(host, { path, query, headers: { apikey: apiKey(), accept: 'application/hal+json' } });
  }
}

function isWhole({ totaal, resultaten }: z.output<typeof Found>): boolean {
  return totaal <= resultaten.length;
}

function codeOf(answer: OutboundAnswer): string | undefined {
  return tryJson(answer, Fault)?.fout[0]?.code;
}

function refusal(answer: OutboundAnswer): RegisterError {
  const code = codeOf(answer);
  if (code === undefined || [401, 403, 429].includes(answer.status)) return statusError(answer);
  return answer.status === 400 ? registerFailure(code, 'invalid_input') : registerFailure(code);
}
