// What people read for a component, a register, a data set or a versioned part, and what its trouble means for callers.
import { asPhrase } from '#web/labels.ts';

interface Named {
  readonly name: string;
  /** What callers notice while it is down. */
  readonly whenDown?: string;
}

const NAMES: Readonly<Record<string, Named>> = {
  http: { name: 'HTTP API' },
  storage: { name: 'Database', whenDown: 'Calls that write get 503. Nothing is lost.' },
  signer: { name: 'Signing keys' },
  log: { name: 'Public log', whenDown: 'New entries are still accepted.' },
  audit_trail: { name: 'Audit trail' },
  witnesses: { name: 'Witnesses' },
  wallet: { name: 'Wallet ledger', whenDown: 'Calls paid from a wallet get 503. Balances stay readable.' },
  payment: { name: 'Payments' },
  settlement: { name: 'Settlement', whenDown: 'Paid calls get 503, nothing is charged.' },
  mail: { name: 'Email', whenDown: 'Sign-in emails may be late.' },
  mcp: { name: 'MCP server', whenDown: 'MCP calls may fail. HTTP calls still work.' },
  search: { name: 'Search', whenDown: 'Search and questions may fail.' },
  vies: { name: 'EU VAT numbers (VIES)' },
  kvk: { name: 'Dutch trade register (KvK)' },
  cir: { name: 'Dutch insolvency register (CIR)' },
  rdw: { name: 'Dutch vehicle register (RDW)' },
  companies_house: { name: 'UK Companies House' },
  dvsa_mot: { name: 'UK MOT history (DVSA)' },
  eu_fsf: { name: 'EU sanctions list (FSF)' },
  permits: { name: 'Building permits' },
  leadtimes: { name: 'Lead times' },
  tenders: { name: 'Tenders' },
  laws: { name: 'Laws' },
  economy: { name: 'Economic figures' },
  zones: { name: 'Zones' },
  natura: { name: 'Natura 2000 areas' },
  events: { name: 'Events' },
  openapi: { name: 'OpenAPI' },
  paid_and_crossing: { name: 'Paid calls and coordination' },
  brief: { name: 'Briefs' },
  canon: { name: 'Canonical form' },
  x402: { name: 'x402' },
};

export const REGISTER_WHEN_DOWN = 'Checks that need it get 503, nothing is charged.';

export function nameOf(id: string): string {
  return NAMES[id]?.name ?? asPhrase(id);
}

export function whenDown(id: string): string | undefined {
  return NAMES[id]?.whenDown;
}
