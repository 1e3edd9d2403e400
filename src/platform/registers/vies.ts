import { z } from 'zod';
import type { VatNumber } from '#protocol/identifiers/vat-number.ts';
import type { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import { type RegisterError, registerFailure, type RegisterOutcome, type UnavailableClass } from './outcome.ts';
import type { Asking, RegisterClient, RegisterSession } from './resilience/register-client.ts';
import { requireEcho, statusError, tryJson } from './wire.ts';

export interface VatAnswer {
  readonly valid: boolean;
  readonly name: string | null;
  readonly address: string | null;
  /** Evidence of the check, issued where the operator's own number is configured. */
  readonly consultationNumber: string | null;
  /** A "not valid" soon after an outage of the member state was asked twice. */
  readonly secondLook: boolean;
}

type AskedNumber = Pick<VatNumber, 'countryCode' | 'number'>;

const Refused = z.looseObject({
  actionSucceed: z.literal(false),
  errorWrappers: z.array(z.looseObject({ error: z.string().max(80) })).min(1),
});
const Checked = z.looseObject({
  countryCode: z.string(),
  vatNumber: z.string(),
  valid: z.boolean(),
  requestIdentifier: z.string().nullish(),
  name: z.string().nullish(),
  address: z.string().nullish(),
});

const States = z.looseObject({ countries: z.array(z.looseObject({ countryCode: z.string() })).min(1) });

/** Codes that are not an outage; every other one, known or not, is. */
const CODE_CLASSES: ReadonlyMap<string, UnavailableClass> = new Map([
  ['INVALID_INPUT', 'invalid_input'],
  ['INVALID_REQUESTER_INFO', 'config'],
  ['VAT_BLOCKED', 'config'],
  ['IP_BLOCKED', 'config'],
  ['GLOBAL_MAX_CONCURRENT_REQ', 'throttled'],
  ['GLOBAL_MAX_CONCURRENT_REQ_TIME', 'throttled'],
  ['MS_MAX_CONCURRENT_REQ', 'throttled'],
  ['MS_MAX_CONCURRENT_REQ_TIME', 'throttled'],
]);
const THROTTLED_SECONDS = 60;

const SECOND_LOOK_MS = 600_000;
const INVALID_FRESH_MS = 120_000;
const VALID_FRESH_MS = 600_000;

export class Vies {
  readonly client: RegisterClient;
  readonly #host: ConfiguredHost;
  readonly #requester: AskedNumber | null;

  constructor(parts: { client: RegisterClient; host: ConfiguredHost; requester: AskedNumber | null }) {
    this.client = parts.client;
    this.#host = parts.host;
    this.#requester = parts.requester;
  }

  check(asked: AskedNumber, asking: Asking = {}): Promise<RegisterOutcome<VatAnswer>> {
    return this.client.ask({
      lane: asked.countryCode, // one member state out of order leaves the others alone
      key: asked.countryCode + asked.number,
      ...asking,
      freshMs: ({ valid }) => (valid ? VALID_FRESH_MS : INVALID_FRESH_MS),
      attempt: async (session) => {
        const needsSecondLook = session.failedWithin(SECOND_LOOK_MS);
        const first = await this.#look(asked, session);
        if (first.valid || !needsSecondLook) return { kind: 'answered', value: { ...first, secondLook: false } };
        return { kind: 'answered', value: { ...(await this.#look(asked, session)), secondLook: true } };
      },
    });
  }

  /** Whether the service itself is there, by its own page of states; no number is asked about. */
  probe(): Promise<RegisterOutcome<unknown>> {
    return this.client.ask({
      key: 'probe',
      live: true,
      attempt: async (session) => {
        const answer = await session.send(this.#host, {
          path: '/check-status',
          headers: { accept: 'application/json' },
        });
        if (tryJson(answer, States) === undefined) throw statusError(answer);
        return { kind: 'answered', value: null };
      },
    });
  }

  async #look(asked: AskedNumber, session: RegisterSession): Promise<Omit<VatAnswer, 'secondLook'>> {
    const requester = this.#requester;
    const body = JSON.stringify({
      countryCode: asked.countryCode,
      vatNumber: asked.number,
      ...(requester !== null && {
        requesterMemberStateCode: requester.countryCode,
        requesterNumber: requester.number,
      }),
    });
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await session.send(this.#host, { method: 'POST', path: '/check-vat-number', headers, body });
    // The body decides: errors come with any status, 200 among them.
    const code = tryJson(answer, Refused)?.errorWrappers[0]?.error;
    if (code !== undefined) throw codeFault(code);
    const checked = tryJson(answer, Checked);
    if (checked === undefined) throw statusError(answer);
    requireEcho(checked.countryCode + checked.vatNumber, asked.countryCode + asked.number);
    return {
      valid: checked.valid,
      name: disclosed(checked.name),
      address: disclosed(checked.address),
      consultationNumber: disclosed(checked.requestIdentifier),
    };
  }
}

function codeFault(code: string): RegisterError {
  const failure = CODE_CLASSES.get(code) ?? 'unavailable';
  return registerFailure(code, failure, failure === 'throttled' ? THROTTLED_SECONDS : 30);
}

/** What a member state keeps to itself is written as dashes. */
function disclosed(text: string | null | undefined): string | null {
  const trimmed = (text ?? '').trim();
  return trimmed === '' || trimmed === '---' ? null : trimmed;
}
