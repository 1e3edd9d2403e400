import { jsonAnswer, type Simulator } from '../registers/simulator.ts';

const PROJECT = 'sandbox-group/tools';
const ISSUE = {
  iid: 3,
  title: 'Backups stop at midnight',
  state: 'opened',
  labels: ['bounty', '$300'],
  assignees: [{ username: 'anna' }],
  updated_at: '2026-11-01T10:00:00.000Z',
};
const PARTS: Readonly<Record<string, unknown>> = {
  '': ISSUE,
  '/related_merge_requests': [
    { state: 'opened', author: { username: 'ben' } },
    { state: 'merged', author: { username: 'carl' } },
  ],
  '/notes': [
    { body: '/claim', system: false, author: { username: 'dora' } },
    { body: 'assigned to @anna', system: true, author: { username: 'anna' } },
  ],
};

/** GitLab shows comments only to those who say who they are. */
export const GITLAB: Simulator = {
  answer({ path, header, isMismatched }) {
    const [, project = '', iid, part = ''] = /^\/projects\/([^/]+)\/issues\/(\d+)(\/\w+)?$/.exec(path) ?? [];
    const found = PARTS[part];
    if (decodeURIComponent(project) !== PROJECT || iid !== '3' || found === undefined) {
      return jsonAnswer(404, { message: '404 Not found' });
    }
    if (part === '/notes' && header('private-token') === undefined)
      return jsonAnswer(401, { message: '401 Unauthorized' });
    return jsonAnswer(200, isMismatched && part === '' ? { ...ISSUE, iid: 4 } : found);
  },
  throttle: () => jsonAnswer(429, { message: 'Retry later' }, { 'retry-after': '60' }),
};
