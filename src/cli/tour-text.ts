/** One exchange with the service, as it went over the wire. */
export interface ShownCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** A fetch that keeps what was asked and answered. */
export class Recorder {
  #calls: ShownCall[] = [];

  readonly fetch: typeof globalThis.fetch = async (url, init) => {
    const response = await globalThis.fetch(url, init);
    const { pathname, search } = new URL(url as string);
    const answer: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    this.#calls.push({ method: init?.method ?? 'GET', path: pathname + search, body, status: response.status, answer });
    return response;
  };

  /** The calls since the last time. */
  drain(): readonly ShownCall[] {
    return this.#calls.splice(0);
  }
}

const MAX_LENGTH = 56;

/** One step for a reader: its calls with the members that matter, what was found, and what it means. */
export function stepText(
  number: number,
  step: { title: string; means: string; calls: readonly ShownCall[]; found: readonly string[] },
  shown: readonly string[],
): string {
  const calls = step.calls.flatMap(({ method, path, body, status, answer }) => [
    `   ${method} ${decodeURIComponent(path)}${body === undefined ? '' : ` ${truncateStrings(body)}`}`,
    `   ${status} ${truncateStrings(pickFields(answer, shown))}`,
  ]);
  const found = step.found.map((line) => `   ${line}`);
  return `\n${[`${number}. ${step.title}`, ...calls, ...found, `   => ${step.means}`].join('\n')}\n`;
}

/** The members of these names, where a dot leads into a member. */
function pickFields(answer: unknown, names: readonly string[]): Record<string, unknown> {
  const at = (name: string) =>
    name.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], answer);
  return Object.fromEntries(names.map((name) => [name, at(name)]).filter(([, value]) => value !== undefined));
}

function truncateStrings(value: unknown): string {
  const cut = (_name: string, member: unknown) =>
    typeof member === 'string' && member.length > MAX_LENGTH ? `${member.slice(0, MAX_LENGTH)}…` : member;
  return JSON.stringify(value, cut);
}
