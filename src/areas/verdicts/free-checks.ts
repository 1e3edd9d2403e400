import { refuseFields } from '#kernel/general-problems.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { isoTime } from '#kernel/clock.ts';
import { newCommandId, newId, newToken, sha256Hex } from '#kernel/ids.ts';
import { Refusal } from '#kernel/problem.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import type { SealDraft } from '#protocol/attestation/seal-entry.ts';
import { readVatNumber } from '#protocol/identifiers/vat-number.ts';
import { onlyOne } from '#platform/storage/head.ts';
import type { Store } from '#platform/storage/store.ts';
import type { VerdictDeps } from './asked-registers.ts';
import { checkCounterparty } from './counterparty-check.ts';
import type { VerdictQuestion } from './verdict.ts';
import { FREE_CHECK_RETENTION_MS, FREE_CHECKS_PER_DAY, freeCheckUnit } from './free-check-unit.ts';
import type { FreeCheck } from './sql.ts';
import { checkNotFound, freeChecksUsed } from './problems.ts';
import * as sql from './sql.ts';

export interface FreeChecksOptions extends VerdictDeps {
  readonly store: Store;
  readonly baseUrl: () => string;
}

interface Given {
  readonly kvk_number?: string | undefined;
  readonly vat_number?: string | undefined;
  readonly company_name?: string | undefined;
  readonly city?: string | undefined;
  readonly purpose?: string | undefined;
}

const IDENTIFIERS = ['kvk_number', 'vat_number', 'company_name'] as const;
const NOT_ASKED = { status: 'NOT_ASKED' } as const;
const IDENTIFIER_REQUIRED: VerdictQuestion = {
  code: 'IDENTIFIER_REQUIRED',
  section: null,
  text: 'Nothing was checked. Give kvk_number, vat_number or company_name.',
};

/** The unsigned short form of a counterparty check: free, counted by address, and recorded on demand. */
export class FreeChecks {
  readonly #options: FreeChecksOptions;

  constructor(options: FreeChecksOptions) {
    this.#options = options;
  }

  async check(given: Given, addressTag: string) {
    const { store, clock, sandbox } = this.#options;
    const vat = given.vat_number === undefined ? undefined : readVatNumber(given.vat_number);
    if (vat !== undefined && 'impossible' in vat) {
      return refuseFields([{ pointer: '#/vat_number', code: 'vat_format', detail: vat.impossible }]);
    }
    const { checks } = onlyOne(await store.read(sql.COUNT_FROM, [addressTag]));
    if (checks >= FREE_CHECKS_PER_DAY) return usedUp();
    const verdict = await this.#verdict(given);
    if (verdict instanceof Refusal) return verdict;
    const id = newId('chk_');
    const answer = {
      check_id: id,
      ...verdict,
      identified_by: IDENTIFIERS.find((name) => given[name] !== undefined) ?? null,
      signed: false as const,
      as_of: isoTime(clock.now()),
      ...(sandbox && { sandbox: true as const }),
    };
    const check = { id, addressTag, answer: canonicalJson(answer), purpose: given.purpose ?? null };
    const kept = await store.run(freeCheckUnit, { type: 'keep', check });
    return kept.type === 'used_up' ? usedUp() : answer;
  }

  /** Seals the digest of a kept answer; a second time it names the first seal. */
  async record(checkId: string) {
    const { store, clock, sandbox, baseUrl } = this.#options;
    const known = await this.find(checkId);
    if (known === undefined) return notFound();
    const result = await store.run(freeCheckUnit, { type: 'seal', id: checkId, draft: draftOf(known), sandbox });
    if (result.type !== 'sealed') return notFound();
    const { seal, again } = result;
    return {
      check_id: checkId,
      result_sha256: sha256Hex(known.answer),
      attestation_id: seal.attestationId,
      log_seq: seal.seq,
      sealed_at: isoTime(seal.atMs),
      verify_url: `${baseUrl()}/api/attest/verify/${seal.attestationId}`,
      already_recorded: again,
      as_of: isoTime(clock.now()),
      ...(sandbox && { sandbox: true as const }),
    };
  }

  async find(checkId: string): Promise<FreeCheck | undefined> {
    const { store, clock } = this.#options;
    const [check] = await store.read(sql.CHECK_OF_ID, [checkId]);
    return check !== undefined && clock.now() - check.atMs < FREE_CHECK_RETENTION_MS ? check : undefined;
  }

  async #verdict(given: Given) {
    const { clock } = this.#options;
    if (IDENTIFIERS.every((name) => given[name] === undefined)) {
      return {
        status: 'OPEN_QUESTIONS' as const,
        flags: [] as string[],
        open_questions: [IDENTIFIER_REQUIRED],
        registry: { ...NOT_ASKED, active_registration: null },
        vat: { ...NOT_ASKED, valid: null },
        sanctions: { ...NOT_ASKED, hit_count: null, list_loaded_at: null },
        insolvency: { ...NOT_ASKED, found: null },
        checked_at: isoTime(clock.now()),
        oldest_observation_at: null,
      };
    }
    const checked = await checkCounterparty(given, this.#options, { free: true });
    if (checked instanceof Refusal) return checked;
    const { status, flags, open_questions, registry, vat, sanctions, insolvency } = checked.result;
    const { checked_at, oldest_observation_at } = checked.result;
    const { hit_count, list_loaded_at } = sanctions;
    return {
      status,
      flags: flags as string[],
      open_questions,
      checked_at,
      oldest_observation_at,
      registry: { status: registry.status, active_registration: registry.active_registration },
      vat: { status: vat.status, valid: vat.valid },
      sanctions: { status: sanctions.status, hit_count, list_loaded_at },
      insolvency: { status: insolvency.status, found: insolvency.found },
    };
  }
}

/** In clear in the log: two digests, of which neither can be guessed, because both cover the id. */
function draftOf({ id, answer }: FreeCheck): SealDraft {
  const schema = schemaById('coordination.state.v1');
  if (schema === undefined) throw new Error('the schema of states is missing');
  const claim = {
    case_id: sha256Hex(id),
    from_state: 'submitted',
    to_state: 'completed',
    evidence: sha256Hex(answer),
  };
  const seed = newToken();
  const prepared = prepareSeal({ schema, claim, observations: [], seed: Buffer.from(seed, 'base64url') });
  return { prepared, claim, observations: [], seed, disclosure: 'public', nonce: newCommandId() };
}

function usedUp(): Refusal {
  const detail = `This address has used its ${FREE_CHECKS_PER_DAY} free checks for today. Try again tomorrow, or use the paid tool counterparty_check.`;
  return new Refusal(freeChecksUsed, { detail });
}

function notFound(): Refusal {
  return new Refusal(checkNotFound, { detail: 'No check with this id is kept. Run the check again.' });
}
