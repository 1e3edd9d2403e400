import type { CommandSpec, Option } from '../line/spec.ts';
import { URL_OPTION } from './options.ts';

const AGENT: Option = {
  name: 'agent',
  value: '<name>',
  help: 'The name under which you claim',
  fallback: 'AVOUCH_AGENT',
};

/** Commands that other programs run. */
export const HOOK: CommandSpec = {
  name: 'hook',
  summary: 'Ask before a git push or before an agent edits a file',
  examples: ['./avouch hook install pre-push --agent a7'],
  subcommands: [
    {
      name: 'install',
      summary: 'Install a git hook into this repository',
      notes: ['Never replaces a hook that is already there. `git push --no-verify` skips it.'],
      operands: [{ name: 'hook', help: 'pre-push', choices: ['pre-push'] }],
      options: [{ ...AGENT, isRequired: true }, URL_OPTION],
      examples: ['./avouch hook install pre-push --agent a7 --url https://avouch.example'],
      load: async () => (await import('../hook.ts')).install,
    },
    {
      name: 'pre-push',
      summary: 'Refuse the push of branch issue-12 if another agent holds owner/repo#12 (run by git)',
      operands: [
        { name: 'remote', help: 'Name of the remote, from git' },
        { name: 'remote url', help: 'Its address, from git' },
      ],
      options: [AGENT, URL_OPTION],
      exits: { 1: 'another agent holds the work; the push is refused' },
      examples: ['./avouch hook pre-push origin git@github.com:acme/repo.git --agent a7'],
      load: async () => (await import('../hook.ts')).prePush,
    },
    {
      name: 'pre-tool',
      summary: 'Claim the file that an agent is about to edit (run by the agent before a tool)',
      notes: [
        'Reads the call as JSON from standard input: tool_input.file_path, cwd and session_id. The lease expires ten minutes after the last edit. If another agent holds the file, the exit code is 2, which agents take as a refusal, and the reason is on standard error.',
        'The lease token is made from session_id and a secret of this user, ~/.local/state/avouch/hook-secret (XDG_STATE_HOME). The first call creates it. A call without session_id needs --agent.',
      ],
      options: [AGENT, URL_OPTION],
      exits: { 1: 'it was not checked whether the file is free' },
      examples: ['echo \'{"tool_input":{"file_path":"src/a.ts"},"session_id":"s1"}\' | ./avouch hook pre-tool'],
      load: async () => (await import('../hook.ts')).preTool,
    },
  ],
};
