import { asSentence } from '#kernel/sentence.ts';

export interface FieldProblem {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** How a person names a field: by the option, or by what stands in its place. */
export type FieldName = (name: string) => string;

export function optionOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** Sentences about fields that are wrong, in the words of the command line. */
export function fieldProblems(problems: readonly FieldProblem[], nameOf: FieldName = optionOf): string[] {
  const isMissing = ({ code, detail }: FieldProblem) => code === 'missing' && !/^must/i.test(detail);
  const missing = problems.filter(isMissing).map(({ pointer, detail }) => {
    return detail.startsWith('or ') ? `${placeOf(pointer, nameOf)} (${detail})` : placeOf(pointer, nameOf);
  });
  const others = problems.filter((one) => !isMissing(one));
  return [
    ...(missing.length === 0 ? [] : [`Missing ${kindOf(missing)}: ${missing.join(', ')}.`]),
    ...others.map(({ pointer, detail }) => `${placeOf(pointer, nameOf)}: ${asSentence(detail)}`),
  ];
}

function kindOf(missing: readonly string[]): string {
  const kind = missing.every((one) => one.startsWith('--')) ? 'option' : 'field';
  return missing.length === 1 ? kind : `${kind}s`;
}

function placeOf(pointer: string, nameOf: FieldName): string {
  const [, name = '', ...deeper] = pointer.split('/');
  return name === '' ? 'The input' : [nameOf(name), ...deeper].join('/');
}
