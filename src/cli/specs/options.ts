import type { Operand, Option } from '../line/spec.ts';
import { OPERATION_OPTIONS } from './operation-options.ts';

/** The service that a command calls. */
export const URL_OPTION: Option = {
  name: 'url',
  value: '<url>',
  help: 'Address of the service',
  fallback: 'AVOUCH_URL, BASE_URL, or http://HOST:PORT of this machine',
};

export const VKEY_OPTION: Option = {
  name: 'vkey',
  value: '<vkey>',
  help: 'The log key that you trust. Without it the key comes from the service itself, which proves less',
};

export const WORK_KEY: Operand = {
  name: 'work key',
  help: 'Names the work: an issue link, acme/repo#12, a URL or any stable name',
};

export const JSON_ALWAYS = 'Print errors as JSON too; the result is always JSON.';
export const JSON_LINES = 'Print errors as JSON too; the output is always JSON lines.';

/**
 * The options that name fields of an operation, in this order. Help, defaults and limits are those of the operation
 * table; a placeholder says more than `<text>` where one is given.
 */
export function fieldsOf(id: string, placeholders: Readonly<Record<string, string | null>>): readonly Option[] {
  const rows = new Map((OPERATION_OPTIONS[id] ?? []).map((option) => [option.name, option]));
  return Object.entries(placeholders).map(([name, value]) => {
    const row = rows.get(name);
    if (row === undefined) throw new Error(`${id} has no field ${name}`);
    const isFlag = row.choices?.length === 1;
    if (isFlag) return { name, help: row.help };
    return value === null ? row : { ...row, value };
  });
}
