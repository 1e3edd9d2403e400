import type { SentInput } from '#kernel/operation.ts';

/** Pages that somebody who signs in can be sent on to: ours, and no others. */
const NEXT = /^\/(?:dashboard|start)(?:[/?][\w./?=&%-]*)?$/;

/** What the forms of signing in hold beside what they ask for. */
export function formOf({ email, next }: SentInput = {}): { readonly email: string; readonly next: string | undefined } {
  return {
    email: typeof email === 'string' ? email : '',
    next: typeof next === 'string' && NEXT.test(next) ? next : undefined,
  };
}
