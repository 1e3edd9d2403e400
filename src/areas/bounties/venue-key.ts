export type VenueKey =
  | { readonly venue: 'github'; readonly repository: string; readonly number: number }
  | { readonly venue: 'gitlab'; readonly repository: string; readonly number: number };

const GITHUB_ISSUE = /^https:\/\/github\.com\/([\w-]{1,100}\/[\w.-]{1,100})\/issues\/(\d{1,10})$/;
const GITLAB_ISSUE = /^https:\/\/gitlab\.com\/((?:[\w.-]{1,255}\/){1,20}[\w.-]{1,255})\/-\/issues\/(\d{1,10})$/;

/** The issue that a canonical key names at a venue that can be asked; null for every other key. */
export function venueKey(key: string): VenueKey | null {
  for (const [venue, pattern] of [
    ['github', GITHUB_ISSUE],
    ['gitlab', GITLAB_ISSUE],
  ] as const) {
    const [, repository = '', number = ''] = pattern.exec(key) ?? [];
    // Names that are dots would climb out of the path that is asked.
    const isPath = repository !== '' && !repository.split('/').some((name) => /^\.{1,2}$/.test(name));
    if (isPath && Number(number) > 0) return { venue, repository, number: Number(number) };
  }
  return null;
}
