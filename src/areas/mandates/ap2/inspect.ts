import { readP256Jwk } from '#protocol/ap2/es256.ts';
import { isBound, isSigned, isSignedBy, readChain, readPresentation } from '#protocol/ap2/presentation.ts';
import { readOpenMandate } from '#protocol/ap2/payment-mandate.ts';
import { isWithin } from './evidence.ts';
import { mappedFields, shownConstraints } from './mapping.ts';

type Result = 'pass' | 'fail' | 'not_checked';

/** What can be said of an open payment mandate, or of a chain, without the service: nothing about budgets and earlier uses. */
export function inspectAp2(text: string, userJwk: unknown, nowMs: number) {
  const [root, ...hops] = readChain(text, 'the chain');
  if (root === undefined) throw new Error('a chain has a token');
  const user = userJwk === undefined ? undefined : readP256Jwk(userJwk, 'the user key');
  const open = readOpenMandate(root, 'the open mandate');
  const fields = mappedFields(open, nowMs);
  return {
    user_signature: user === undefined ? 'not_checked' : resultOf(isSignedBy(root, user)),
    ...(hops.length > 0 && { closed: inspectClosed(text, { user, agent: open.agentJwk }, open) }),
    constraints: shownConstraints(open.constraints, fields, false),
    fields,
  };
}

function inspectClosed(text: string, keys: Parameters<typeof isSigned>[1], limits: Parameters<typeof isWithin>[1]) {
  const read = readPresentation(text, 'the chain');
  const { payeeId, amount, currency, transactionHex } = read.closed;
  const areGood = isSigned(read, keys);
  return {
    // The hops alone prove nothing: who signed the open mandate signed for their keys.
    signatures: areGood && keys.user === undefined ? 'not_checked' : resultOf(areGood),
    bindings: resultOf(isBound(read)),
    constraints: resultOf(isWithin(read, limits)),
    aud: read.aud,
    nonce: read.nonce,
    amount_cents: amount,
    currency,
    counterparty: payeeId,
    payload_hash: `sha256:${transactionHex}`,
    reference: read.reference,
  };
}

function resultOf(isGood: boolean): Result {
  return isGood ? 'pass' : 'fail';
}
