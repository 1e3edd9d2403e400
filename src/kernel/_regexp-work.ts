// Counts the work of regular expressions: what takes time in the square of a text is seen on every machine alike.
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';

type Exec = (this: RegExp, text: string) => RegExpExecArray | null;
const exec: Exec = Reflect.get(RegExp.prototype, 'exec');
/** A run may look at a few characters beyond its match. */
const BEYOND = 16;

export interface RegExpWork {
  /** Characters that the runs of all patterns went through, a character once for every run. */
  readonly characters: number;
  /** Runs that went back more often than allowed. */
  readonly excessive: readonly { readonly pattern: RegExp; readonly text: string }[];
}

/**
 * What the patterns do that `work` runs, in whichever way it runs them. It must not wait for anything.
 * A run may go back `perCharacter` times, or up to four times as often, for every character that it goes through.
 */
export function regExpWork(work: () => unknown, perCharacter: number): RegExpWork {
  let characters = 0;
  const excessive: { pattern: RegExp; text: string }[] = [];
  const watched: Exec = function (text) {
    setExec(exec);
    try {
      const from = this.global || this.sticky ? this.lastIndex : 0;
      // First with the whole text in view: a run without end would not come back.
      const rest = text.length - from;
      const ends = endsWithin(perCharacter * (rest + BEYOND), this, text, from);
      const match = ends ? exec.call(this, text) : null;
      const length = match === null ? rest : match.index + match[0].length - from;
      const isExcessive = !ends || (length < rest && !endsWithin(perCharacter * (length + BEYOND), this, text, from));
      if (isExcessive) excessive.push({ pattern: this, text });
      characters += length;
      return match;
    } finally {
      setExec(watched);
    }
  };
  setExec(watched);
  try {
    work();
  } finally {
    setExec(exec);
  }
  return { characters, excessive };
}

/** Every way to run a pattern goes through this method, as the language has it. */
function setExec(method: Exec): void {
  Reflect.set(RegExp.prototype, 'exec', method);
}

function endsWithin(backtracks: number, pattern: RegExp, text: string, from: number): boolean {
  // Powers of four, so that few patterns have to be made.
  const limited = limitedRegExp(pattern, 4 ** Math.ceil(Math.log2(backtracks) / 2));
  limited.lastIndex = from;
  return exec.call(limited, text) !== null;
}

const made = new Map<string, RegExp>();

/** The pattern with a limit to how often it goes back: it always finds something, unless it reached the limit. */
function limitedRegExp({ source, flags, sticky }: RegExp, limit: number): RegExp {
  const key = `${limit} ${flags} ${source}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const finding = `(?:${counted(source, flags)})|${sticky ? '' : '(?![^])'}`;
  // V8 looks at this flag when it compiles, so it is set for one moment.
  setFlagsFromString('--allow-natives-syntax');
  const call = `%NewRegExpWithBacktrackLimit(${JSON.stringify(finding)}, '${flags}', ${limit})`;
  const limited = runInThisContext(call) as RegExp;
  setFlagsFromString('--no-allow-natives-syntax');
  made.set(key, limited);
  return limited;
}

const ENOUGH = 1_000_000;

/** The same pattern with an end to every repetition: V8 does not count how often it goes back in some without one. */
function counted(source: string, flags: string): string {
  let depth = 0;
  return source.replaceAll(/\\.|[[\]*+]|\{\d+,\}/gsu, (token) => {
    if (token === '[') depth = flags.includes('v') ? depth + 1 : 1;
    if (token === ']') depth = Math.max(0, depth - 1);
    if (depth > 0) return token;
    if (token === '*') return `{0,${ENOUGH}}`;
    if (token === '+') return `{1,${ENOUGH}}`;
    return token.endsWith(',}') ? `${token.slice(0, -1)}${ENOUGH}}` : token;
  });
}
