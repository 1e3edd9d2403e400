// Search and answers judged on labelled questions.
import { readFile } from 'node:fs/promises';
import { Retrieval } from '#areas/data/retrieval/retrieval.ts';
import { TextIndex } from '#platform/storage/text-index.ts';
import { publicDocuments } from '#areas/data/retrieval/public-documents.ts';
import { PROTOCOLS, TABLE } from '../../src/areas.ts';

interface Question {
  readonly part: 'development' | 'held_out';
  readonly lang: string;
  readonly question: string;
  /** Beginnings of the ids of passages that hold the answer; none where there is no answer. */
  readonly expect: readonly string[];
  /** What a right answer says. */
  readonly says: string | null;
}

export function openRetrieval(): Retrieval {
  return new Retrieval({
    newIndex: () => new TextIndex(),
    documents: () => publicDocuments(TABLE, PROTOCOLS),
    baseUrl: () => 'http://avouch.test',
    docsAtMs: () => 0,
  });
}

export async function judgeRetrieval() {
  const file = new URL('./retrieval-questions.json', import.meta.url);
  const { questions } = JSON.parse(await readFile(file, 'utf8')) as { questions: Question[] };
  using retrieval = openRetrieval();
  const judged = await Promise.all(
    questions.map(async (one) => {
      const ids = (await retrieval.search(one.question)).slice(0, 5).map(({ id }) => id);
      const { answer, citations, confidence } = await retrieval.ask(one.question);
      const isFound = ids.some((id) => one.expect.some((start) => id.startsWith(start)));
      const isRight = answer !== null && one.says !== null && new RegExp(one.says, 'i').test(answer);
      return { ...one, ids, answer, cited: citations[0]?.id, confidence, isFound, isRight };
    }),
  );
  const share = (part: number, whole: number) => Math.round((part / whole) * 1_000) / 1_000;
  const figuresOf = (part: string) => {
    const of = judged.filter((one) => one.part === part);
    const answerable = of.filter(({ expect }) => expect.length > 0);
    return {
      questions: of.length,
      answerable: answerable.length,
      recall_at_5: share(answerable.filter(({ isFound }) => isFound).length, answerable.length),
      answered_right: share(of.filter(({ isRight }) => isRight).length, answerable.length),
      wrong_answers: share(of.filter(({ answer, isRight }) => answer !== null && !isRight).length, of.length),
    };
  };
  const misses = judged.filter(
    ({ expect, answer, isFound, isRight }) => (expect.length > 0 && !isFound) || (answer !== null && !isRight),
  );
  return { figures: { development: figuresOf('development'), held_out: figuresOf('held_out') }, misses };
}
