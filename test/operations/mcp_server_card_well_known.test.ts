import { testServerCard } from '../_server-card.ts';

testServerCard('mcp_server_card_well_known', '/.well-known/mcp/server-card.json');
