import type { Refusal } from '#kernel/problem.ts';
import { encodeCbor } from '#protocol/cbor.ts';
import { RFC9943_RECEIPT_MEDIA } from '#protocol/cose-receipt.ts';
import type { RefusalForm } from './exchange.ts';
import { chooseMedia } from './negotiation.ts';
import { PROBLEM_MEDIA_TYPE } from './problem-response.ts';

const RFC9290_CBOR_PROBLEM = 'application/concise-problem-details+cbor';
const RFC9290_TITLE = -1;
const RFC9290_DETAIL = -2;
const JSON_FORMS = new Set(['application/json', PROBLEM_MEDIA_TYPE]);
const FORMS = [...JSON_FORMS, RFC9290_CBOR_PROBLEM, 'application/cbor', 'application/cose', RFC9943_RECEIPT_MEDIA];

/** The refusal in CBOR; undefined for a caller that takes JSON as well. */
export function cborRefusal({ type, details }: Refusal, accept: string | undefined): RefusalForm | undefined {
  if (JSON_FORMS.has(chooseMedia(accept, FORMS))) return undefined;
  const members = new Map([
    [RFC9290_TITLE, type.title],
    [RFC9290_DETAIL, details.detail ?? type.help],
  ]);
  return { mediaType: RFC9290_CBOR_PROBLEM, body: encodeCbor(members) };
}
