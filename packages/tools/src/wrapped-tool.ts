import { badInput, type Refused } from '../../../src/areas/connect/tools/refusal.ts';
import type { GuardOptions, SpendingOptions, Toolbox } from './toolbox.ts';

/** Where a framework's tools take their input and a signal, and what they answer with. */
export interface ToolForm<
  Member extends 'execute' | 'func' | 'invoke' | 'run' = 'execute' | 'func' | 'invoke' | 'run',
> {
  /** The member that runs the tool. */
  readonly runs: Member;
  readonly inputAt: 0 | 1;
  /** The input is still JSON text. */
  readonly readsText?: true;
  readonly signalAt: readonly [argument: 1 | 2, member: 'abortSignal' | 'signal'];
  /** Results are text. */
  readonly givesText?: true;
}

type Runs = (...args: readonly unknown[]) => unknown;

/** Frameworks name the input of a tool each in their own way. */
type AnyInput = any;

/** A tool of the form: its member may take and give what it likes. */
type ToolOf<Member extends string> = { readonly [Name in Member]?: ((...args: never) => unknown) | undefined };

export interface Wrappers<Member extends ToolForm['runs']> {
  /** The same tool, each call of which runs under a lease: the model cannot forget to claim. */
  guarded<T extends ToolOf<Member>>(tool: T, options: GuardOptions<AnyInput>): T;
  /** The same tool, each call of which runs only after GO. */
  spending<T extends ToolOf<Member>>(tool: T, options: SpendingOptions<AnyInput>): T;
}

export function wrappersFor<Member extends ToolForm['runs']>(box: Toolbox, form: ToolForm<Member>): Wrappers<Member> {
  return {
    guarded: (tool, options) =>
      wrapped(tool, form, (input, call) => box.guard(options, input, (signal) => call(signal))),
    spending: (tool, options) => wrapped(tool, form, (input, call) => box.spend(options, input, () => call())),
  };
}

interface Done {
  readonly result: unknown;
}

type Around = (input: unknown, call: (signal?: AbortSignal) => Promise<Done>) => Promise<Done | Refused>;

function wrapped<T extends object>(tool: T, form: ToolForm, around: Around): T {
  const { runs, inputAt, readsText } = form;
  const run = (tool as Record<string, unknown>)[runs];
  if (typeof run !== 'function') throw new TypeError(`This tool has no ${runs}, so it cannot be wrapped.`);
  const value = async (...args: readonly unknown[]) => {
    const input = readsText === true ? parsed(args[inputAt]) : args[inputAt];
    if (input === undefined) return refusalIn(form, badInput([{ field: '', detail: 'Must be JSON.' }]));
    const done = await around(input, async (signal) => ({
      result: await finished((run as Runs).apply(tool, withSignal(args, form, signal))),
    }));
    return 'result' in done ? done.result : refusalIn(form, done);
  };
  // A copy of the same class: frameworks look for it.
  const copy = Object.create(Object.getPrototypeOf(tool) as object, Object.getOwnPropertyDescriptors(tool)) as T;
  return Object.defineProperty(copy, runs, { value, enumerable: true, configurable: true, writable: true });
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return undefined;
  }
}

function refusalIn({ givesText }: ToolForm, refused: Refused): unknown {
  return givesText === true ? JSON.stringify(refused) : refused;
}

/** The same arguments, with a signal that also ends with the lease. */
function withSignal(args: readonly unknown[], { signalAt }: ToolForm, signal: AbortSignal | undefined): unknown[] {
  const [at, member] = signalAt;
  const sent = [...args];
  if (signal === undefined) return sent;
  const options = sent[at] as Record<string, unknown> | undefined;
  const before = options?.[member];
  sent[at] = { ...options, [member]: before instanceof AbortSignal ? AbortSignal.any([before, signal]) : signal };
  return sent;
}

/** A tool that gives several parts is done with the last of them. */
async function finished(result: unknown): Promise<unknown> {
  const given = await result;
  if (typeof given !== 'object' || given === null || !(Symbol.asyncIterator in given)) return given;
  let last: unknown;
  for await (const part of given as AsyncIterable<unknown>) last = part;
  return last;
}
