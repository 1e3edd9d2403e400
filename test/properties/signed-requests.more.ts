import { declareAgreement } from './signed-requests.ts';

declareAgreement(10_000);
