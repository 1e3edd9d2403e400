import { type Html, html, NOTHING } from '#kernel/html.ts';

/** What a form reads of the JSON Schema of a member. */
export interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean;
  readonly examples?: readonly unknown[];
}

export interface Field {
  readonly name: string;
  /** The name where the label is not given. */
  readonly label?: string;
  readonly schema: FieldSchema;
  readonly isRequired?: boolean;
  readonly value?: string;
  /** What was wrong with the value. */
  readonly error?: string;
  /** What each choice means, by its value. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** Where two forms of a page have a field of the same name. */
  readonly idPrefix?: string;
}

const LONG_TEXT = 200;
const INPUT_TYPES: Readonly<Record<string, string>> = {
  email: 'email',
  uri: 'url',
  date: 'date',
  password: 'password',
};

/** A labelled field with its hint and its fault, from the JSON Schema of the member. */
export function field(given: Field): Html {
  const { name, label = name, schema, error, isRequired = false, idPrefix = 'field' } = given;
  const id = `${idPrefix}-${name}`;
  const described = [schema.description === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`];
  const describedBy = described.filter((one) => one !== '').join(' ');
  const common = html` id="${id}" name="${name}"${isRequired ? html` required` : NOTHING}${
    describedBy === '' ? NOTHING : html` aria-describedby="${describedBy}"`
  }${error === undefined ? NOTHING : html` aria-invalid="true"`}`;
  return html`<div class="field"><label for="${id}">${label}${isRequired ? NOTHING : html` <span class="optional">optional</span>`}</label>${control(given, common)}${
    schema.description === undefined ? NOTHING : html`<p class="hint" id="${id}-hint">${schema.description}</p>`
  }${error === undefined ? NOTHING : html`<p class="field-error" id="${id}-error">${error}</p>`}</div>`;
}

function control({ schema, value, isRequired, meanings = {} }: Field, common: Html): Html {
  const shown = value ?? (schema.default === undefined ? '' : String(schema.default));
  if (schema.enum !== undefined || schema.type === 'boolean') {
    const choices = (schema.enum ?? ['true', 'false']).map(String);
    const blank = isRequired && shown !== '' ? [] : [html`<option value=""></option>`];
    const options = choices.map(
      (choice) =>
        html`<option value="${choice}"${choice === shown ? html` selected` : NOTHING}>${choice}${meanings[choice] === undefined ? NOTHING : `: ${meanings[choice]}`}</option>`,
    );
    return html`<select${common}>${blank}${options}</select>`;
  }
  const limits = html`${attribute('minlength', schema.minLength)}${attribute('maxlength', schema.maxLength)}`;
  const isLong = schema.type === 'object' || schema.type === 'array' || (schema.maxLength ?? 0) > LONG_TEXT;
  if (isLong) return html`<textarea rows="4"${common}${limits}>${shown}</textarea>`;
  if (schema.type === 'integer' || schema.type === 'number') {
    const step = schema.type === 'integer' ? '1' : 'any';
    return html`<input type="number" inputmode="decimal" step="${step}"${attribute('min', schema.minimum)}${attribute('max', schema.maximum)}${common} value="${shown}">`;
  }
  const type = INPUT_TYPES[schema.format ?? ''] ?? 'text';
  return html`<input type="${type}"${common}${limits}${attribute('placeholder', placeholder(schema))} value="${shown}">`;
}

function placeholder({ examples }: FieldSchema): string | undefined {
  return typeof examples?.[0] === 'string' ? examples[0] : undefined;
}

function attribute(name: string, value: string | number | undefined): Html {
  return value === undefined ? NOTHING : html` ${name}="${value}"`;
}
