import type { Exception } from './exceptions.ts';
import { PATTERNS } from './patterns.ts';
import type { Text } from './texts.ts';

export interface Finding extends Text {
  readonly phrase: string;
  readonly instead: string;
}

/** Every phrase of the texts that should be another, and the exceptions that no text needs. */
export function findingsIn(
  texts: readonly Text[],
  exceptions: readonly Exception[],
): { readonly findings: Finding[]; readonly unused: Exception[] } {
  const used = new Set<Exception>();
  const findings = texts.flatMap(({ place, text }) => {
    const found = PATTERNS.flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map(([phrase]) => ({ place, text, phrase, instead })),
    );
    if (found.length === 0) return [];
    const excused = exceptions.filter((one) => place.startsWith(one.place) && text.includes(one.text));
    for (const one of excused) used.add(one);
    return found.filter(({ phrase }) => !excused.some((one) => one.text.includes(phrase)));
  });
  return { findings, unused: exceptions.filter((one) => !used.has(one)) };
}
