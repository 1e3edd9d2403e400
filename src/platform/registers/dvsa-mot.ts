import { z } from 'zod';
import type { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import type { OutboundAnswer } from '#platform/outbound/exchange.ts';
import { type Clock, DAY_MS } from '#kernel/clock.ts';
import { AccessToken } from './access-token.ts';
import { RegisterError, registerFailure, type RegisterOutcome, unavailable } from './outcome.ts';
import type { Asking, RegisterClient, RegisterSession } from './resilience/register-client.ts';
import { readJson, requireEcho, statusError, tryJson } from './wire.ts';

const text = z.string().max(200).nullish();

const MotTest = z.object({
  completedDate: z.iso.datetime({ offset: true }),
  testResult: z.enum(['PASSED', 'FAILED']),
  expiryDate: text,
  odometerValue: text,
  odometerUnit: text,
  odometerResultType: text,
  defects: z.array(z.looseObject({})).nullish(),
});
const Vehicle = z.object({
  registration: z.string(),
  make: text,
  model: text,
  fuelType: text,
  firstUsedDate: text,
  motTestDueDate: text,
  hasOutstandingRecall: text,
  motTests: z.array(MotTest).nullish(),
});
export type MotVehicle = z.output<typeof Vehicle>;

const Fault = z.object({ errorCode: z.string().regex(/^MOTH-[A-Z]{2}-\d{2}$/) });

const EXPIRED_TOKEN = 'MOTH-FB-02';
const URL_NOT_FOUND = 'MOTH-NF-02';
const BAD_PLATE = 'MOTH-IV-03';
const DAILY_QUOTA = 'MOTH-RL-01';
const TOO_FAST = 'MOTH-RL-02';
const TOO_FAST_SECONDS = 180;

export interface MotDeps {
  readonly host: ConfiguredHost;
  readonly tokenHost: ConfiguredHost;
  readonly clock: Clock;
  readonly credentials: () => { clientId: string; clientSecret: string; apiKey: string; scope: string };
}

export class DvsaMot {
  readonly client: RegisterClient;
  readonly #parts: MotDeps;
  readonly #token: AccessToken;

  constructor(client: RegisterClient, parts: MotDeps) {
    this.client = client;
    this.#parts = parts;
    this.#token = new AccessToken(parts);
  }

  vehicle(plate: string, asking: Asking = {}): Promise<RegisterOutcome<MotVehicle>> {
    return this.client.ask({
      key: plate,
      ...asking,
      attempt: async (session) => {
        const answer = await this.#get(session, plate);
        const code = tryJson(answer, Fault)?.errorCode;
        if (answer.status === 404 && code !== undefined && code !== URL_NOT_FOUND) {
          return { kind: 'not_found', registerCode: code };
        }
        if (answer.status !== 200) throw this.#refusal(answer, code, session);
        const value = readJson(answer, Vehicle);
        requireEcho(value.registration.replaceAll(' ', '').toUpperCase(), plate);
        return { kind: 'answered', value };
      },
    });
  }

  /** A token that the register no longer takes is renewed once. */
  async #get(session: RegisterSession, plate: string): Promise<OutboundAnswer> {
    const send = async (token: string) =>
      session.send(this.#parts.host, {
        path: `/v1/trade/vehicles/registration/${encodeURIComponent(plate)}`,
        headers: {
          authorization: `Bearer ${token}`,
          'x-api-key': this.#parts.credentials().apiKey,
          accept: 'application/json',
        },
      });
    const token = await this.#token.current(session);
    const answer = await send(token);
    const isStale = answer.status === 401 || tryJson(answer, Fault)?.errorCode === EXPIRED_TOKEN;
    return isStale ? send(await this.#token.renewed(session, token)) : answer;
  }

  #refusal(answer: OutboundAnswer, code: string | undefined, session: RegisterSession): RegisterError {
    if (code === DAILY_QUOTA) {
      const untilMidnightMs = DAY_MS - (this.#parts.clock.now() % DAY_MS);
      session.hold('DAILY_QUOTA', untilMidnightMs);
      return throttled('DAILY_QUOTA', untilMidnightMs / 1_000);
    }
    if (code === TOO_FAST) {
      session.hold(TOO_FAST, TOO_FAST_SECONDS * 1_000);
      return throttled(TOO_FAST, TOO_FAST_SECONDS);
    }
    if (code === BAD_PLATE) return registerFailure(code, 'invalid_input');
    if (code === undefined) return statusError(answer);
    const isOurs = code === URL_NOT_FOUND || /^MOTH-(?:FB|UA)-/.test(code);
    return isOurs ? registerFailure(code, 'config', 300) : registerFailure(code);
  }
}

function throttled(code: string, seconds: number): RegisterError {
  return new RegisterError(unavailable(code, 'throttled', Math.ceil(seconds)), { final: true, harmless: true });
}
