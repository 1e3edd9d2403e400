import { declareAgreement } from './signed-requests.ts';

declareAgreement(400);
