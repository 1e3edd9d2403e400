import { NewestMap } from '#kernel/newest-map.ts';
import type { z } from 'zod';
import { refuseFields } from '#kernel/general-problems.ts';
import { refuseSuspended } from '#kernel/api-key.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import type { Clock } from '#kernel/clock.ts';
import { type Id, newApiKey, newCommandId, newId, newToken, sha256Hex, tokenHash } from '#kernel/ids.ts';
import { Answer, type Call } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { UnsignedReceipt } from '#protocol/payment/receipt.ts';
import { statementDraft } from '#protocol/attestation/statement.ts';
import type { TextPolicy } from '#platform/usage-rules/text-policy.ts';
import type { Store } from '#platform/storage/store.ts';
import type { ReceiptSigner } from '#platform/payments/receipt-signer.ts';
import type { SealInput, sealOutcome, verifyAction, VerifyInput } from './handshake-operations.ts';
import type {
  approveAction,
  ApproveInput,
  createMandate,
  CreateMandateInput,
  RevokeInput,
  revokeMandate,
} from './mandate-operations.ts';
import type { NarrowInput, narrowMandate, VoidInput, voidPlatform } from './narrowing-operations.ts';
import type { addPlatformKey, registerPlatform, revokePlatformKey } from './platform-operations.ts';
import { Ap2Error } from '#protocol/ap2/ap2-error.ts';
import type { Ap2Roots } from '#protocol/ap2/trust.ts';
import { type Ap2Evidence, evidenceOf, type Presented } from './ap2/evidence.ts';
import { type Ap2Import, type ImportedMandate, principalOf, readImport, type SignatureFault } from './ap2/import.ts';
import { authorityOf, type Signing } from './authority.ts';
import {
  actionFaults,
  addressFaults,
  ap2Faults,
  bodyFaults,
  contactFaults,
  importFaults,
  verifyFaults,
} from './input-rules.ts';
import { isHoldOver } from './booking.ts';
import type { VerifyRequest } from './checks.ts';
import type { MandateBody } from './mandate-body.ts';
import * as problems from './problems.ts';
import { hashOfKey, mandateRefusal } from './refusals.ts';
import { isSignedBy, type SignedDeed } from './signatures.ts';
import * as sql from './sql.ts';
import type { CreateMandateCommand, Mandate, MandateAnswer, MandateCommand } from './state.ts';
import { mandateUnit } from './unit.ts';
import { erasablePart } from './views.ts';

export interface MandatesOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
  readonly receipts: Pick<ReceiptSigner, 'frame' | 'complete'>;
  /** The seed of an entry as it is shown; null once it is erased. */
  readonly seedOf: (attestationId: string) => Promise<string | null>;
  readonly rules: Pick<TextPolicy, 'ofName'>;
  /** Keyed hashes: of Idempotency-Keys in their scope, and what control tokens are made of. */
  readonly keyHash: (...parts: readonly string[]) => string;
  readonly controlSecret: (...parts: readonly string[]) => string;
  /** Where a suspended platform reaches the operator. */
  readonly contact: string;
  /** Signers of AP2 mandates that the operator trusts. */
  readonly ap2Roots: Ap2Roots;
}

/** Stands where other platforms have the tag of the address that they registered from. */
const SELF_PLATFORM = 'own';

type Out<O extends { output: z.ZodType }> = z.output<O['output']>;

/** What never changes of a mandate. */
interface MandateHint {
  readonly agentKey: string | null;
  readonly ap2: ImportedMandate | null;
}

interface CreatedFrom extends Pick<CreateMandateCommand, 'assurance' | 'ap2'> {
  readonly body: MandateBody;
  /** What the digest of the mandate is over. */
  readonly sent: object;
}

const CLOCK_MARGIN_MS = 5_000;
const UNGUESSABLE_KEY_CHARS = 16;
const VOID_PORTION = 200;
const MAX_HINTS = 10_000;

/** The budget authority: turns calls into commands and results into answers. It holds no money and moves none. */
export class Mandates {
  readonly #options: MandatesOptions;

  /** Of keys that were good once, their platforms; of mandates, what never changes. */
  readonly #platforms = new NewestMap<string, string>(MAX_HINTS);
  readonly #hints = new NewestMap<string, MandateHint>(MAX_HINTS);

  constructor(options: MandatesOptions) {
    this.#options = options;
  }

  async register(
    input: z.output<typeof registerPlatform.input>,
    call: Call,
  ): Promise<Answer<Out<typeof registerPlatform>> | Refusal> {
    const faults = [...addressFaults(input.mcp_url, this.#options.sandbox), ...contactFaults(input.contact)];
    if (faults.length > 0) return refuseFields(faults);
    const ruleRefusal = await this.#options.rules.ofName('name', input.name);
    if (ruleRefusal !== null) return ruleRefusal;
    const apiKey = newApiKey('amhk_');
    const platform = { id: newId('plt_'), name: input.name, mcpUrl: input.mcp_url, contact: input.contact };
    const result = await this.#run({
      type: 'register',
      platform: { ...platform, addressTag: call.addressTag },
      keyId: newId('key_'),
      keyHash: tokenHash(apiKey),
    });
    if (result instanceof Refusal) return result;
    const { platform_id, ...rest } = result.answer as Omit<Out<typeof registerPlatform>, 'api_key'>;
    return new Answer(201, { platform_id, api_key: apiKey, ...rest });
  }

  /** The platform of the installation itself, made with its key where there is none; its id stays when the key changes. */
  async ownPlatform({
    apiKey,
    name,
    contact,
  }: {
    apiKey: Id<'amhk_'>;
    name: string;
    contact: string;
  }): Promise<string> {
    const keyHash = tokenHash(apiKey);
    const known = await this.#platformOf(keyHash);
    if (known !== undefined) return known;
    const [before] = await this.#options.store.read(sql.PLATFORM_FROM, [SELF_PLATFORM]);
    const id = before?.id ?? newId('plt_');
    const platform = { id, name, mcpUrl: '', contact, addressTag: SELF_PLATFORM };
    await this.#run({ type: 'register', platform, keyId: newId('key_'), keyHash });
    return (await this.#platformOf(keyHash)) ?? id;
  }

  async addKey(apiKey: string | undefined): Promise<Answer<Out<typeof addPlatformKey>> | Refusal> {
    const keyHash = hashOfKey(apiKey);
    if (keyHash instanceof Refusal) return keyHash;
    const newKey = newApiKey('amhk_');
    const command = { type: 'add_key', keyHash, newKeyId: newId('key_'), newKeyHash: tokenHash(newKey) } as const;
    const result = await this.#run(command);
    if (result instanceof Refusal) return result;
    const { key_id, created_at } = result.answer as Omit<Out<typeof addPlatformKey>, 'api_key'>;
    return new Answer(201, { key_id, api_key: newKey, created_at });
  }

  async revokeKey(apiKey: string | undefined, keyId: string): Promise<Out<typeof revokePlatformKey> | Refusal> {
    const keyHash = hashOfKey(apiKey);
    if (keyHash instanceof Refusal) return keyHash;
    const result = await this.#run({ type: 'revoke_key', keyHash, keyId });
    return result instanceof Refusal ? result : (result.answer as Out<typeof revokePlatformKey>);
  }

  async create(input: CreateMandateInput, call: Call): Promise<Answer<Out<typeof createMandate>> | Refusal> {
    const { idempotency_key: key, ...given } = input;
    const read = given.ap2 === undefined ? this.#ownBody(given as MandateBody) : this.#imported(given, given.ap2);
    if (read instanceof Refusal) return read;
    const { keyHash } = this.#options;
    const id = newId('mnd_');
    const { body, sent, assurance, ap2 } = read;
    const bodyText = canonicalJson(sent);
    const sha256 = sha256Hex(bodyText);
    const { principal_pubkey: pubkey } = given;
    const scope = keyHash('mandate', placeOf(key ?? '', call), pubkey ?? '', key ?? '');
    const result = await this.#run({
      type: 'create',
      id,
      body,
      bodyText,
      sha256,
      assurance,
      controlHash: tokenHash(this.#controlToken(id)),
      nonceKey: pubkey === undefined ? null : `${pubkey} ${body.nonce}`,
      sandbox: this.#options.sandbox,
      draft: statementDraft(`amh.mandate.created sha256:${sha256}`),
      repeatable: key === undefined ? null : { keyHash: scope, bodySha256: sha256Hex(canonicalJson(given)) },
      ap2,
    });
    if (result instanceof Refusal) return result;
    const answer = result.answer as Omit<Out<typeof createMandate>, 'control_token'>;
    const made = result.replayed ? await this.#mandate(answer.mandate_id) : undefined;
    if (result.replayed && made === undefined) return mandateRefusal('creation_erased');
    // Whoever has seen an open mandate can import it again: that must not give away its control.
    const token = result.existed ? null : this.#shownControl(answer.mandate_id, made);
    const whole = made === undefined ? answer : { ...answer, ...erasablePart(made) };
    const { mandate_id, status, assurance: shownAssurance, mandate_sha256, nonce, ...rest } = whole;
    const shown = {
      mandate_id,
      status,
      assurance: shownAssurance,
      mandate_sha256,
      nonce,
      control_token: token,
      ...rest,
    } as Out<typeof createMandate>;
    return new Answer(result.existed ? 200 : 201, shown, undefined, result.replayed);
  }

  #ownBody(given: MandateBody): CreatedFrom | Refusal {
    const faults = bodyFaults(given, this.#options.clock.now());
    if (faults.length > 0) return refuseFields(faults);
    const { principal_signature: signature, ...unsigned } = given;
    const { principal_pubkey: pubkey } = given;
    if (pubkey !== undefined && signature !== undefined && !isSignedBy(pubkey, unsigned, signature)) {
      return new Refusal(problems.signatureInvalid, { detail: 'principal_signature does not match the body.' });
    }
    const body = { ...given, nonce: given.nonce ?? newCommandId() };
    return { body, sent: body, assurance: signature === undefined ? 'unsigned' : 'principal_signed', ap2: null };
  }

  #imported(given: Omit<CreateMandateInput, 'idempotency_key'>, ap2: Ap2Import): CreatedFrom | Refusal {
    const faults = importFaults(given);
    if (faults.length > 0) return refuseFields(faults);
    const { clock, ap2Roots } = this.#options;
    const read = ap2Read('open_payment_mandate', () => readImport(ap2, ap2Roots, clock.now()));
    if (read instanceof Refusal) return read;
    if (typeof read === 'string') return new Refusal(problems.signatureInvalid, { detail: SIGNATURE_FAULTS[read] });
    const { imported, openKeys, assurance } = read;
    const principal = given.principal ?? principalOf(imported);
    const sent = { ...given, principal, nonce: newCommandId() };
    const { ap2: _, ...own } = sent;
    return { body: { ...own, ...imported.fields }, sent, assurance, ap2: { imported, openKeys } };
  }

  async verify(input: VerifyInput): Promise<Answer<Out<typeof verifyAction>> | Refusal> {
    const keyHash = hashOfKey(input.api_key);
    if (keyHash instanceof Refusal) return keyHash;
    const { api_key: _, idempotency_key: headerKey, ...body } = input;
    const faults = verifyFaults(input);
    if (faults.length > 0) return refuseFields(faults);
    const platformId = await this.#hintOf(keyHash);
    if (platformId === undefined) return mandateRefusal('key_invalid');
    const key = headerKey ?? body.request_id;
    const request = {
      action: body.action,
      customAction: body.custom_action ?? null,
      amount: body.amount_cents,
      currency: body.currency,
      payloadHash: body.payload_hash,
      counterparty: body.counterparty ?? null,
      minAssurance: body.min_assurance,
    };
    const bodySha256 = sha256Hex(canonicalJson(body));
    const hint = await this.#hintOfMandate(body.mandate_id);
    const ap2 = evidenceFor(body.ap2 ?? null, hint, request);
    if (ap2 instanceof Refusal) return ap2;
    const result = await this.#run({
      type: 'verify',
      dueBeforeMs: this.#soon(),
      ref: newId('AMH-'),
      keyHash,
      mandateId: body.mandate_id,
      request,
      payloadKey: payloadKeyOf(body.mandate_id, body),
      isAgentSigned: isAgentSigned(body, platformId, hint?.agentKey ?? null),
      ap2,
      approvalRef: body.approval_ref ?? null,
      holdMs: body.hold_seconds * 1_000,
      repeatable: key === undefined ? null : { keyHash: this.#options.keyHash('verify', platformId, key), bodySha256 },
      ...this.#provable('amh_verify', bodySha256),
    });
    if (result instanceof Refusal) return result;
    const signed = this.#signed(result.answer) as Out<typeof verifyAction>;
    if (!result.replayed) return new Answer(200, signed);
    const seed = await this.#options.seedOf(signed.attestation_id);
    return new Answer(200, { ...signed, disclosure_seed: seed }, undefined, true);
  }

  async seal(
    input: SealInput,
    { tooSoon }: Pick<Call, 'tooSoon'> = {},
  ): Promise<Answer<Out<typeof sealOutcome>> | Refusal> {
    const keyHash = hashOfKey(input.api_key);
    if (keyHash instanceof Refusal) return keyHash;
    const { api_key: _, ...body } = input;
    // A rate limit must not make an honest seal a late one.
    if (tooSoon !== undefined && !(await this.#isHolding(keyHash, body.verify_ref))) return tooSoon;
    const bodySha256 = sha256Hex(canonicalJson(body));
    const result = await this.#run({
      type: 'seal',
      ref: body.verify_ref,
      keyHash,
      outcome: body.outcome,
      finalAmount: body.final_amount_cents ?? null,
      payloadHash: body.payload_hash ?? null,
      externalRef: body.external_ref ?? null,
      settlementRef: body.settlement_ref ?? null,
      evidence: body.evidence === undefined || body.evidence === null ? null : JSON.stringify(body.evidence),
      bodySha256,
      ...this.#provable('amh_seal', bodySha256),
    });
    if (result instanceof Refusal) return result;
    return new Answer(200, this.#signed(result.answer) as Out<typeof sealOutcome>, undefined, result.replayed);
  }

  async revoke(input: RevokeInput): Promise<Out<typeof revokeMandate> | Refusal> {
    const { mandate_id: mandateId, nonce, at } = input;
    const authority = await this.#principal(input, { op: 'revoke', mandate_id: mandateId, nonce, at });
    if (authority instanceof Refusal) return authority;
    const { mandate, ...by } = authority;
    const draft = statementDraft(`amh.mandate.revoked sha256:${mandate.sha256}`);
    const { sandbox } = this.#options;
    const result = await this.#run({ type: 'revoke', dueBeforeMs: this.#soon(), mandateId, ...by, sandbox, draft });
    return result instanceof Refusal ? result : (result.answer as Out<typeof revokeMandate>);
  }

  async approve(input: ApproveInput): Promise<Answer<Out<typeof approveAction>> | Refusal> {
    const faults = actionFaults(input);
    if (faults.length > 0) return refuseFields(faults);
    const { mandate_id: mandateId, action, amount_cents, currency, payload_hash, nonce, at } = input;
    const custom =
      input.custom_action === undefined || input.custom_action === null ? {} : { custom_action: input.custom_action };
    const asked = { mandate_id: mandateId, action, ...custom, amount_cents, currency, payload_hash };
    const authority = await this.#principal(input, { op: 'approve', ...asked, nonce, at });
    if (authority instanceof Refusal) return authority;
    const { mandate: _, ...by } = authority;
    const approval = {
      ref: newId('apr_'),
      mandateId,
      payloadKey: payloadKeyOf(mandateId, input),
      amount: amount_cents,
      currency,
    };
    const result = await this.#run({ type: 'approve', mandateId, ...by, approval });
    return result instanceof Refusal ? result : new Answer(201, result.answer as Out<typeof approveAction>);
  }

  async narrow(input: NarrowInput): Promise<Out<typeof narrowMandate> | Refusal> {
    const { mandate_id: mandateId, platforms, nonce, at } = input;
    const authority = await this.#principal(input, { op: 'narrow', mandate_id: mandateId, platforms, nonce, at });
    if (authority instanceof Refusal) return authority;
    const { mandate, ...by } = authority;
    const result = await this.#run({
      type: 'narrow',
      mandateId,
      ...by,
      platforms: [...new Set(platforms)].toSorted(),
      sandbox: this.#options.sandbox,
      draft: statementDraft(`amh.mandate.narrowed sha256:${mandate.sha256}`),
    });
    return result instanceof Refusal ? result : (result.answer as Out<typeof narrowMandate>);
  }

  /** A portion at a time, so that a platform with many uses holds nobody up. */
  async voidUses(input: VoidInput): Promise<Out<typeof voidPlatform> | Refusal> {
    const { mandate_id: mandateId, platform_id, nonce, at } = input;
    const authority = await this.#principal(input, { op: 'void', mandate_id: mandateId, platform_id, nonce, at });
    if (authority instanceof Refusal) return authority;
    const { mandate, ...by } = authority;
    const { store } = this.#options;
    const [own] = await store.read(sql.PLATFORM_FROM, [SELF_PLATFORM]);
    // Orders of this installation end by cancelling them.
    if (own?.id === platform_id) return mandateRefusal('platform_known');
    const found = await store.read(sql.USES_OF_PLATFORM, [mandateId, platform_id, VOID_PORTION + 1]);
    const result = await this.#run({
      type: 'void',
      mandateId,
      ...by,
      platformId: platform_id,
      refs: found.slice(0, VOID_PORTION).map(({ ref }) => ref),
      isMore: found.length > VOID_PORTION,
      sandbox: this.#options.sandbox,
      draft: statementDraft(`amh.mandate.voided sha256:${mandate.sha256}`),
    });
    return result instanceof Refusal ? result : (result.answer as Out<typeof voidPlatform>);
  }

  #provable(kind: 'amh_verify' | 'amh_seal', requestSha256: string) {
    const receiptId = newId('rcp_');
    const receipt = this.#options.receipts.frame({ type: 'avouch.amh-receipt.v1', kind, receiptId, requestSha256 });
    return { seed: newToken(), nonce: newCommandId(), receipt };
  }

  /** The stored answer has its receipt without the signature: it is signed when it is durable, each time the same. */
  #signed(answer: object): object {
    const { receipt } = answer as { readonly receipt: UnsignedReceipt };
    return { ...answer, receipt: this.#options.receipts.complete(receipt) };
  }

  /** Gives back holds that are over, in portions. */
  async sweep(): Promise<number> {
    const { store, clock } = this.#options;
    return (await store.run(mandateUnit, { type: 'sweep', dueBeforeMs: clock.now() })).removed;
  }

  /** The store's clock decides whether a hold is over; it may be ahead of this one, and the queue takes its time. */
  #soon(): number {
    return this.#options.clock.now() + CLOCK_MARGIN_MS;
  }

  async #run(command: Exclude<MandateCommand, { type: 'sweep' }>): Promise<MandateAnswer | Refusal> {
    const result = await this.#options.store.run(mandateUnit, command);
    switch (result.outcome) {
      case 'answered':
        return result;
      case 'refused':
        if (result.code === 'suspended') {
          return refuseSuspended('The operator suspended this platform.', this.#options.contact);
        }
        return mandateRefusal(result.code, result.retryAfterMs);
      case 'transition_invalid': {
        const { from, to, allowed } = result;
        const detail = `${to} is not allowed after ${from}.`;
        return new Refusal(problems.transitionInvalid, { detail, members: { from, to, allowed } });
      }
    }
  }

  /** The platform of a key; undefined for a key that is not good. */
  async platformOfKey(apiKey: string): Promise<string | undefined> {
    const keyHash = hashOfKey(apiKey);
    return keyHash instanceof Refusal ? undefined : this.#platformOf(keyHash);
  }

  /** Names a key that was good before, for counting its calls; undefined for any other. */
  tagOf(apiKey: unknown): string | undefined {
    const keyHash = typeof apiKey === 'string' ? tokenHash(apiKey) : '';
    return this.#platforms.get(keyHash) === undefined ? undefined : keyHash;
  }

  /** The platform of a key that was good before, by its tag. */
  platformOfTag(tag: string): string | undefined {
    return this.#platforms.get(tag);
  }

  async #platformOf(keyHash: string): Promise<string | undefined> {
    const platformId = (await this.#options.store.read(sql.KEY_OF_HASH, [keyHash]))[0]?.platformId;
    if (platformId === undefined) this.#platforms.delete(keyHash);
    else this.#platforms.set(keyHash, platformId);
    return platformId;
  }

  /** As `#platformOf`, without asking again: a key never changes its platform, and whether it is good yet is judged under the lock. */
  async #hintOf(keyHash: string): Promise<string | undefined> {
    return this.#platforms.get(keyHash) ?? (await this.#platformOf(keyHash));
  }

  /** Whether the platform of the key has this verification open. */
  async #isHolding(keyHash: string, ref: string): Promise<boolean> {
    const [verification] = await this.#options.store.read(sql.VERIFICATION_OF_REF, [ref]);
    const isOpen = verification?.state === 'verified' && !isHoldOver(verification, this.#options.clock.now());
    return isOpen && verification.platformId === (await this.#hintOf(keyHash));
  }

  /** A mandate's body never changes, so that what it says about signatures can be read before the lock. */
  async #hintOfMandate(mandateId: string): Promise<MandateHint | undefined> {
    const known = this.#hints.get(mandateId);
    if (known !== undefined) return known;
    const mandate = await this.#mandate(mandateId);
    if (mandate === undefined) return undefined;
    const hint = { agentKey: mandate.body.agent_pubkey ?? null, ap2: mandate.ap2 };
    // Imported mandates can be large, and are asked about seldom.
    if (mandate.ap2 === null) this.#hints.set(mandateId, hint);
    return hint;
  }

  async #mandate(id: string): Promise<Mandate | undefined> {
    const [mandate] = await this.#options.store.read(sql.MANDATE_OF_ID, [id]);
    return mandate?.erased === null ? mandate : undefined;
  }

  #principal(input: Signing, signed: SignedDeed) {
    const { clock } = this.#options;
    return authorityOf(input, signed, {
      nowMs: clock.now(),
      mandateOf: (id) => this.#mandate(id),
    });
  }

  /** Made of the mandate's id, so that a repeated call can show it again without its being kept. */
  #controlToken(mandateId: string): string {
    const bytes = Buffer.from(this.#options.controlSecret('control', mandateId), 'hex');
    return newApiKey('amhm_', () => bytes);
  }

  /** Null where the server secret was changed since it was `made`: the token of then cannot be made again. */
  #shownControl(mandateId: string, made: Mandate | undefined): string | null {
    const token = this.#controlToken(mandateId);
    return made === undefined || made.controlHash === tokenHash(token) ? token : null;
  }
}

/** A key that nobody can guess needs no address, whose tag is another one the next day. */
function placeOf(key: string, { addressTag }: Call): string {
  return key.length < UNGUESSABLE_KEY_CHARS ? addressTag : '';
}

/** True where the mandate names no key of the agent. */
function isAgentSigned(body: Omit<VerifyInput, 'api_key'>, platformId: string, agentKey: string | null): boolean {
  if (agentKey === null) return true;
  const { mandate_id, action, amount_cents, currency, payload_hash, custom_action, counterparty } = body;
  const asked = { mandate_id, platform_id: platformId, action, amount_cents, currency, payload_hash };
  const signed: SignedDeed = {
    op: 'verify',
    ...asked,
    ...(custom_action !== undefined && custom_action !== null && { custom_action }),
    ...(counterparty !== undefined && counterparty !== null && { counterparty }),
  };
  return isSignedBy(agentKey, signed, body.agent_signature ?? '');
}

const SIGNATURE_FAULTS: Readonly<Record<SignatureFault, string>> = {
  signature_invalid: 'The key does not fit the signature of open_payment_mandate.',
  key_missing: 'Send user_jwk: the signer of open_payment_mandate is not trusted here.',
};

/** What a reader of AP2 gives, or the field error that it threw. */
function ap2Read<T>(field: string, read: () => T): T | Refusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof Ap2Error) return refuseFields(ap2Faults(error.field ?? field, error));
    throw error;
  }
}

function evidenceFor(
  given: Presented | null,
  hint: MandateHint | undefined,
  request: VerifyRequest,
): Ap2Evidence | null | Refusal {
  // A mandate that does not exist is refused with the decision.
  if (given === null || hint === undefined) return null;
  const { ap2: imported } = hint;
  if (imported !== null) return ap2Read('presentation', () => evidenceOf(given, imported, request));
  return refuseFields([{ pointer: '#/ap2', code: 'not_allowed', detail: 'This mandate was not imported from AP2.' }]);
}

interface Payload {
  readonly action: string;
  readonly custom_action?: string | null | undefined;
  readonly payload_hash: string;
}

function payloadKeyOf(mandateId: string, { action, custom_action, payload_hash }: Payload): string {
  return [mandateId, action, custom_action ?? '', payload_hash].join(' ');
}
