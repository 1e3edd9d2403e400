import { sha256Hex } from '#kernel/ids.ts';

const MARK = '[fictional answer of the sandbox]';

/** The same prompt always gets the same answer, which says what it is. */
export function fictionalText(prompt: string): string {
  return `${MARK} ${prompt.slice(0, 200).trim()}`;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
}

/** A value that fits a schema, made of the prompt: capitalised words for names, sentences for quotes. */
export function fictionalValue(schema: unknown, prompt: string, isQuoteFalse: boolean): unknown {
  return made(schema as Schema, { prompt, name: '', isQuoteFalse });
}

interface Making {
  readonly prompt: string;
  readonly name: string;
  readonly isQuoteFalse: boolean;
}

function made(schema: Schema, making: Making): unknown {
  const { enum: values, properties, items } = schema;
  if (values !== undefined) return values[0];
  const type = [schema.type ?? (properties ? 'object' : 'string')].flat()[0];
  if (type === 'object') {
    const members = Object.entries(properties ?? {});
    return Object.fromEntries(members.map(([name, of]) => [name, made(of, { ...making, name })]));
  }
  if (type === 'array') {
    if (making.name === 'names') return namesIn(making.prompt);
    return items === undefined ? [] : [made(items, making)];
  }
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  return type === 'null' ? null : textFor(making);
}

function textFor({ prompt, name, isQuoteFalse }: Making): string {
  if (name === 'from') return 'nl';
  const doc = firstDoc(prompt);
  if (name === 'doc_id') return doc?.id ?? '';
  if (name === 'quote') return isQuoteFalse ? 'This stands in no document.' : (doc?.text.slice(0, 60) ?? '');
  return fictionalText(prompt);
}

function firstDoc(prompt: string): { id: string; text: string } | undefined {
  try {
    return (JSON.parse(prompt) as { docs?: { id: string; text: string }[] }).docs?.[0];
  } catch {
    return undefined;
  }
}

/** Two capitalised words in a row. */
function namesIn(prompt: string): string[] {
  return prompt.match(/\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/gu) ?? [];
}

export function fictionalVector(text: string): number[] {
  const digits = sha256Hex(text);
  return Array.from({ length: 8 }, (_, index) => Number.parseInt(digits.slice(index * 4, index * 4 + 4), 16) / 65_535);
}
