// npm run mcp-conformance: the scenarios of the official conformance suite that a server of tools alone can meet, of both
// lines: the released suite for the versions before 2026-07-28, its prerelease for that one.
import { conformance } from './conformance-scenarios.ts';

const results = await conformance();
for (const { scenario, told } of results) console.log(`${scenario}: ${told}`);
const failed = results.filter(({ isMet }) => !isMet).length;
console.log(
  failed === 0 ? `all ${results.length} scenarios passed` : `${failed} of ${results.length} scenarios failed`,
);
process.exitCode = failed === 0 ? 0 : 1;
