import type { DocumentWording } from '#kernel/document.ts';

/** How the page of the usage rules reads. */
export const RULES_WORDING: DocumentWording = {
  labels: {
    in_force: 'In force',
    canon: 'Canon',
    audit: 'Audit trail',
    rules_sha256: 'SHA-256 of the rules',
    allowed: 'What is allowed',
    rules: 'What is not allowed',
    versions: 'Versions',
    default: 'Everything else',
    signals: 'What is counted',
    consequences: 'What follows',
    quality: 'How well the text filter works',
    changelog: 'Changes',
    key: 'Rule',
    text: 'Rule in words',
    level: 'Kind',
    enforcement: 'How it is enforced',
    code: 'Error',
    applies_to: 'Applies to',
    clarify: 'Ask here',
    flags: 'Who is flagged',
    budget: 'Limit',
    measure: 'What is measured',
    untouched: 'Always possible',
    frozen: 'Frozen set',
    harmful: 'Harmful texts',
    caught: 'Of these refused',
    harmless: 'Harmless texts',
    refused: 'Of these refused by mistake',
  },
  notes: {
    rules: 'Each rule says how it is enforced and which error a call gets.',
    default: 'What is not listed as allowed is forbidden until you have asked.',
  },
};
