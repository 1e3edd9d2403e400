import { statfsSync } from 'node:fs';

/** NFS, SMB and CIFS, by the numbers of statfs. */
const NETWORK_FILE_SYSTEMS = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/** False where it cannot be told. */
export function isOnNetwork(path: string): boolean {
  try {
    return NETWORK_FILE_SYSTEMS.has(statfsSync(path).type);
  } catch {
    return false;
  }
}
