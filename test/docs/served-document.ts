// What the served OpenAPI document says against an answer.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer } from '../support/client.ts';

export interface ServedDocument {
  /** Undefined where the answer is declared for this place, and valid. */
  faultOf(
    place: { path: string; method: string },
    answer: Pick<Answer, 'status' | 'headers' | 'text'>,
  ): string | undefined;
}

export function servedDocument(document: object): ServedDocument {
  // Each validator runs a few times: making its code shorter takes longer than it saves.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, code });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: 'api' });
  const escaped = (part: string) =>
    part.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll(/[{}]/g, encodeURIComponent);
  return {
    faultOf({ path, method }, { status, headers, text }) {
      const media = String(headers['content-type']).replace(/;.*/, '');
      const $ref = `api#/paths/${escaped(path)}/${method}/responses/${status}/content/${escaped(media)}/schema`;
      const validate = ajv.getSchema($ref);
      if (validate === undefined) return `${status} as ${media} is not declared`;
      const body: unknown = /[/+]json$/.test(media) ? JSON.parse(text) : text;
      return validate(body) ? undefined : ajv.errorsText(validate.errors);
    },
  };
}
