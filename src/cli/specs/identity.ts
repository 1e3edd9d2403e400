import type { CommandSpec } from '../line/spec.ts';

const load = async () => await import('../identity.ts');

/** How an agent signs its requests (Web Bot Auth). */
export const IDENTITY: CommandSpec = {
  name: 'identity',
  summary: 'Sign requests as your agent (Web Bot Auth)',
  examples: [
    './avouch identity keygen agent.seed > directory.json',
    './avouch identity sign https://api.example/v1/identity --key agent.seed --agent https://agent.example --out headers',
  ],
  subcommands: [
    {
      name: 'keygen',
      summary: 'Create a key in a new file and print the directory to publish',
      notes: ['Keep the file private: anyone with it can sign as you.'],
      operands: [{ name: 'file', help: 'Where the seed is written. Must not exist yet' }],
      examples: ['./avouch identity keygen agent.seed > directory.json'],
      load: async () => (await load()).keygen,
    },
    {
      name: 'sign',
      summary: 'Print the headers that sign one request',
      notes: ['curl sends them with -H @headers. /v1/identity says whether they verify, and why not.'],
      operands: [{ name: 'url', help: 'Full address of the request, with its query' }],
      options: [
        { name: 'key', value: '<file>', help: 'Seed file, as `identity keygen` writes it', isRequired: true },
        { name: 'agent', value: '<origin>', help: 'Your origin, which serves the directory', isRequired: true },
        { name: 'method', value: '<method>', help: 'Method of the request', fallback: 'GET' },
        { name: 'body', value: '<file>', help: 'Body of the request. Its digest is signed too' },
        {
          name: 'seconds',
          value: '<seconds>',
          help: 'How long the signature is valid',
          fallback: '60',
          number: { isWhole: true, min: 1, max: 86_400 },
        },
        { name: 'out', value: '<file>', help: 'Write the headers to this file', fallback: 'standard output' },
      ],
      examples: [
        './avouch identity sign https://api.example/v1/identity --key agent.seed --agent https://agent.example --out headers',
      ],
      load: async () => (await load()).sign,
    },
  ],
};
