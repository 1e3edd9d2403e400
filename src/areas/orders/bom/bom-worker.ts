// The thread of large bills: reading and computing take a second, in which no call may wait.
import { workBelowNormal } from '#platform/below-normal.ts';
import { answerRequests, giveBack } from '#platform/thread.ts';
import type { OffersByMpn } from './bom-choice.ts';
import {
  type BomMoment,
  type BomRequest,
  type Faulty,
  finish,
  type Finished,
  prepareBom,
  type Prepared,
} from './bom-job.ts';

export type BomTask = { readonly id: number } & (
  | { readonly type: 'prepare'; readonly request: BomRequest; readonly moment: BomMoment }
  | { readonly type: 'finish'; readonly offers: OffersByMpn; readonly nowMs: number }
  | { readonly type: 'drop' }
);

export type BomReply =
  | { readonly prepared: Pick<Prepared, 'requestSha256' | 'mpns'> & { readonly sources: ReadonlySet<string> } }
  | { readonly finished: Finished | Faulty }
  | Faulty
  | null;

workBelowNormal();
const prepared = new Map<number, Prepared>();

function replyTo(task: BomTask): BomReply {
  const { id } = task;
  if (task.type === 'prepare') {
    const made = prepareBom(task.request, task.moment);
    if ('bytes' in task.request) giveBack(task.request.bytes);
    if ('faults' in made) return made;
    prepared.set(id, made);
    const { requestSha256, mpns, terms } = made;
    return { prepared: { requestSha256, mpns, sources: terms.sources } };
  }
  const made = prepared.get(id);
  prepared.delete(id);
  if (task.type === 'drop') return null;
  if (made === undefined) throw new Error('a bill is prepared before it is finished');
  return { finished: finish(made, task.offers, task.nowMs) };
}

answerRequests({ answer: replyTo });
