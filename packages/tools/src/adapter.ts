/// <reference lib="esnext.disposable" preserve="true" />
import type { HeldLease } from '../../../client/index.ts';
import type { Toolbox } from './toolbox.ts';
import { type ToolForm, type Wrappers, wrappersFor } from './wrapped-tool.ts';

/** The tools in the form of one framework. */
export interface AvouchTools<Tools, Member extends ToolForm['runs']> extends Wrappers<Member>, AsyncDisposable {
  readonly tools: Tools;
  /** What the agent holds: its fencing tokens, and signals that say when the work must stop. */
  readonly leases: () => readonly HeldLease[];
  /** Releases what the model forgot to release. */
  readonly close: () => Promise<void>;
}

export function adapted<Tools, Member extends ToolForm['runs']>(
  box: Toolbox,
  tools: Tools,
  form: ToolForm<Member>,
): AvouchTools<Tools, Member> {
  const { leases, close } = box;
  return { tools, leases, close, [Symbol.asyncDispose]: close, ...wrappersFor(box, form) };
}
