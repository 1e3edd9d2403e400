import { Refusal } from '#kernel/problem.ts';
import { documentNotFound } from '../problems.ts';
import type { Answered, Retrieval } from './retrieval.ts';

/** A rule on what may be asked; null lets the question through. */
export type QuestionRule = (question: string) => Promise<Refusal | null>;

/** Search, fetch and ask as callers have them. */
export class Answers {
  readonly #retrieval: Retrieval;
  readonly #rule: QuestionRule;
  readonly #news: () => Promise<void>;

  /** `news` brings in what agents wrote before it was called. */
  constructor(retrieval: Retrieval, rule: QuestionRule, news: () => Promise<void>) {
    this.#retrieval = retrieval;
    this.#rule = rule;
    this.#news = news;
  }

  async search(query: string) {
    await this.#news();
    return { results: await this.#retrieval.search(query) };
  }

  async fetch(id: string) {
    await this.#news();
    const found = await this.#retrieval.fetch(id);
    return found ?? new Refusal(documentNotFound, { detail: 'No text has this id. Search again.' });
  }

  async ask(question: string): Promise<Answered | Refusal> {
    return (await this.#rule(question)) ?? this.#retrieval.ask(question);
  }
}
