/** More of a name is not shown: whoever sent it knows the rest. */
const SHOWN_CHARS = 80;

/** The name of a member as a step of a JSON Pointer (RFC 6901). */
export function pointerStep(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The same in a URI fragment, for a problem that names a field somebody sent. */
export function shownStep(name: string | number): string {
  const step = pointerStep(String(name).slice(0, SHOWN_CHARS).toWellFormed());
  return `/${encodeURIComponent(step.slice(1))}`;
}
