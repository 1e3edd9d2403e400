import assert from 'node:assert/strict';
import { testPage } from '../../support/cabinet.ts';

testPage('cabinet_account', '/cabinet/account', ({ json }) => {
  assert.deepEqual([json['agents'], json['total_available_eur'], json['in_use']], [1, '5.00', []]);
  assert.match(JSON.stringify(json['keeps']), /the law requires us to keep accounts/);
});
