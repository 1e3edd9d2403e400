import { z } from 'zod';
import { type Clock, MINUTE_MS } from '#kernel/clock.ts';
import type { ConfiguredHost } from '#platform/outbound/configured-host.ts';
import { registerFailure } from './outcome.ts';
import type { RegisterSession } from './resilience/register-client.ts';
import { readJson, statusError } from './wire.ts';

const Issued = z.object({ access_token: z.string().min(1).max(10_000), expires_in: z.number().positive() });
const RENEW_BEFORE_MS = 5 * MINUTE_MS;

interface TokenParts {
  readonly tokenHost: ConfiguredHost;
  readonly clock: Clock;
  readonly credentials: () => { clientId: string; clientSecret: string; scope: string };
}

/** The access token of a client-credentials grant: kept until shortly before its end, fetched once for all who wait. */
export class AccessToken {
  readonly #parts: TokenParts;
  #kept: { readonly token: string; readonly renewAtMs: number } | undefined;
  #underWay: Promise<string> | undefined;

  constructor(parts: TokenParts) {
    this.#parts = parts;
  }

  async current(session: RegisterSession): Promise<string> {
    const kept = this.#kept;
    if (kept !== undefined && this.#parts.clock.monotonicMs() < kept.renewAtMs) return kept.token;
    this.#underWay ??= this.#fetch(session).finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  /** Another token than the one that was refused; whoever comes second finds it there. */
  renewed(session: RegisterSession, refused: string): Promise<string> {
    if (this.#kept?.token === refused) this.#kept = undefined;
    return this.current(session);
  }

  async #fetch(session: RegisterSession): Promise<string> {
    const { tokenHost, clock, credentials } = this.#parts;
    const { clientId, clientSecret, scope } = credentials();
    const client = { client_id: clientId, client_secret: clientSecret };
    const form = { grant_type: 'client_credentials', ...client, ...(scope !== '' && { scope }) };
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    const body = new URLSearchParams(form).toString();
    const answer = await session.send(tokenHost, { method: 'POST', headers, body });
    if (answer.status === 400) throw registerFailure('AUTH_FAILED', 'config', 300);
    if (answer.status !== 200) throw statusError(answer);
    const { access_token: token, expires_in: seconds } = readJson(answer, Issued);
    this.#kept = { token, renewAtMs: clock.monotonicMs() + seconds * 1_000 - RENEW_BEFORE_MS };
    return token;
  }
}
