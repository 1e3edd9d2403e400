import { auditsArea } from '#areas/audits/area.ts';
import { bountiesArea } from '#areas/bounties/area.ts';
import { briefsArea } from '#areas/briefs/area.ts';
import { capabilitiesArea } from '#areas/capabilities/area.ts';
import { crossingArea } from '#areas/crossing/area.ts';
import { mandatesArea } from '#areas/mandates/area.ts';
import { verdictsArea } from '#areas/verdicts/area.ts';
import { walletArea } from '#areas/wallet/area.ts';

/** The areas that keep the contract of kernel/area.ts. */
export const AREAS = [
  crossingArea,
  bountiesArea,
  briefsArea,
  verdictsArea,
  auditsArea,
  mandatesArea,
  walletArea,
  capabilitiesArea,
] as const;
