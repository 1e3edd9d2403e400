import { fileURLToPath } from 'node:url';

/** Where the packages lie that the service uses: below the checkout, or around the service where it is a package itself. */
export const PACKAGES_FOLDER: string = fileURLToPath(import.meta.resolve('zod')).replace(
  /(?<=.*\/node_modules)\/.*$/,
  '',
);
