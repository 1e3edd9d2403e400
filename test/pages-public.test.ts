import { testEveryPage } from './_browser.ts';

testEveryPage('public');
