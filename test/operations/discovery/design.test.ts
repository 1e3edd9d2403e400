import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';

documentTest('design', (_service, _statuses, { json }) => {
  const tokens = json['tokens'] as { name: string; light: string; dark: string }[];
  assert.ok(tokens.some(({ name, light, dark }) => name === 'ink' && light !== dark));
  assert.ok((json['components'] as unknown[]).length >= 12);
});
