import type { AvouchClient } from './client.ts';
import type { Input, Outcome } from './outcome.ts';

export interface Guarded<T> {
  readonly decision: Outcome<'amh_verify'>;
  /** Absent where the work was not begun. */
  readonly sealed?: Outcome<'amh_seal'>;
  readonly result?: T;
}

/** Does the work only where the mandate allows it, and seals whether it was done or failed. */
export async function guard<T>(
  client: Pick<AvouchClient, 'amh_verify' | 'amh_seal'>,
  question: Input<'amh_verify'>,
  work: () => Promise<T>,
): Promise<Guarded<T>> {
  const decision = await client.amh_verify(question);
  if (!decision.ok || !decision.value.ok) return { decision };
  const { verify_ref } = decision.value;
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await client.amh_seal({ verify_ref, outcome: 'failed' });
    throw error;
  }
  return { decision, result, sealed: await client.amh_seal({ verify_ref, outcome: 'placed' }) };
}

/** SHA-256 of a text in the form that a mandate's question takes. */
export async function payloadHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `sha256:${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
