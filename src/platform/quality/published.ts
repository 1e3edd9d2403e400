import figures from './published.json' with { type: 'json' };

/** What the frozen sets gave when they were last measured; docs/quality.md says how. `npm run eval:quality` writes it. */
export const PUBLISHED_QUALITY = figures;
