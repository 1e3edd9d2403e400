import { z } from 'zod';
import type { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { OutboundAnswer } from '#platform/outbound/exchange.ts';
import { comparableName } from '#protocol/identifiers/company.ts';
import { RegisterError, type RegisterOutcome, unavailable } from './outcome.ts';
import type { Asking, RegisterClient, RegisterSession } from './resilience/register-client.ts';
import { readJson, requireEcho, statusError, tryJson } from './wire.ts';

const text = z.string().max(300).optional();
const flag = z.boolean().optional();

const Profile = z.object({
  company_name: z.string(),
  company_number: z.string(),
  company_status: text,
  company_status_detail: text,
  type: text,
  date_of_creation: text,
  date_of_cessation: text,
  registered_office_address: z.record(z.string(), z.unknown()).optional(),
  registered_office_is_in_dispute: flag,
  undeliverable_registered_office_address: flag,
  sic_codes: z.array(z.string()).optional(),
  accounts: z
    .object({
      overdue: flag,
      next_due: text,
      next_accounts: z.object({ due_on: text, overdue: flag }).optional(),
    })
    .optional(),
  confirmation_statement: z.object({ overdue: flag, next_due: text }).optional(),
  has_insolvency_history: flag,
  links: z.object({ insolvency: text }).optional(),
});
export type UkCompany = z.output<typeof Profile>;

/** One company of exactly this name, and whether every hit of the search was compared with it; or how many hits there are. */
export type UkNameMatch =
  | { readonly companyNumber: string; readonly hits: number; readonly compared: number }
  | { readonly candidates: number };

const Hits = z.object({
  total_results: z.int().min(0),
  items: z.array(z.object({ title: z.string(), company_number: z.string() })),
});
const NotFound = z.object({ errors: z.array(z.object({ error: z.literal('company-profile-not-found') })).min(1) });

const WINDOW_SECONDS = 300;
/** The most that the register gives at once. */
const PAGE = 100;
/** The search is a loose one: common words find thousands of companies, the closest names first. */
const MAX_PAGES = 5;

export class CompaniesHouse {
  readonly client: RegisterClient;
  readonly #parts: { readonly host: ConfiguredHost; readonly apiKey: () => string; readonly nowMs: () => number };

  constructor(client: RegisterClient, parts: { host: ConfiguredHost; apiKey: () => string; nowMs: () => number }) {
    this.client = client;
    this.#parts = parts;
  }

  company(companyNumber: string, asking: Asking = {}): Promise<RegisterOutcome<UkCompany>> {
    return this.client.ask({
      key: `number ${companyNumber}`,
      ...asking,
      attempt: async (session) => {
        const answer = await this.#get(session, `/company/${companyNumber}`, {});
        const isUnknown = answer.status === 404 && tryJson(answer, NotFound) !== undefined;
        if (isUnknown) return { kind: 'not_found', registerCode: 'company-profile-not-found' };
        if (answer.status !== 200) throw statusError(answer);
        const value = readJson(answer, Profile);
        requireEcho(value.company_number, companyNumber);
        return { kind: 'answered', value };
      },
    });
  }

  /** Never the first hit: one company of exactly this name, or the number of candidates. */
  byName(name: string): Promise<RegisterOutcome<UkNameMatch>> {
    const asked = comparableName(name);
    return this.client.ask({
      key: `name ${asked}`,
      attempt: async (session) => {
        let page = await this.#hits(session, name, 0);
        const { total_results: hits } = page;
        if (hits === 0 && page.items.length === 0) return { kind: 'not_found' };
        const exact = new Set<string>();
        let compared = 0;
        for (let pages = 1; ; pages += 1) {
          for (const { title, company_number: number } of page.items)
            if (comparableName(title) === asked) exact.add(number);
          compared += page.items.length;
          // Only a name that one company has so far may have a second one on a later page.
          const mayHideAnother = exact.size === 1 && compared < hits && page.items.length > 0;
          if (!mayHideAnother || pages === MAX_PAGES) break;
          page = await this.#hits(session, name, compared);
        }
        const [companyNumber] = exact;
        const isOne = companyNumber !== undefined && exact.size === 1;
        return { kind: 'answered', value: isOne ? { companyNumber, hits, compared } : { candidates: hits } };
      },
    });
  }

  async #hits(session: RegisterSession, name: string, from: number): Promise<z.output<typeof Hits>> {
    const query = { q: name, items_per_page: String(PAGE), ...(from > 0 && { start_index: String(from) }) };
    const answer = await this.#get(session, '/search/companies', query);
    if (answer.status !== 200) throw statusError(answer);
    return readJson(answer, Hits);
  }

  /** Asking on after the limit of the window has been reached gets a caller banned. */
  async #get(session: RegisterSession, path: string, query: Record<string, string>): Promise<OutboundAnswer> {
    const { host, apiKey, nowMs } = this.#parts;
    const authorization = `Basic ${Buffer.from(`${apiKey()}:`).toString('base64')}`;
    const answer = await session.send(host, { path, query, headers: { authorization, accept: 'application/json' } });
    const isSpent = answer.header('x-ratelimit-remain') === '0';
    if (answer.status !== 429 && !isSpent) return answer;
    const resetMs = Number(answer.header('x-ratelimit-reset')) * 1_000 - nowMs();
    const waitMs = resetMs > 0 && resetMs <= WINDOW_SECONDS * 1_000 ? resetMs : WINDOW_SECONDS * 1_000;
    session.hold('THROTTLED', waitMs);
    if (answer.status !== 429) return answer;
    const outcome = unavailable('THROTTLED', 'throttled', Math.ceil(waitMs / 1_000));
    throw new RegisterError(outcome, { final: true, harmless: true });
  }
}
