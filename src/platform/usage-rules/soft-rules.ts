import { z } from 'zod';
import { ROBOTICS_CLAIM, signalIn } from './robotics-claims.ts';

type Marked = { readonly soft_rule?: 'robotics_claims' };

export const softRuleField = z.literal('robotics_claims').optional().meta({
  description:
    'The text was accepted, but it offers as available what is not available yet (rule robotics_claims). Reword it.',
});

/** What an answer says of texts that were published and that a soft rule warns of; empty where none does. */
export function softRuleOf(...texts: readonly (string | null | undefined)[]): Marked {
  return texts.some((text) => text && signalIn(text, ROBOTICS_CLAIM) !== null) ? { soft_rule: 'robotics_claims' } : {};
}
