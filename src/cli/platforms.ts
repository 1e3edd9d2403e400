import { PLATFORMS, suspensionUnit } from '#areas/mandates/suspension.ts';
import { isoTime } from '#kernel/clock.ts';
import { columns } from './line/columns.ts';
import type { Run } from './line/spec.ts';
import { openStore } from './operator-store.ts';

const HEADER = ['PLATFORM', 'STATUS', 'REGISTERED', 'NAME'];

export const listPlatforms: Run = async (_given, output) => {
  await using opened = await openStore(output);
  const found = await opened.foundation.store.read(PLATFORMS);
  const platforms = found.map(({ id, name, status, createdAtMs }) => {
    return { platform_id: id, name, status, registered_at: isoTime(createdAtMs) };
  });
  const rows = platforms.map(({ platform_id, name, status, registered_at }) => [
    platform_id,
    status,
    registered_at,
    name,
  ]);
  output.result({ platforms }, columns(HEADER, rows));
  return 0;
};

function becomes(status: 'suspended' | 'active'): Run {
  return async ({ operands }, output) => {
    const [platformId] = operands as [string];
    await using opened = await openStore(output);
    const platform = await opened.foundation.store.run(suspensionUnit, { platformId, status });
    if (platform === null)
      throw new Error(`No platform has the id ${platformId}. \`avouch platforms list\` shows them.`);
    const value = { platform_id: platform.id, status: platform.status };
    output.result(value, `${platform.id} is ${status === 'active' ? 'active again' : status}.\n`);
    return 0;
  };
}

export const suspendPlatform = becomes('suspended');
export const resumePlatform = becomes('active');
