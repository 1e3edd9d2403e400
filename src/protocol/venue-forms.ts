/** An issue of a venue, as parts of its address. */
export interface VenueIssue {
  readonly host: string;
  readonly path: string;
}

const OWNER_AND_REPOSITORY = String.raw`([\w-]+)\/([\w.-]+)`;
// At most 10 digits: a longer number would be written as 1e+23.
const NUMBER = String.raw`(\d{1,10})`;

const GITHUB_TEXTS: readonly RegExp[] = [
  new RegExp(`^(?:(?i:gh|github):)?${OWNER_AND_REPOSITORY}(?: ?#|/(?:issues|pulls?)/)${NUMBER}$`),
  new RegExp(`^(?i:gh|github):${OWNER_AND_REPOSITORY}/${NUMBER}$`),
];

/** Issues and pull requests share one number space. */
const GITHUB_PATHS: ReadonlyMap<string, readonly RegExp[]> = new Map([
  [
    'github.com',
    [
      new RegExp(`^/${OWNER_AND_REPOSITORY}/issues/${NUMBER}(?:/linked_closing_reference)?$`),
      new RegExp(`^/${OWNER_AND_REPOSITORY}/pulls/${NUMBER}$`),
      new RegExp(String.raw`^/${OWNER_AND_REPOSITORY}/pull/${NUMBER}(?:\.(?:diff|patch)|/.*)?$`),
    ],
  ],
  ['api.github.com', [new RegExp(`^/repos/${OWNER_AND_REPOSITORY}/(?:issues|pulls)/${NUMBER}$`)]],
  [
    'patch-diff.githubusercontent.com',
    [new RegExp(String.raw`^/raw/${OWNER_AND_REPOSITORY}/pull/${NUMBER}\.(?:diff|patch)$`)],
  ],
]);

/** The issue that a short text names, such as `acme/repo#12`. */
export function githubText(text: string): VenueIssue | null {
  return githubIssue(GITHUB_TEXTS, text);
}

export function githubPath(host: string, path: string): VenueIssue | null {
  return githubIssue(GITHUB_PATHS.get(host) ?? [], path);
}

function githubIssue(patterns: readonly RegExp[], text: string): VenueIssue | null {
  for (const pattern of patterns) {
    const [, owner = '', repository = '', number] = pattern.exec(text) ?? [];
    if (number === undefined) continue;
    let name = repository.toLowerCase();
    while (name.endsWith('.git')) name = name.slice(0, -'.git'.length);
    // As a path these would climb out of the owner.
    if (name === '' || name === '.' || name === '..') return null;
    return { host: 'github.com', path: `/${owner.toLowerCase()}/${name}/issues/${Number(number)}` };
  }
  return null;
}

/** Public installations of GitLab whose names do not say so. */
const GITLAB_HOSTS: ReadonlySet<string> = new Set([
  ...['salsa.debian.org', 'invent.kde.org', 'framagit.org', 'git.drupalcode.org', 'code.videolan.org', '0xacab.org'],
]);

/** Elsewhere case and query may tell one piece of work from another. */
function isGitlabHost(hostName: string): boolean {
  return GITLAB_HOSTS.has(hostName) || hostName.split('.').includes('gitlab');
}

const GITLAB_ITEM =
  /^((?:\/(?!-\/)[^/]+){2,}?)\/-\/(?:(issues|work_items|merge_requests)|issues\/incident)\/(\d{1,10})(?:\/.*)?$/;
/** As GitLab wrote its addresses before 2019; it still leads from there to the new ones. */
const OLD_GITLAB_ITEM = /^((?:\/[^/]+){2,}?)\/(issues|merge_requests)\/(\d{1,10})(?:\/.*)?$/;
/** No groups or projects: what follows is a page, a branch or a file, and may be called `issues/7`. */
const GITLAB_PAGES: ReadonlySet<string> = new Set([
  ...['-', 'api', 'archive', 'blame', 'blob', 'branches', 'builds', 'commit', 'commits', 'compare', 'create'],
  ...['dashboard', 'edit', 'explore', 'files', 'find_file', 'graphs', 'groups', 'help', 'network', 'new', 'pipelines'],
  ...['raw', 'refs', 'releases', 'repository', 'snippets', 'tags', 'tree', 'update', 'users', 'wikis'],
]);

/** The form of an issue or merge request of GitLab, which may run on any host. */
export function looksLikeGitlab(path: string): boolean {
  return GITLAB_ITEM.test(path);
}

/** The issue or merge request that an address names; what follows its number, case and query tell nothing there. */
export function gitlabPath(hostName: string, host: string, url: { path: string; query: string }): VenueIssue | null {
  // `show` opens another item over this one.
  if (!isGitlabHost(hostName) || /[?&]show=/.test(url.query)) return null;
  const [, project = '', kind, number] = GITLAB_ITEM.exec(url.path) ?? oldGitlabItem(url.path) ?? [];
  if (number === undefined) return null;
  const shown = kind === 'merge_requests' ? kind : 'issues';
  // Escapes are written in upper case everywhere.
  const name = project.toLowerCase().replace(/%[0-9a-f]{2}/g, (escape) => escape.toUpperCase());
  return { host, path: `${name}/-/${shown}/${Number(number)}` };
}

function oldGitlabItem(path: string): RegExpExecArray | null {
  const parts = OLD_GITLAB_ITEM.exec(path);
  return parts?.[1]?.split('/').some((part) => GITLAB_PAGES.has(part)) ? null : parts;
}
