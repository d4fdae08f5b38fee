export { checkCertificate } from './checks/certificate.ts';
export { createLookup, findRecords } from './checks/dns.ts';
export { checkHost } from './domains.hosts.ts';
export { isDevelopmentName, nameOf } from './domains.names.ts';
