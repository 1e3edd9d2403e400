// The thread of large bills: reading and computing take a second, in which no call may wait.
import { parentPort } from 'node:worker_threads';
import { workBelowNormal } from '#platform/below-normal.ts';
import type { OffersByMpn } from './bom-choice.ts';
import {
  type BomMoment,
  type BomRequest,
  type Faulty,
  type Finished,
  finish,
  type Prepared,
  prepare,
} from './bom-job.ts';

export type BomTask = { readonly id: number } & (
  | { readonly type: 'prepare'; readonly request: BomRequest; readonly moment: BomMoment }
  | { readonly type: 'finish'; readonly offers: OffersByMpn; readonly nowMs: number }
  | { readonly type: 'drop' }
);

export type BomReply = { readonly id: number } & (
  | { readonly prepared: Pick<Prepared, 'requestSha256' | 'mpns'> & { readonly sources: ReadonlySet<string> } }
  | { readonly finished: Finished | Faulty }
  | Faulty
);

workBelowNormal();
const port = parentPort;
if (port === null) throw new Error('this file is run as a thread');
const prepared = new Map<number, Prepared>();

function replyTo(task: Exclude<BomTask, { type: 'drop' }>): BomReply {
  const { id } = task;
  if (task.type === 'prepare') {
    const made = prepare(task.request, task.moment);
    if ('faults' in made) return { id, ...made };
    prepared.set(id, made);
    const { requestSha256, mpns, terms } = made;
    return { id, prepared: { requestSha256, mpns, sources: terms.sources } };
  }
  const made = prepared.get(id);
  prepared.delete(id);
  if (made === undefined) throw new Error('a bill is prepared before it is finished');
  return { id, finished: finish(made, task.offers, task.nowMs) };
}

port.on('message', (task: BomTask) => {
  if (task.type === 'drop') prepared.delete(task.id);
  else port.postMessage(replyTo(task));
});
