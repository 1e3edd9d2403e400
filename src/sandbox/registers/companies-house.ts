import { dayFrom, jsonAnswer, type Simulator, type SimulatorAnswer } from './simulator.ts';

type Profile = Readonly<Record<string, unknown>>;

const office = { premises: '1', address_line_1: 'Example Gardens', locality: 'London', postal_code: 'AA1 1AA' };

function clean(nowMs: number): Profile {
  const due = { next_due: dayFrom(nowMs, 200), overdue: false };
  return {
    company_name: 'LILA EXAMPLE COMPANY LIMITED',
    company_status: 'active',
    type: 'ltd',
    date_of_creation: '1999-02-27',
    registered_office_address: office,
    registered_office_is_in_dispute: false,
    undeliverable_registered_office_address: false,
    sic_codes: ['62012'],
    accounts: { ...due, next_accounts: { due_on: dayFrom(nowMs, 200), overdue: false } },
    confirmation_statement: due,
    has_insolvency_history: false,
    links: { self: '/company/sample' },
  };
}

const COMPANIES: Readonly<Record<string, (nowMs: number) => Profile>> = {
  '99999901': clean,
  '99999902': (now) => ({
    ...clean(now),
    company_name: 'LILA AND SAMPLE LTD',
    accounts: { next_due: dayFrom(now, -60), overdue: true },
    confirmation_statement: { next_due: dayFrom(now, -20), overdue: true },
    has_insolvency_history: true,
  }),
  '99999903': (now) => ({
    ...clean(now),
    company_name: 'DISSOLVED SAMPLE LIMITED',
    company_status: 'dissolved',
    date_of_cessation: dayFrom(now, -100),
  }),
  '99999904': (now) => ({
    ...clean(now),
    company_name: 'DISPUTED SAMPLE LIMITED',
    company_status_detail: 'active-proposal-to-strike-off',
    registered_office_is_in_dispute: true,
    undeliverable_registered_office_address: true,
  }),
  // The register leaves out what it does not hold.
  '99999905': () => ({ company_name: 'SPARSE SAMPLE LIMITED', company_status: 'active', type: 'ltd' }),
  RC999901: () => ({ company_name: 'THE SAMPLE SOCIETY', company_status: 'registered', type: 'royal-charter' }),
};

export const COMPANIES_HOUSE: Simulator = {
  answer({ path, query, header, nowMs, isMismatched }) {
    if (!/^Basic .+/.test(header('authorization') ?? '')) {
      return jsonAnswer(401, { error: 'Invalid Authorization', type: 'ch:service' });
    }
    const rate = { 'x-ratelimit-limit': '600', 'x-ratelimit-remain': '599', 'x-ratelimit-reset': resetAt(nowMs) };
    if (path === '/search/companies') return search(query, { nowMs, isMismatched, rate });
    const [, number = ''] = /^\/company\/([0-9A-Z]{8})$/.exec(path) ?? [];
    const profile = COMPANIES[number];
    if (profile === undefined) {
      return jsonAnswer(404, { errors: [{ error: 'company-profile-not-found', type: 'ch:service' }] }, rate);
    }
    return jsonAnswer(200, { ...profile(nowMs), company_number: isMismatched ? '00000000' : number }, rate);
  },
  throttle: ({ nowMs }) => jsonAnswer(429, {}, { 'x-ratelimit-remain': '0', 'x-ratelimit-reset': resetAt(nowMs) }),
};

function resetAt(nowMs: number): string {
  return String(Math.floor(nowMs / 1_000) + 120);
}

interface Searching {
  readonly nowMs: number;
  readonly isMismatched: boolean;
  readonly rate: Record<string, string>;
}

function search(query: URLSearchParams, { nowMs, isMismatched, rate }: Searching): SimulatorAnswer {
  const words = (query.get('q') ?? '').toUpperCase().split(/\s+/);
  const [from, size] = [Number(query.get('start_index') ?? 0), Number(query.get('items_per_page') ?? 20)];
  const hits = Object.entries(COMPANIES).flatMap(([company_number, profile]) => {
    const { company_name: title, company_status } = profile(nowMs);
    const isHit = words.some((word) => String(title).split(' ').includes(word));
    return isHit ? [{ title, company_number: isMismatched ? 1 : company_number, company_status }] : [];
  });
  return jsonAnswer(
    200,
    {
      kind: 'search#companies',
      total_results: hits.length,
      items_per_page: size,
      start_index: from,
      items: hits.slice(from, from + size),
    },
    rate,
  );
}
