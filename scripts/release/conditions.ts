export interface ReleaseState {
  readonly version: string;
  /** What `git status --porcelain` prints. */
  readonly changes: string;
  readonly tags: readonly string[];
  readonly changelog: string;
}

const BEFORE_UPGRADE = '### Before you upgrade';

/** Sentences about why there can be no release of this state. */
export function releaseObstacles({ version, changes, tags, changelog }: ReleaseState): string[] {
  const section = changelog.split(/^## /m).find((part) => part.startsWith(`[${version}] - `));
  const isDated = section !== undefined && /^\[[\d.]+\] - \d{4}-\d{2}-\d{2}$/m.test(section);
  return [
    ...(changes === '' ? [] : [`there are changes that are not committed:\n${changes}`]),
    ...(tags.includes(`v${version}`) ? [`the tag v${version} is there already`] : []),
    ...(isDated ? [] : [`CHANGELOG.md has no dated section of ${version}`]),
    ...(section === undefined || section.includes(BEFORE_UPGRADE) ? [] : [`${version} lacks "${BEFORE_UPGRADE}"`]),
  ];
}
