// npm run payment-modes -- --calls 10000 [--mode clean|...|all]: purchases through a facilitator with each of its faults, one JSON line per mode.
import { parseArgs } from 'node:util';
import { FACILITATOR_MODES } from '#sandbox/facilitator/mode.ts';
import { faultsOf, PaymentModes } from './facilitator-modes.ts';

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '1000' }, mode: { type: 'string', default: 'all' } },
});
const calls = Number(values.calls);
if (!/^\d{1,7}$/.test(values.calls) || calls < 1) throw new Error('--calls is a whole number from 1 on');
const modes = FACILITATOR_MODES.filter((mode) => values.mode === 'all' || values.mode === mode);
if (modes.length === 0) throw new Error(`--mode is one of ${FACILITATOR_MODES.join(', ')}, all`);

for (const mode of modes) {
  await using opened = await PaymentModes.open();
  const report = await opened.run(mode, calls);
  console.log(JSON.stringify(report));
  for (const fault of faultsOf(report)) {
    console.error(fault);
    process.exitCode = 1;
  }
}
