import { documentTest } from '../_documents.ts';

documentTest('llms_full');
