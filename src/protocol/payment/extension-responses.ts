import { z } from 'zod';
import { decodeHeaderJson } from './header.ts';

const MAX_CHARS = 4096;
const MAX_REASON_CHARS = 200;

const LISTING_STATUSES = ['success', 'processing', 'rejected'] as const;

/** What a facilitator's catalogue did with a call that was paid through it. */
export interface ListingAnswer {
  readonly status: (typeof LISTING_STATUSES)[number];
  /** Why it was rejected; empty where nobody says. */
  readonly reason: string;
}

const Responses = z.object({
  bazaar: z.object({ status: z.enum(LISTING_STATUSES), rejectedReason: z.string().optional() }),
});

/** Reads `EXTENSION-RESPONSES`, a header beside the answer to settle; undefined where it tells nothing of `bazaar`. */
export function listingAnswer(header: string | undefined): ListingAnswer | undefined {
  // attacker-controlled: length before content, and the reason is shown to the operator
  if (header === undefined || header.length > MAX_CHARS) return undefined;
  const told = Responses.safeParse(decodeHeaderJson(header)).data?.bazaar;
  if (told === undefined) return undefined;
  const { status, rejectedReason = '' } = told;
  return { status, reason: oneLine(rejectedReason) };
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON_CHARS);
}
