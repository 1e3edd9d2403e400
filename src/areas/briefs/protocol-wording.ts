import type { DocumentWording } from '#kernel/document.ts';

export const BRIEF_WORDING: DocumentWording = {
  labels: {
    of: 'Highest score',
    fields: 'Fields of a task card',
    good: 'Good when',
    weak: 'Weak when',
    credits: 'What a field counts',
    verdict_rules: 'How the verdict is decided',
    contradictions: 'Contradictions',
    question_order: 'Order of questions about open fields',
    question_rule: 'Which questions are asked',
    questions: 'Questions',
    en: 'English',
    nl: 'Dutch',
    held_fields: 'Fields that cannot change while an agent holds the work key',
    lint: 'Checks of a text without fields',
    days_kept_after_end: 'Days kept after the end',
    days_kept_unchanged: 'Days kept without a change',
  },
  notes: {
    fields: 'The score is the sum of weight times credit over all fields.',
    questions: 'In the order in which they are asked.',
    verdict_rules: 'The first rule that applies decides.',
  },
  maps: {
    credits: ['Field is', 'Credit'],
    en: ['Field', 'Question'],
    nl: ['Field', 'Question'],
    limits: ['Limit', 'Value'],
  },
};
