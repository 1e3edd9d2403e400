import { z } from 'zod';
import type { UkCompany } from '#platform/registers/companies-house.ts';
import type { NotFound, RegisterAnswer } from '#platform/registers/outcome.ts';
import {
  type Judged,
  OGL,
  origin,
  raisedFlags,
  seenOf,
  unknowns,
  verdictMembers,
  type VerdictQuestion,
} from './verdict.ts';

const UK_COMPANY_FLAGS = [
  ...(['NOT_ACTIVE', 'PROPOSED_STRIKE_OFF', 'ACCOUNTS_OVERDUE', 'CONFIRMATION_STATEMENT_OVERDUE'] as const),
  ...(['INSOLVENCY_HISTORY', 'OFFICE_DISPUTED', 'OFFICE_UNDELIVERABLE'] as const),
] as const;

const text = z.string().nullable();

export const UkCompanyResult = z.strictObject({
  status: z.enum(['NO_FLAGS', 'FLAGS_RAISED', 'OPEN_QUESTIONS', 'AMBIGUOUS_NAME', 'NOT_FOUND']),
  found: z.boolean(),
  name: text,
  company_number: text,
  company_status: text,
  company_status_detail: text,
  type: text,
  accounts_overdue: z.boolean().nullable(),
  has_insolvency_history: z.boolean().nullable(),
  incorporation_date: text,
  cessation_date: text,
  accounts_due: text,
  confirmation_statement_due: text,
  registered_office: z.record(z.string(), z.unknown()).nullable(),
  sic_codes: z.array(z.string()),
  candidate_count: z.int().nullable().meta({ description: 'Companies that the name search found.' }),
  flags: z.array(z.enum(UK_COMPANY_FLAGS)),
  ...verdictMembers,
  attribution: z.literal(OGL),
});

interface NameSearch {
  readonly hits: number;
  /** How many of the hits were compared with the name: all, or the closest. */
  readonly compared: number;
}

/** The one company that was found; no company at all; or a name that several or none have exactly. */
export type UkCompanyFacts =
  | { readonly company: RegisterAnswer<UkCompany>; readonly candidates: number | null; readonly search?: NameSearch }
  | { readonly none: NotFound }
  | { readonly ambiguous: RegisterAnswer<unknown>; readonly candidates: number };

const NOTHING = {
  name: null,
  company_number: null,
  company_status: null,
  company_status_detail: null,
  type: null,
  accounts_overdue: null,
  has_insolvency_history: null,
  incorporation_date: null,
  cessation_date: null,
  accounts_due: null,
  confirmation_statement_due: null,
  registered_office: null,
} as const;

const IN_BUSINESS: ReadonlySet<string> = new Set(['active', 'open', 'registered']);

export function judgeUkCompany(facts: UkCompanyFacts, judged: Judged): z.output<typeof UkCompanyResult> {
  const empty = { found: false, ...NOTHING, sic_codes: [], flags: [], attribution: OGL as typeof OGL };
  if ('none' in facts) {
    const from = origin([seenOf('companies_house', facts.none)], judged);
    return { ...empty, status: 'NOT_FOUND', candidate_count: null, open_questions: [], ...from };
  }
  if ('ambiguous' in facts) {
    const ask = {
      code: 'NAME_AMBIGUOUS',
      section: null,
      text: "No single company has exactly this name. Give the company's number.",
    };
    const from = origin([seenOf('companies_house', facts.ambiguous)], judged);
    return { ...empty, status: 'AMBIGUOUS_NAME', candidate_count: facts.candidates, open_questions: [ask], ...from };
  }
  const { company, candidates, search } = facts;
  return { ...judgeProfile(company, judged, searchQuestions(search)), candidate_count: candidates };
}

/** Another company of the same name may be among hits that nobody compared. */
function searchQuestions(search: NameSearch | undefined): VerdictQuestion[] {
  if (search === undefined || search.compared >= search.hits) return [];
  const { hits, compared } = search;
  const question = `The search found ${hits} companies. Only the closest ${compared} were compared with the name. Check the company number.`;
  return [{ code: 'NAME_SEARCH_CUT', section: null, text: question }];
}

function judgeProfile(
  answer: RegisterAnswer<UkCompany>,
  judged: Judged,
  searched: readonly VerdictQuestion[],
): z.output<typeof UkCompanyResult> {
  const { value: company } = answer;
  const { accounts, confirmation_statement: statement } = company;
  const accountsOverdue = accounts?.overdue ?? accounts?.next_accounts?.overdue ?? null;
  const statementOverdue = statement?.overdue ?? null;
  const insolvency = insolvencyHistory(company);
  const disputed = company.registered_office_is_in_dispute ?? null;
  const undeliverable = company.undeliverable_registered_office_address ?? null;
  const status = company.company_status ?? null;
  const flags = raisedFlags({
    NOT_ACTIVE: status !== null && !IN_BUSINESS.has(status),
    PROPOSED_STRIKE_OFF: company.company_status_detail === 'active-proposal-to-strike-off',
    ACCOUNTS_OVERDUE: accountsOverdue,
    CONFIRMATION_STATEMENT_OVERDUE: statementOverdue,
    INSOLVENCY_HISTORY: insolvency,
    OFFICE_DISPUTED: disputed,
    OFFICE_UNDELIVERABLE: undeliverable,
  });
  const unknown = unknowns({
    COMPANY_STATUS_UNKNOWN: status,
    ACCOUNTS_OVERDUE_UNKNOWN: accountsOverdue,
    CONFIRMATION_STATEMENT_OVERDUE_UNKNOWN: statementOverdue,
    INSOLVENCY_HISTORY_UNKNOWN: insolvency,
    OFFICE_DISPUTED_UNKNOWN: disputed,
    OFFICE_UNDELIVERABLE_UNKNOWN: undeliverable,
  });
  const questions = [...searched, ...unknown];
  return {
    status: flags.length > 0 ? 'FLAGS_RAISED' : questions.length > 0 ? 'OPEN_QUESTIONS' : 'NO_FLAGS',
    found: true,
    name: company.company_name,
    company_number: company.company_number,
    company_status: status,
    company_status_detail: company.company_status_detail ?? null,
    type: company.type ?? null,
    accounts_overdue: accountsOverdue,
    has_insolvency_history: insolvency,
    incorporation_date: company.date_of_creation ?? null,
    cessation_date: company.date_of_cessation ?? null,
    accounts_due: accounts?.next_due ?? accounts?.next_accounts?.due_on ?? null,
    confirmation_statement_due: statement?.next_due ?? null,
    registered_office: company.registered_office_address ?? null,
    sic_codes: company.sic_codes ?? [],
    candidate_count: null,
    flags,
    open_questions: questions,
    ...origin([seenOf('companies_house', answer)], judged),
    attribution: OGL,
  };
}

/** The boolean is being replaced by a link: true if either says so, false only if both do. */
function insolvencyHistory({ has_insolvency_history: said, links }: UkCompany): boolean | null {
  if (said === true || links?.insolvency !== undefined) return true;
  return said === false ? false : null;
}
