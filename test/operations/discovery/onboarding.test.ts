import { documentTest } from '../../support/documents.ts';

documentTest('onboarding');
