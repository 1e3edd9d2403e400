// Where a text that somebody submitted stands in an answer.

/** The paths of members that hold the text outside of objects with a source and of fields named untrusted. */
export function unmarkedPlaces(value: unknown, text: string, path = '$'): string[] {
  if (typeof value === 'string') return value.includes(text) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  if ('source' in value && (value.source === 'agent' || value.source === 'external')) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name.startsWith('untrusted_') ? [] : unmarkedPlaces(member, text, `${path}.${name}`),
  );
}
