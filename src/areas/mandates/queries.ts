import type { Clock } from '#kernel/clock.ts';
import { sameHash } from '#kernel/ids.ts';
import { type ListAsked, placeCells } from '#kernel/newest-first.ts';
import { Refusal } from '#kernel/problem.ts';
import type { z } from 'zod';
import type { RuleStanding } from '#platform/usage-rules/standing.ts';
import type { Store } from '#platform/storage/store.ts';
import { isHoldOver, NOTHING_BOOKED } from './booking.ts';
import { periodStart } from './handshake.ts';
import type { handshakeStatus, StatusInput } from './handshake-operations.ts';
import type { ViewInput, viewMandate } from './mandate-operations.ts';
import { hashOfControl, hashOfKey, mandateRefusal } from './refusals.ts';
import * as sql from './sql.ts';
import type { Mandate } from './state.ts';
import { ownStatus, privateMandate, publicMandate, publicStatus } from './views.ts';

type Status = z.output<typeof handshakeStatus.output>;
type View = z.output<typeof viewMandate.output>;

/** What a platform is told of its own breaches of the usage rules. */
export type PlatformStanding = (platformId: string) => Promise<RuleStanding>;

/** What is shown of mandates and handshakes, and to whom. */
export class MandateQueries {
  readonly #store: Pick<Store, 'read'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #standing: PlatformStanding;

  constructor(store: Pick<Store, 'read'>, clock: Pick<Clock, 'now'>, standing: PlatformStanding) {
    this.#store = store;
    this.#clock = clock;
    this.#standing = standing;
  }

  async status({ verify_ref: ref, api_key: apiKey }: StatusInput): Promise<Status | Refusal> {
    const caller = apiKey === undefined ? null : await this.#platformOf(apiKey);
    if (caller instanceof Refusal) return caller;
    const [verification] = await this.#store.read(sql.VERIFICATION_OF_REF, [ref]);
    if (verification === undefined) return mandateRefusal('verify_ref_not_found');
    const mandate = await this.#mandate(verification.mandateId);
    if (mandate === undefined) return mandateRefusal('verify_ref_not_found');
    const seals = await this.#store.read(sql.SEALS_OF_REF, [ref]);
    const shown = publicStatus(verification, mandate, seals, this.#clock.now());
    if (caller !== verification.platformId) return shown;
    const platform = await this.#standing(caller);
    return { ...shown, ...ownStatus(verification, seals), platform } as Status;
  }

  async mandate({ mandate_id: id, control_token: token, api_key: apiKey }: ViewInput): Promise<View | Refusal> {
    const control = token === undefined ? null : hashOfControl(token);
    if (control instanceof Refusal) return control;
    const caller = apiKey === undefined ? null : await this.#platformOf(apiKey);
    if (caller instanceof Refusal) return caller;
    const mandate = await this.#mandate(id);
    if (mandate?.erased !== null) return mandateRefusal('mandate_not_found');
    const nowMs = this.#clock.now();
    const shown = publicMandate(mandate, nowMs) as View;
    if (control !== null && !sameHash(control, mandate.controlHash)) return mandateRefusal('control_invalid');
    const isAllowed = caller !== null && mandate.terms.platforms?.includes(caller) !== false;
    if (control === null && !isAllowed) return shown;
    const holds = await this.#store.read(sql.OPEN_HOLDS, [id]);
    const open = holds.filter((hold) => !isHoldOver(hold, nowMs));
    const platformId = control === null ? (caller as string) : undefined;
    const period = await this.#period(mandate, nowMs);
    return {
      ...shown,
      ...(privateMandate(mandate, period, open, platformId) as View),
      ...(control !== null && { used_by: [...(await this.#store.read(sql.PLATFORMS_THAT_USED, [id]))] }),
    };
  }

  /** The public view of the newest mandates that name an agent. */
  async ofAgent(agentId: string, { before, limit }: Pick<ListAsked, 'before' | 'limit'>) {
    const mandates = await this.#store.read(sql.MANDATES_OF_AGENT, [agentId, ...placeCells(before), limit]);
    return mandates.map((mandate) => this.#named(mandate));
  }

  /** The public view of one, with the agent that it names. */
  async ofId(mandateId: string) {
    const mandate = await this.#mandate(mandateId);
    return mandate && this.#named(mandate);
  }

  #named(mandate: Mandate) {
    const { id, createdAtMs, body } = mandate;
    return { id, createdAtMs, agentId: body.agent_id, view: publicMandate(mandate, this.#clock.now()) };
  }

  /** The newest entry of the log about the mandate itself. */
  async entryOf(mandateId: string): Promise<string | undefined> {
    const mandate = await this.#mandate(mandateId);
    return mandate?.erased === null ? (mandate.revocation?.attestation_id ?? mandate.attestationId) : undefined;
  }

  async #mandate(id: string): Promise<Mandate | undefined> {
    return (await this.#store.read(sql.MANDATE_OF_ID, [id]))[0];
  }

  async #period({ id, terms }: Mandate, nowMs: number) {
    if (terms.period === null) return NOTHING_BOOKED;
    const [period] = await this.#store.read(sql.PERIOD_OF, [id, periodStart(terms.period.unit, nowMs)]);
    return period ?? NOTHING_BOOKED;
  }

  async #platformOf(apiKey: string): Promise<string | Refusal> {
    const hash = hashOfKey(apiKey);
    if (hash instanceof Refusal) return hash;
    return (await this.#store.read(sql.KEY_OF_HASH, [hash]))[0]?.platformId ?? mandateRefusal('key_invalid');
  }
}
