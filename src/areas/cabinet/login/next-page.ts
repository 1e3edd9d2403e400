import type { SentInput } from '#kernel/operation.ts';
import { LOGIN_PAGE } from './login-page.ts';

/** Pages that somebody who signs in can be sent on to: ours, and no others. */
const NEXT = /^\/(?:dashboard|start)(?:[/?][\w./?=&%+-]*)?$/;

/** What the forms of signing in hold beside what they ask for. */
export function formOf({ email, next }: SentInput = {}): { readonly email: string; readonly next: string | undefined } {
  return {
    email: typeof email === 'string' ? email : '',
    next: typeof next === 'string' && NEXT.test(next) ? next : undefined,
  };
}

/** The page to sign in, which leads back to the one that was asked for. */
export function signInFor(path: string, asked: object): string {
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== undefined));
  const page = path.replace(/^\/cabinet/, '/dashboard');
  const next = query.size === 0 ? page : `${page}?${query}`;
  return `${LOGIN_PAGE}?${new URLSearchParams({ next })}`;
}
