import { type Html, html, NOTHING } from '#kernel/html.ts';
import { toast } from '#web/components.ts';
import { shortText } from '#web/short-id.ts';

/** What a form did, as the page after it says it: the subject, and what happened to it. */
const MESSAGES = {
  agent_accepted: ['Agent', 'is now in your account.'],
  agent_refused: ['Agent', 'was removed from your account.'],
  key_revoked: ['Key', 'was revoked.'],
  mandate_revoked: ['Mandate', 'was revoked.'],
  order_cancelled: ['Order', 'was cancelled.'],
  session_ended: ['Other browser', 'was signed out.'],
  task_answered: ['Task', 'has your answers and continues.'],
  task_cancelled: ['Task', 'was cancelled.'],
  task_accepted: ['Task', 'was accepted. It is charged only if it succeeds.'],
  topup_started: ['Top-up', 'was started.'],
} as const;

export type DoneCode = keyof typeof MESSAGES;

/** The address of the page after a form. It carries a code and an id, never text. */
export function doneAt(address: string, code: DoneCode, id?: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}done=${code}${id === undefined ? '' : `&id=${id}`}`;
}

/** The message of a code; an id that is not of the account is left out, and an unknown code says nothing. */
export async function doneToast(
  { done = '', id = '' }: Readonly<Record<string, string>> = {},
  isOwned: (id: string) => Promise<boolean>,
): Promise<Html> {
  if (!Object.hasOwn(MESSAGES, done)) return NOTHING;
  const [subject, happened] = MESSAGES[done as DoneCode];
  const isShown = id !== '' && (await isOwned(id));
  return toast(
    isShown
      ? html`${subject} <code title="${id}">${shortText(id)}</code> ${happened}`
      : `The ${subject.toLowerCase()} ${happened}`,
  );
}
