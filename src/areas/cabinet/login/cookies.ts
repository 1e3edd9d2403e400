const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export type CookieName = 'lb' | 'sid' | 'kb';

/** The cookies of the cabinet: a browser that asked, its session, and a browser that has logged in before. Browsers keep `__Host-` names to https, which a sandbox on loopback has not. */
export class Cookies {
  readonly #isSecure: () => boolean;

  constructor(isSecure: () => boolean) {
    this.#isSecure = isSecure;
  }

  /** The value of a cookie where it has the form of ours. */
  read(header: string | undefined, name: CookieName): string | undefined {
    const wanted = `${this.#nameOf(name)}=`;
    const pair = header?.split(';').find((one) => one.trimStart().startsWith(wanted));
    const value = pair?.trim().slice(wanted.length);
    return value !== undefined && TOKEN.test(value) ? value : undefined;
  }

  set(name: CookieName, value: string, maxAgeSeconds: number): string {
    const secure = this.#isSecure() ? ' Secure;' : '';
    return `${this.#nameOf(name)}=${value}; Path=/;${secure} HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
  }

  #nameOf(name: CookieName): string {
    return this.#isSecure() ? `__Host-${name}` : name;
  }
}
