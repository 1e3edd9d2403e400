import { testServerCard } from '../_server-card.ts';

testServerCard('mcp_server_card', '/mcp/streamable/server-card');
