// Search and answers judged on labelled questions.
import { readFile } from 'node:fs/promises';
import { Retrieval } from '#areas/data/retrieval/retrieval.ts';
import { MOVED_DOCS } from '#areas/discovery/moved.ts';
import { TextIndex } from '#platform/storage/text-index.ts';
import { publicDocuments } from '#areas/data/retrieval/public-documents.ts';
import { PROTOCOLS, TABLE } from '../../src/areas.ts';

interface Question {
  readonly id?: string;
  readonly part?: 'development' | 'held_out';
  readonly lang: string;
  readonly question: string;
  /** Beginnings of the ids of passages that hold the answer; none where there is no answer. */
  readonly expect?: readonly string[];
  /** Files that hold the answer, in sets that know no ids; `spec.md` is the operation table. */
  readonly where?: readonly string[];
  /** What a right answer says; null or absent where there is no answer. */
  readonly says?: string | null;
}

const SETS = new URL('./', import.meta.url);
const OWN_SET = new URL('retrieval-questions.json', SETS);
/** From here on an answer is meant to be relied on. */
const SURE = 0.9;

/** Beginnings of ids for files whose texts are not indexed as pages. */
const FILES: Readonly<Record<string, string>> = { 'spec.md': 'operations:', 'docs/errors.md': 'problems:' };

/** The beginning of the ids of a file's passages; a set may know the file by the name that it had. */
function startOf(file: string): string {
  const name = /^docs\/(.+)\.md$/.exec(file)?.[1] ?? '';
  const [page = file] = (MOVED_DOCS[name] ?? name).split('#', 1);
  return FILES[file] ?? (page === '' ? `docs:${file}#` : `docs:docs/${page}.md#`);
}

export function openRetrieval(): Retrieval {
  return new Retrieval({
    newIndex: () => new TextIndex(),
    documents: () => publicDocuments(TABLE, PROTOCOLS),
    baseUrl: () => 'http://avouch.test',
    docsAtMs: () => 0,
  });
}

type Outcome = 'right' | 'wrong' | 'silent' | 'invented';

function outcomeOf(answer: string | null, says: string | null | undefined): Outcome {
  if (answer === null) return 'silent';
  if (typeof says !== 'string') return 'invented';
  return new RegExp(says, 'i').test(answer) ? 'right' : 'wrong';
}

async function judge(retrieval: Retrieval, one: Question) {
  const starts = one.expect ?? (one.where ?? []).map(startOf);
  const ids = (await retrieval.search(one.question)).slice(0, 5).map(({ id }) => id);
  const { answer, citations, confidence } = await retrieval.ask(one.question);
  const isAnswerable = typeof one.says === 'string';
  const isFound = ids.some((id) => starts.some((start) => id.startsWith(start)));
  const cited = citations.map(({ id }) => id);
  return { ...one, ids, answer, cited, confidence, isAnswerable, isFound, outcome: outcomeOf(answer, one.says) };
}

export type Judged = Awaited<ReturnType<typeof judge>>;

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 1_000;
}

function figuresOf(judged: readonly Judged[]) {
  const answerable = judged.filter(({ isAnswerable }) => isAnswerable);
  const counts = { right: 0, wrong: 0, silent: 0, invented: 0 };
  for (const { outcome } of judged) counts[outcome] += 1;
  const sure = judged.filter(({ answer, confidence }) => answer !== null && confidence >= SURE);
  return {
    questions: judged.length,
    answerable: answerable.length,
    recall_at_5: share(answerable.filter(({ isFound }) => isFound).length, answerable.length),
    ...counts,
    answered_right: share(counts.right, answerable.length),
    wrong_answers: share(counts.wrong + counts.invented, judged.length),
    sure: sure.length,
    sure_right: share(sure.filter(({ outcome }) => outcome === 'right').length, sure.length),
  };
}

/** The figures of a set: of its parts, of all of it, and of each language. */
export async function judgeRetrieval(file: URL | string = OWN_SET) {
  const { questions } = JSON.parse(await readFile(file, 'utf8')) as { questions: Question[] };
  using retrieval = openRetrieval();
  const judged = await Promise.all(questions.map((one) => judge(retrieval, one)));
  const of = (isOne: (one: Judged) => boolean) => figuresOf(judged.filter(isOne));
  const languages = [...new Set(questions.map(({ lang }) => lang))].toSorted();
  const figures = {
    development: of(({ part }) => part === 'development'),
    held_out: of(({ part }) => part === 'held_out'),
    all: figuresOf(judged),
    by_language: Object.fromEntries(languages.map((one) => [one, of(({ lang }) => lang === one)])),
  };
  return { figures, judged };
}
