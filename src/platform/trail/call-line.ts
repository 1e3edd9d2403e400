import { isoTime } from '#kernel/clock.ts';
import { keptNames, keptTag, keptText } from './redact.ts';

/** One call. A field that is absent is absent from the line; null is written as null. */
export type TrailEntry = {
  readonly atMs: number;
  readonly op: string;
  readonly method?: string | undefined;
  readonly status?: number | undefined;
  readonly ms?: number | undefined;
  /** Day tag of the caller's address; the line shows its first 16 digits. */
  readonly addr?: string | null | undefined;
  readonly agent?: string | null | undefined;
  readonly payer?: string | undefined;
  readonly inBytes?: number | undefined;
  readonly outBytes?: number | undefined;
  readonly resultSha256?: string | undefined;
  /** Names of the parameters as sent; never their values. */
  readonly params?: readonly string[] | undefined;
  readonly code?: string | null | undefined;
  /** What became of the signature of the call, and who signed it. */
  readonly identityState?: string | undefined;
  readonly agentUrl?: string | undefined;
};

const BEYOND_ASCII = /[\u007f-\uffff]/g;
/** Texts that stand for themselves in JSON; nearly all are, and quoting them costs a tenth of JSON.stringify. */
const PLAIN_TEXT = /^[A-Za-z0-9_.:/ -]*$/;

/** The line of a call with its newline, in pure ASCII: safe on a terminal. Every text passes through redact.ts. */
export function formatCall(n: number, entry: TrailEntry): string {
  const { op, method, status, ms, addr, agent, payer, inBytes, outBytes, resultSha256, params, code } = entry;
  let line = `{"n":${n},"at":"${isoTime(entry.atMs)}","op":${quoted(op)}`;
  if (method !== undefined) line += `,"method":${quoted(method)}`;
  if (status !== undefined) line += `,"status":${figure(status)}`;
  if (ms !== undefined) line += `,"ms":${figure(ms)}`;
  if (addr !== undefined) line += `,"addr":${addr === null ? 'null' : `"${keptTag(addr)}"`}`;
  if (agent !== undefined) line += `,"agent":${agent === null ? 'null' : quoted(agent)}`;
  if (payer !== undefined) line += `,"payer":${quoted(payer)}`;
  if (inBytes !== undefined) line += `,"in":${figure(inBytes)}`;
  if (outBytes !== undefined) line += `,"out":${figure(outBytes)}`;
  if (resultSha256 !== undefined) line += `,"result_sha256":${quoted(resultSha256)}`;
  if (params !== undefined) line += `,"params":${nameList(params)}`;
  if (code !== undefined) line += `,"code":${code === null ? 'null' : quoted(code)}`;
  const { identityState, agentUrl } = entry;
  if (identityState !== undefined) line += `,"identity_state":${quoted(identityState)}`;
  if (agentUrl !== undefined) line += `,"agent_url":${quoted(agentUrl)}`;
  return `${line}}\n`;
}

function quoted(text: string): string {
  const kept = keptText(text);
  return PLAIN_TEXT.test(kept) ? `"${kept}"` : JSON.stringify(kept).replace(BEYOND_ASCII, escaped);
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** JSON has no NaN: one bad figure must not make the line unreadable. */
function figure(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

const MAX_KNOWN_LISTS = 1_000;

/** A list of names, reached from its names one by one; to join them to one key would take longer than all else. */
interface KnownNames {
  readonly next: Map<string, KnownNames>;
  list: string | undefined;
}
const knownNames: KnownNames = { next: new Map(), list: undefined };
let knownCount = 0;

/** The names as JSON. Calls name the same few lists of parameters again and again. */
function nameList(names: readonly string[]): string {
  let known: KnownNames | undefined = knownNames;
  for (const name of names) known = known?.next.get(name);
  if (known?.list !== undefined) return known.list;
  const list = JSON.stringify(keptNames(names));
  // A name that is hidden is not worth keeping.
  if (knownCount < MAX_KNOWN_LISTS && !list.includes('"?"')) keepList(names, list);
  return list;
}

function keepList(names: readonly string[], list: string): void {
  let known = knownNames;
  for (const name of names) {
    const next = known.next.get(name) ?? { next: new Map(), list: undefined };
    known.next.set(name, next);
    known = next;
  }
  known.list = list;
  knownCount += 1;
}

/** The line that stands for calls whose lines could not be kept: numbers `from` to `from + lost - 1`. */
export function formatLostLines(lost: number, from: number, atMs: number): string {
  return `{"lost":${lost},"from":${from},"at":"${isoTime(atMs)}"}\n`;
}
