/** Databases and clusters are named so that no statement has to quote them. */
export const clickhouseName = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** The database that an address names in its path; `livecode` where it names none. */
export const databaseOf = (address: string): string => new URL(address).pathname.slice(1) || 'livecode';

/** Whether an address is one of a server's HTTP interface: http(s)://user:password@host:8123/database */
export function isClickhouseAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && search === '' && hash === '' && clickhouseName.test(databaseOf(text));
}
