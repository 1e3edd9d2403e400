import { readFile } from 'node:fs/promises';
import { parseExactJson } from '#kernel/exact-json.ts';
import { InputError } from './line/spec.ts';

type Json = Readonly<Record<string, unknown>>;

export async function textOfFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new InputError(`Cannot read ${file}.`);
  }
}

/** The JSON object in the text of a file; empty for other JSON. Of a member that is there twice readers may see different ones. */
export function exactObjectIn(text: string, { file, notJson }: { file: string; notJson: string }): Json {
  let read: ReturnType<typeof parseExactJson>;
  try {
    read = parseExactJson(text); // attacker-controlled
  } catch {
    throw new InputError(notJson);
  }
  const [odd] = read.faults;
  if (odd !== undefined) throw new InputError(`${file} is ambiguous: ${odd.pointer} ${odd.detail}`);
  const { value } = read;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
