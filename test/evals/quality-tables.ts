// The published figures as the tables in docs/quality.md.

export interface MeasuredSet {
  readonly measured_on: string;
  readonly sets: readonly { readonly file: string; readonly sha256: string }[];
  readonly figures: Readonly<Record<string, unknown>>;
}

export type QualityFigures = Readonly<Record<string, MeasuredSet>>;

type Figures = Readonly<Record<string, number>>;

const percent = (share: number | undefined) => (share === undefined ? 'not measured' : `${(share * 100).toFixed(1)} %`);

interface Names {
  readonly list: { readonly source: string; readonly names: number; readonly sha256: string };
  readonly matcher_version: string;
  readonly pairs: Figures;
  readonly public_pairs: Figures | null;
  readonly originals: Readonly<Record<string, Figures>>;
  readonly mangled: { readonly queries: number; readonly recall: number; readonly by_kind: Figures };
  readonly false_hits: Readonly<Record<string, Figures>>;
}

function namesRows(names: Names): string[] {
  const { pairs, public_pairs, originals, mangled, false_hits, list, matcher_version } = names;
  const found = Object.entries(originals).map(([kind, { recall, queries }]) => {
    return `| original script, ${kind}, found in the Latin list (development) | ${percent(recall)} | ${queries} |`;
  });
  const kinds = Object.entries(mangled.by_kind).map(([kind, recall]) => `| mangled: ${kind} | ${percent(recall)} | |`);
  const innocent = Object.entries(false_hits).map(([set, { false_hits: share, queries }]) => {
    return `| false hits, ordinary names: ${set} | ${percent(share)} | ${queries} |`;
  });
  return [
    `Matcher version ${matcher_version}. List: ${list.source}, ${list.names} names, sha256 ${list.sha256}.`,
    '',
    '| Names | Figure | Of |',
    '|---|---|---|',
    `| name pairs, F1 at threshold 0.70 | ${pairs['f1']} (precision ${pairs['precision']}, recall ${pairs['recall']}) | ${pairs['pairs']} |`,
    ...(public_pairs === null
      ? []
      : [`| public name pairs (development), F1 | ${public_pairs['f1']} | ${public_pairs['pairs']} |`]),
    ...found,
    `| mangled listed names, found | ${percent(mangled.recall)} | ${mangled.queries} |`,
    ...kinds,
    ...innocent,
  ];
}

const ROWS: Readonly<Record<string, (figures: never) => string[]>> = {
  names: namesRows,
  lint: ({ texts, f1, precision, recall }: Figures) => [
    '| Brief lint, ten elements without the goal | Figure | Of |',
    '|---|---|---|',
    `| F1 | ${f1} (precision ${precision}, recall ${recall}) | ${texts} texts |`,
  ],
  rules: ({ harmful, caught, caught_share, harmless, refused, refused_share }: Figures) => [
    '| Usage rules | Figure | Of |',
    '|---|---|---|',
    `| harmful texts refused under the right rule | ${percent(caught_share)} | ${caught} of ${harmful} |`,
    `| harmless texts refused | ${percent(refused_share)} | ${refused} of ${harmless} |`,
  ],
  retrieval: (figures: Figures) => [
    '| Answers | Figure | Of |',
    '|---|---|---|',
    `| correct, of questions with an answer | ${percent(figures['answered_right'])} | ${figures['right']} of ${figures['answerable']} |`,
    `| wrong, of all questions | ${percent(figures['wrong_answers'])} | ${(figures['wrong'] ?? 0) + (figures['invented'] ?? 0)} of ${figures['questions']} |`,
    `| answers given to questions without an answer | | ${figures['invented']} |`,
    `| correct, of answers with confidence 0.9 or more | ${percent(figures['sure_right'])} | ${figures['sure']} |`,
  ],
};

export function qualityTables(published: QualityFigures): string {
  const parts = Object.entries(ROWS).map(([name, rowsOf]) => {
    const one = published[name];
    if (one === undefined) return `Not measured: ${name}.\n`;
    const sets = one.sets.map(({ file, sha256 }) => `\`${file}\` (sha256 ${sha256.slice(0, 16)}…)`).join(', ');
    return `${rowsOf(one.figures as never).join('\n')}\n\nMeasured on ${one.measured_on} with ${sets}.\n`;
  });
  return parts.join('\n');
}
