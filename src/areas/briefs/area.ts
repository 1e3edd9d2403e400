import { type OpenArea, on } from '#kernel/area.ts';
import type { Job } from '#kernel/job.ts';
import type { PlatformArea } from '#platform/platform.ts';
import { expiryJob } from '#platform/storage/expiry.ts';
import { MAX_QUESTIONS } from './clarity.ts';
import { BRIEF_PROTOCOL_DOCUMENT } from './protocol-document.ts';
import { BRIEF_WORDING } from './protocol-wording.ts';
import { brief, checkBrief, lintBrief, openBrief } from './operations.ts';
import { Briefs, type BriefsOptions } from './service.ts';
import { BRIEF_EXPIRY } from './sql.ts';

export interface OpenBriefs extends OpenArea {
  readonly briefs: Briefs;
  readonly jobs: readonly Job[];
}

/** What the crossing gives: who holds a key, and the light of it. */
export type BriefNeeds = Pick<BriefsOptions, 'holders' | 'lightOf'>;

export const briefsArea = {
  name: 'briefs',
  open({ store, clock, baseUrl, rules }, needs) {
    const briefs = new Briefs({ store, clock, baseUrl, rules, ...needs });
    return { briefs, jobs: [expiryJob('brief-sweep', { store, clock }, BRIEF_EXPIRY)] };
  },
  operations: [
    on(brief, ({ briefs }, input, call) => briefs.brief(input, call)),
    on(openBrief, ({ briefs }, input) => briefs.open(input.brief, input.accept_language)),
    on(checkBrief, ({ briefs }, input) => briefs.check(input)),
    on(lintBrief, ({ briefs }, input) => briefs.lint(input)),
  ],
  published: {
    limits: [{ area: 'brief', limit: 'questions', value: MAX_QUESTIONS }],
    protocols: [
      {
        id: 'acb-1',
        title: 'Agent briefs',
        version: BRIEF_PROTOCOL_DOCUMENT.protocol,
        what: 'What a task card contains, how its clarity is scored, and which questions follow.',
        document: BRIEF_PROTOCOL_DOCUMENT,
        wording: BRIEF_WORDING,
      },
    ],
  },
} satisfies PlatformArea<OpenBriefs, BriefNeeds>;
