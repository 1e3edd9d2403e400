/** Links that are no material for the work: state pages, other issues, chat rooms, forms and people. */
const NO_MATERIAL =
  /^(?:https?:\/\/)?(?:status\.|discord\.|(?:www\.)?t\.me\/|join\.slack|matrix\.to|calendly\.|forms\.|[^/\s]{1,100}\/(?:[^\s]{0,200}\/)?(?:issues|discussions|badge|sponsors|code[-_]?of[-_]?conduct|contributing)(?:[/?#.]|$)|github\.com\/[\w.-]{1,60}\/?$|img\.shields\.io)/;
/** Words before a link that make it a place to go to and not something to start from. */
const PLACE_TO_GO =
  /(?:\b(?:join|ask|questions?|contact|vragen|discord|telegram|slack|status|submit|apply|form|sign up|deploy(?:ed)? (?:to|on)|see also|zie ook|related|duplicate of)\b[^.!?]{0,25})$/;
const ADDRESS = /https?:\/\/[^\s()<>]{1,500}/;

/** True when a link, with the line before it, seems to lead to something that the work starts from. */
export function isMaterial(link: string, before: string): boolean {
  if (link.startsWith('!') || link.startsWith('<img')) return !/badge|shields\.io/.test(link);
  const address = ADDRESS.exec(link)?.[0] ?? '';
  if (address === '') return !/\]\((?:#|mailto:)/.test(link);
  return !NO_MATERIAL.test(address.replace(/^https?:\/\//, '')) && !PLACE_TO_GO.test(before.slice(-60));
}
