import { sha256Hex } from '#kernel/ids.ts';
import {
  type ClosedMandate,
  type Constraints,
  intersection,
  type OpenMandate,
  type Pisp,
  type Window,
} from '#protocol/ap2/payment-mandate.ts';
import { isBound, isSigned, type Presentation, readPresentation } from '#protocol/ap2/presentation.ts';
import { isSameValue } from '#protocol/ap2/token-json.ts';
import type { ImportedMandate } from './import.ts';

/** What a presentation says about one call, before the moment and the rows of the decision are known. */
export interface Ap2Evidence {
  readonly reference: string;
  /** Names of what this payment uses up. They are over what was signed: the signature and the disclosures have other forms. */
  readonly useKeys: readonly string[];
  readonly isSigned: boolean;
  readonly isBound: boolean;
  readonly isForCaller: boolean;
  readonly window: Window;
  readonly isWithinConstraints: boolean;
}

export interface Presented {
  readonly presentation: string;
  readonly aud: string;
  readonly nonce: string;
}

/** What the platform says of the payment. */
interface Asked {
  readonly amount: number;
  readonly currency: string;
  readonly counterparty: string | null;
  readonly payloadHash: string;
}

export function evidenceOf(
  { presentation, aud, nonce }: Presented,
  imported: ImportedMandate,
  asked: Asked,
): Ap2Evidence {
  const read = readPresentation(presentation, 'ap2.presentation');
  const { root, middle, last, closed } = read;
  const windows = [closed.window, ...middle.map(({ mandate }) => mandate.window)];
  return {
    reference: read.reference,
    useKeys: [last, ...middle.map(({ token }) => token)].map(({ signed }) => `closed ${sha256Hex(signed)}`),
    isSigned: isSigned(read, { user: imported.userJwk, agent: imported.agentJwk }),
    isBound: isBound(read) && sha256Hex(root.jwt) === imported.rootSha256,
    isForCaller: read.aud === aud && read.nonce === nonce,
    window: windows.reduce(intersection),
    isWithinConstraints: isAsAsked(closed, asked) && isWithin(read, imported),
  };
}

/** The closed mandate and the call speak of the same payment. */
function isAsAsked({ amount, currency, payeeId, transactionHex }: ClosedMandate, asked: Asked): boolean {
  const isSame = asked.amount === amount && asked.currency === currency;
  return isSame && asked.counterparty?.trim() === payeeId.trim() && asked.payloadHash === `sha256:${transactionHex}`;
}

export function isWithin({ closed, middle }: Presentation, imported: Limits): boolean {
  const delegations = middle.map(({ mandate }) => mandate);
  return keeps(closed, imported) && delegations.every((mandate) => isCountable(mandate) && keeps(closed, mandate));
}

/** A delegation is used once: what it may use several times, or up to a sum, is counted nowhere. */
function isCountable({ constraints }: OpenMandate): boolean {
  return constraints['payment.budget'] === undefined && constraints['payment.agent_recurrence'] === undefined;
}

type Limits = Pick<OpenMandate, 'constraints' | 'preset'>;

const KEEPS: readonly ((closed: ClosedMandate, constraints: Constraints) => boolean)[] = [
  ({ amount, currency }, { 'payment.amount_range': range }) =>
    range === undefined || (currency === range.currency && amount >= range.min && amount <= range.max),
  ({ payeeId }, { 'payment.allowed_payees': payees }) =>
    payees === undefined || payees.some((id) => id.trim() === payeeId.trim()),
  ({ instrumentId }, { 'payment.allowed_payment_instruments': ids }) => ids === undefined || ids.includes(instrumentId),
  ({ pisp }, { 'payment.allowed_pisps': pisps }) => pisps === undefined || pisps.some((one) => isSamePisp(one, pisp)),
  ({ execution }, { 'payment.execution_date': days }) =>
    days === undefined ||
    ((execution.fromMs ?? Number.POSITIVE_INFINITY) >= (days.fromMs ?? Number.NEGATIVE_INFINITY) &&
      (execution.untilMs ?? Number.NEGATIVE_INFINITY) <= (days.untilMs ?? Number.POSITIVE_INFINITY)),
];

function keeps(closed: ClosedMandate, { constraints, preset }: Limits): boolean {
  return KEEPS.every((one) => one(closed, constraints)) && isAsPreset(closed, preset);
}

function isSamePisp(allowed: Pisp, given: Partial<Pisp> | null): boolean {
  const names = ['legal_name', 'brand_name', 'domain_name'] as const;
  return given !== null && names.every((name) => allowed[name] === given[name]);
}

/** What the user has set, the agent may not change. A payee is who its id says. */
function isAsPreset({ members, payeeId }: ClosedMandate, preset: OpenMandate['preset']): boolean {
  return Object.entries(preset).every(([name, value]) => {
    if (name === 'payee') return (value as { id?: unknown } | null)?.id === payeeId;
    return Object.hasOwn(members, name) && isSameValue(value, members[name]);
  });
}
