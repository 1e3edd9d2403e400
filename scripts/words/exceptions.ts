/** A phrase that is right where it is. */
export interface Exception {
  /** Beginning of the place, such as a file. */
  readonly place: string;
  /** Part of the text. */
  readonly text: string;
  readonly reason: string;
}

const SEALED = 'The text is part of a document whose digest is published.';
const INJECTED = 'Fault is the usual word for an error that a test injects.';

export const EXCEPTIONS: readonly Exception[] = [
  { place: 'src/protocol/attestation/schemas/', text: 'what came of it', reason: SEALED },
  { place: 'src/protocol/attestation/schemas/', text: 'this state of its own', reason: SEALED },
  { place: 'src/protocol/attestation/schemas/', text: 'Why the registers are asked', reason: SEALED },
  { place: 'CONTRIBUTING.md', text: 'faults', reason: INJECTED },
  { place: 'docs/reliability.md', text: 'faults', reason: INJECTED },
  { place: 'docs/reliability.md', text: 'Faults', reason: INJECTED },
  { place: 'docs/reliability.md', text: 'fault test', reason: INJECTED },
  { place: 'docs/reliability.md', text: 'register-beside', reason: 'The name of a test.' },
  { place: 'src/areas/discovery/site-pages.ts', text: 'sign in login', reason: 'A word that people search for.' },
  { place: 'docs/glossary.md', text: '| cabinet |', reason: 'The glossary explains the name on the wire.' },
  {
    place: 'src/areas/capabilities/text/text-redact.ts',
    text: 'and mail jan@shop.example',
    reason: 'An example text.',
  },
  { place: 'src/areas/audits/incidents.ts', text: 'wrote it again and again', reason: 'It is meant literally.' },
  {
    place: 'src/sandbox/model-provider/fictional-answer.ts',
    text: 'This stands in no document',
    reason: 'Invented text.',
  },
  { place: 'docs/settings.md', text: 'standin is a simulator', reason: 'The value of a setting.' },
  { place: 'src/platform/config/env.ts', text: 'standin is a simulator', reason: 'The value of a setting.' },
  { place: 'src/cli/migrate-store.ts', text: 'log-high-water', reason: 'The name of a file.' },
];
