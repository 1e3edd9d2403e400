import { documentTest } from '../../support/documents.ts';

documentTest('llms_full');
