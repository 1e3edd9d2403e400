import type { CommandSpec, Operand, Option } from '../line/spec.ts';
import { JSON_ALWAYS, URL_OPTION } from './options.ts';

const MANDATE_FILE: Operand = { name: 'file', help: 'The mandate as a JSON object' };
const MANDATE_ID: Operand = { name: 'mandate id', help: 'mnd_ and 26 characters' };
const KEY: Option = { name: 'key', value: '<file>', help: "The principal's seed file, as `mandate keygen` writes it" };
const CONTROL: Option = {
  name: 'control',
  value: '<file or token>',
  help: 'The control token (amhm_...), or the file with the output of `mandate create`',
};
const OUT: Option = {
  name: 'out',
  value: '<file>',
  help: 'Write the result to this file, readable by you alone. Must not exist yet',
  fallback: 'standard output',
};
const platforms = (help: string, isRequired = false): Option => ({
  name: 'platform',
  value: '<id,id>',
  help,
  ...(isRequired && { isRequired }),
});

const ID = 'mnd_0123456789abcdefghjkmnpqrs';
const PLATFORM = 'plt_0123456789abcdefghjkmnpqrs';
const load = async () => (await import('../mandate.ts')).ACTIONS;

/** The principal's side; the private key never leaves this machine. */
export const MANDATE: CommandSpec = {
  name: 'mandate',
  summary: 'Sign, create, show, check or revoke a mandate: what an agent may commit for its principal',
  examples: [
    './avouch mandate keygen principal.seed',
    `./avouch mandate sign mandate.json --key principal.seed --platform ${PLATFORM} --out signed.json`,
    './avouch mandate create signed.json --out mandate-answer.json',
  ],
  subcommands: [
    {
      name: 'keygen',
      summary: "Create the principal's key in a new file",
      notes: ['Keep the file private: anyone with it can act as the principal. Prints the public key.'],
      operands: [{ name: 'file', help: 'Where the seed is written. Must not exist yet' }],
      examples: ['./avouch mandate keygen principal.seed'],
      load: async () => (await load()).keygen,
    },
    {
      name: 'sign',
      summary: 'Sign a mandate as its principal',
      operands: [MANDATE_FILE],
      options: [
        { ...KEY, isRequired: true },
        { name: 'new-key', help: 'Create the key file first, as `mandate keygen` does' },
        platforms('Platforms that may use the mandate'),
        OUT,
      ],
      json: JSON_ALWAYS,
      examples: [`./avouch mandate sign mandate.json --key principal.seed --platform ${PLATFORM} --out signed.json`],
      load: async () => (await load()).sign,
    },
    {
      name: 'create',
      summary: 'Register a mandate with the service',
      notes: [
        'The response contains the control token, which is shown once: it narrows, voids and revokes the mandate.',
      ],
      operands: [{ ...MANDATE_FILE, help: 'The signed mandate, as `mandate sign` writes it' }],
      options: [
        { name: 'unsigned', help: 'Create it without a signature. It then proves nothing about who created it' },
        platforms('Platforms that may use an unsigned mandate'),
        { name: 'open', help: 'Let every platform that learns its id use the mandate' },
        OUT,
        URL_OPTION,
      ],
      json: JSON_ALWAYS,
      examples: [
        './avouch mandate create signed.json --out mandate-answer.json',
        `./avouch mandate create mandate.json --unsigned --platform ${PLATFORM}`,
      ],
      load: async () => (await load()).create,
    },
    {
      name: 'show',
      summary: 'Show a mandate and what is left of it',
      operands: [MANDATE_ID],
      options: [CONTROL, OUT, URL_OPTION],
      json: JSON_ALWAYS,
      examples: [`./avouch mandate show ${ID} --control mandate-answer.json`],
      load: async () => (await load()).show,
    },
    {
      name: 'ap2',
      summary: 'Check an AP2 mandate offline and show what an import makes of it',
      notes: [
        'Exits with 1 if a signature, a binding or a constraint fails. Budgets and earlier uses are not checked. Without --user-jwk signatures are not_checked, unless one is wrong.',
      ],
      operands: [{ name: 'file', help: 'An open payment mandate (SD-JWT), or a chain joined by ~~' }],
      options: [{ name: 'user-jwk', value: '<file>', help: "The user's public key as a JWK" }],
      json: JSON_ALWAYS,
      examples: ['./avouch mandate ap2 chain.txt --user-jwk user.jwk'],
      load: async () => (await load()).ap2,
    },
    {
      name: 'narrow',
      summary: 'Limit a mandate to fewer platforms',
      notes: ['Needs --control or --key.'],
      operands: [MANDATE_ID],
      options: [platforms('The platforms that may still use it', true), CONTROL, KEY, OUT, URL_OPTION],
      json: JSON_ALWAYS,
      examples: [`./avouch mandate narrow ${ID} --platform ${PLATFORM} --control mandate-answer.json`],
      load: async () => (await load()).narrow,
    },
    {
      name: 'void',
      summary: 'Void the holds and commits of one platform',
      notes: ['Needs --control or --key.'],
      operands: [MANDATE_ID],
      options: [
        { ...platforms('The one platform whose holds and commits are void', true), value: '<id>' },
        CONTROL,
        KEY,
        OUT,
        URL_OPTION,
      ],
      json: JSON_ALWAYS,
      examples: [`./avouch mandate void ${ID} --platform ${PLATFORM} --control mandate-answer.json`],
      load: async () => (await load()).void,
    },
    {
      name: 'revoke',
      summary: 'Revoke a mandate permanently',
      notes: ['Needs --control or --key.'],
      operands: [MANDATE_ID],
      options: [CONTROL, KEY, OUT, URL_OPTION],
      json: JSON_ALWAYS,
      examples: [`./avouch mandate revoke ${ID} --key principal.seed`],
      load: async () => (await load()).revoke,
    },
  ],
};
