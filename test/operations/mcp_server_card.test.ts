import { documentTest } from '../_documents.ts';

documentTest('mcp_server_card');
