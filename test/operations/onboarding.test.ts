import { documentTest } from '../_documents.ts';

documentTest('onboarding');
