import { optionOf } from './line/field-problems.ts';
import type { Run } from './line/spec.ts';
import { callOperation } from './log-client.ts';
import { serviceUrl } from './service-url.ts';

const WAIT_SECONDS = 20;

export const watch: Run = async ({ operands: [key], values }, output) => {
  const count = values['count'] === undefined ? Infinity : Number(values['count']);
  const url = serviceUrl(values['url'], output.env);
  const nameOf = (field: string) => (field === 'key' ? '<work key>' : optionOf(field));
  let after = values['after'];
  for (let shown = 0; shown < count; ) {
    const { events, rev } = await callOperation(url, 'watch', { key, wait: WAIT_SECONDS, after }, { nameOf });
    for (const event of (events as unknown[]).slice(0, count - shown)) {
      output.out(`${JSON.stringify(event)}\n`);
      shown += 1;
    }
    after = String(rev);
  }
  return 0;
};
