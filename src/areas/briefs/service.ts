import type { z } from 'zod';
import { refuseFields } from '#kernel/general-problems.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { idForm, newId, newToken, tokenHash } from '#kernel/ids.ts';
import { shownIdentity } from '#kernel/identity.ts';
import { Answer, type Call } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { canonicalKey } from '#protocol/work-key.ts';
import { PUBLISHED_RULES } from '#platform/usage-rules/hard-rules.ts';
import { refuseTexts, type TextPolicy } from '#platform/usage-rules/text-policy.ts';
import { softRuleOf } from '#platform/usage-rules/soft-rules.ts';
import type { Store } from '#platform/storage/store.ts';
import { type Brief, type BriefId, cardOf, goneAtMs, stateOf } from './brief.ts';
import { amountOf, type BriefCard, CARD_FIELDS } from './card.ts';
import { clarityOf } from './clarity.ts';
import type { BriefCommand, BriefResult } from './decide.ts';
import type { BriefInput, CheckInput, LintInput } from './inputs.ts';
import { askingLanguage, languageOf } from './lint/language.ts';
import { lintAnswer } from './lint/lint.ts';
import type { BriefAnswer, BriefProtocol, CheckAnswer, LintAnswer, OpenedBrief } from './outputs.ts';
import type { BriefOfKey } from './port.ts';
import * as problems from './problems.ts';
import { BRIEF_PROTOCOL_DOCUMENT } from './protocol-document.ts';
import * as sql from './sql.ts';
import { type BriefUnit, briefUnit, type HolderRead } from './unit.ts';

const BRIEF_ID = idForm('brf_');

type Light = z.output<typeof OpenedBrief>['light'];

export interface BriefsOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly baseUrl: () => string;
  readonly holders: HolderRead;
  /** What the crossing shows of a key; without it a brief shows no light. */
  readonly lightOf?: (key: string, slots: number) => Promise<Light>;
  readonly rules: TextPolicy;
}

const PUBLISHED = { maxAgeSeconds: 300 };
const KEY_FAULTS = {
  key_empty: 'Must not be empty after cleaning.',
  key_too_long: 'Use at most 512 characters, counted after normalisation.',
} as const;

/** Task cards: judges them, keeps them for agents and lets their principals change them. */
export class Briefs {
  readonly #options: BriefsOptions;
  readonly #unit: BriefUnit;

  constructor(options: BriefsOptions) {
    this.#options = options;
    this.#unit = briefUnit(options.holders);
  }

  async brief(
    input: BriefInput,
    { identity }: Pick<Call, 'identity'>,
  ): Promise<Answer<z.output<typeof BriefProtocol>> | z.output<typeof BriefAnswer> | Refusal> {
    const { accept_language: _language, ...given } = input;
    if (Object.values(given).every((value) => value === undefined || value === '')) {
      return new Answer(200, BRIEF_PROTOCOL_DOCUMENT, PUBLISHED);
    }
    const ruleRefusal = await refuseTexts(this.#options.rules, textsOf(input), PUBLISHED_RULES);
    if (ruleRefusal !== null) return ruleRefusal;
    const answer = await (input.brief === undefined ? this.#make(input) : this.#change(input, input.brief as BriefId));
    return answer instanceof Refusal ? answer : { ...answer, ...shownIdentity(identity) };
  }

  check(input: CheckInput): z.output<typeof CheckAnswer> {
    return { ...this.#clarity(cardOf(input), this.#options.clock.now(), input.accept_language), stored: false };
  }

  lint({ text, accept_language: language }: LintInput): z.output<typeof LintAnswer> {
    return lintAnswer(text, language);
  }

  async open(id: string, acceptLanguage: string | undefined): Promise<z.output<typeof OpenedBrief> | Refusal> {
    const brief = await this.#stored(id);
    const nowMs = this.#options.clock.now();
    if (brief === undefined || goneAtMs(brief) <= nowMs) return unknownBrief();
    const texts = CARD_FIELDS.map((field) => [field, brief.card[field] ?? null] as const);
    return {
      source: 'agent',
      ...this.#clarity(brief.card, nowMs, acceptLanguage),
      ...this.#shown(brief, nowMs),
      card: { source: 'agent', ...Object.fromEntries(texts) },
      light: (await this.#options.lightOf?.(brief.key, brief.slots)) ?? null,
      made_at: isoTime(brief.madeAtMs),
      changed_at: isoTime(brief.changedAtMs),
      closed_at: brief.closedAtMs === null ? null : isoTime(brief.closedAtMs),
      at: isoTime(nowMs),
      ...softOf(brief),
    };
  }

  /** The brief that stands for a key: an open one before others, then the one with most slots, then the oldest. */
  async briefOf(key: string): Promise<BriefOfKey | null> {
    const nowMs = this.#options.clock.now();
    const named = await this.#options.store.read(sql.BRIEFS_OF_KEY, [key]);
    const rank = (brief: Brief) => (stateOf(brief, nowMs) === 'open' ? 0 : 1);
    const [first] = named
      .filter((brief) => goneAtMs(brief) > nowMs)
      .toSorted((a, b) => rank(a) - rank(b) || b.slots - a.slots || a.madeAtMs - b.madeAtMs || (a.id < b.id ? -1 : 1));
    if (first === undefined) return null;
    const { brief, link, slots, state } = this.#shown(first, nowMs);
    return {
      brief,
      link,
      clarity: clarityOf(first.card, nowMs, 'en').clarity,
      slots,
      state,
      rewardUsd: amountOf(first.card.reward_usd),
      untrustedGoal: first.card.goal ?? null,
      isOwnKey: key.endsWith(`/v1/brief/${first.id}`),
    };
  }

  async #make(input: BriefInput) {
    const id = newId('brf_');
    const token = newToken();
    const key = canonicalKey(input.key || this.#link(id));
    if (!key.ok) return this.#refuseKey(key.code, KEY_FAULTS[key.code]);
    const card = cardOf(input);
    const command = { id, key: key.key, slots: input.slots ?? 1, card, tokenHash: tokenHash(token) };
    return this.#answer(await this.#run({ type: 'make', ...command }), input, token);
  }

  async #change(input: BriefInput, id: BriefId) {
    const known = await this.#stored(id);
    if (known === undefined) return unknownBrief();
    if (input.key !== undefined) {
      const key = canonicalKey(input.key);
      if (!key.ok || key.key !== known.key)
        return this.#refuseKey('other_key', 'This work key is not the one of this brief.');
    }
    const given = textsOf(input);
    const proof = { id, key: known.key, tokenHash: tokenHash(input.token as string) };
    const change = { given, slots: input.slots, closes: input.close !== undefined };
    return this.#answer(await this.#run({ type: 'change', ...proof, ...change }), input, null);
  }

  #run(command: BriefCommand): Promise<BriefResult> {
    return this.#options.store.run(this.#unit, command);
  }

  #answer(result: BriefResult, input: BriefInput, token: string | null): z.output<typeof BriefAnswer> | Refusal {
    switch (result.outcome) {
      case 'stored': {
        const { brief, atMs, rev } = result;
        const clarity = this.#clarity(brief.card, atMs, input.accept_language);
        return { ...clarity, ...this.#shown(brief, atMs), token, rev, at: isoTime(atMs), ...softOf(brief) };
      }
      case 'held': {
        const waitSeconds = Math.ceil((result.untilMs - result.atMs) / 1_000);
        const detail =
          'An agent holds the work key of this brief and works to its text. Change it after the lease ends.';
        const members = { wait_s: waitSeconds, rev: result.rev, at: isoTime(result.atMs) };
        return new Refusal(problems.held, { detail, retryAfterSeconds: waitSeconds, members });
      }
      case 'too_long':
        return refuseFields([{ pointer: '#', code: 'card_too_long', detail: 'The card would become too long.' }]);
      case 'unknown':
        return unknownBrief();
      case 'bad_token':
        return new Refusal(problems.badToken, { detail: 'The token does not belong to this brief.' });
      case 'closed':
        return new Refusal(problems.briefClosed, {
          detail: 'This brief was closed. Create a new one.',
          members: { wait_s: 0 },
        });
      case 'key_crowded':
        return new Refusal(problems.keyCrowded, {
          detail: 'Too many briefs name this work key. Leave out key.',
          members: { wait_s: 0 },
        });
    }
  }

  #clarity(card: BriefCard, nowMs: number, acceptLanguage: string | undefined) {
    return clarityOf(card, nowMs, askingLanguage(acceptLanguage, languageOf(Object.values(card).join(' ')).language));
  }

  #shown(brief: Brief, nowMs: number) {
    const { id, key, slots } = brief;
    return { brief: id, link: this.#link(id), key, slots, state: stateOf(brief, nowMs) };
  }

  #link(id: BriefId): string {
    return `${this.#options.baseUrl()}/v1/brief/${id}`;
  }

  async #stored(id: string): Promise<Brief | undefined> {
    if (!BRIEF_ID.test(id)) return undefined; // attacker-controlled
    return (await this.#options.store.read(sql.BRIEF_OF_ID, [id]))[0];
  }

  #refuseKey(code: string, detail: string): Refusal {
    return refuseFields([{ pointer: '#/key', code, detail }]);
  }
}

function textsOf(input: BriefInput) {
  return Object.fromEntries(CARD_FIELDS.map((field) => [field, input[field]]));
}

function softOf({ card }: Brief) {
  return softRuleOf(...Object.values(card));
}

function unknownBrief(): Refusal {
  return new Refusal(problems.unknownBrief, { detail: 'No such brief is stored.' });
}
