import { documentTest } from '../../support/documents.ts';

documentTest('mcp_server_card');
