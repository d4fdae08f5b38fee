import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type CidrSet, canonicalIp, clientAddress } from '../kit/network/ip.ts';
import { isProgram } from '../visits/programs.public.ts';
import { createLruCache } from './memory/lru-cache.ts';
import { chooseLanguage, type PageLanguage, pageLanguages } from './pages/texts.ts';

/** Where a connection's address could not be read any more, because the visitor is gone. */
const noAddress = '0.0.0.0';
const remembered = 1000;
const maxLanguageLength = 35;

const socketAddresses = new WeakMap<Socket, string>();

/** The visitor's address: the connection's own, which is read once, or what our proxies say of it. */
export function visitorAddress(request: IncomingMessage, proxies: CidrSet): string {
  const { socket } = request;
  let remote = socketAddresses.get(socket);
  if (remote === undefined) {
    remote = canonicalIp(socket.remoteAddress ?? '') ?? noAddress;
    socketAddresses.set(socket, remote);
  }
  if (proxies.size === 0) return remote;
  const header = request.headers['x-forwarded-for'];
  return clientAddress(remote, Array.isArray(header) ? header.join(',') : header, proxies) || noAddress;
}

/** As much of a user agent as the journal keeps, so that what is read there later tells the same. */
const agentCharacters = 512;
const rememberedAgents = 4000;

/** Tells programs by their user agents. Few of these make most visits: each is looked at once in a while. */
export function createProgramReader(): (userAgent: string) => boolean {
  const known = createLruCache<boolean>(rememberedAgents);
  return (userAgent) => {
    const agent = userAgent.length > agentCharacters ? userAgent.slice(0, agentCharacters) : userAgent;
    const found = known.get(agent);
    if (found !== undefined) return found;
    const told = isProgram(agent);
    known.set(agent, told);
    return told;
  };
}

export interface AcceptedLanguage {
  /** Position in `pageLanguages`. */
  page: number;
  /** The first tag of the header, for the record. */
  tag: string;
}

/** Browsers of one kind send the same header, so that few are ever read. */
export function createLanguageReader(fallback: PageLanguage): (header: string | undefined) => AcceptedLanguage {
  const known = createLruCache<AcceptedLanguage>(remembered);
  return (header = '') => {
    const found = known.get(header);
    if (found !== undefined) return found;
    const tag = /^\s*([a-z0-9-]+|\*)/i.exec(header)?.[1] ?? '';
    const read = { page: pageLanguages.indexOf(chooseLanguage(header, fallback)), tag: tag.slice(0, maxLanguageLength) };
    known.set(header, read);
    return read;
  };
}

export interface Address {
  /** Without the query. */
  path: string;
  /** What follows the question mark. */
  query: string;
  /** The host inside the request line, where a proxy's client wrote the whole address there. */
  host: string | undefined;
}

export function readAddress(url: string): Address {
  const [, host, rest] = url.startsWith('/') ? [] : (/^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []);
  const local = rest ?? url;
  const mark = local.indexOf('?');
  return mark < 0 ? { path: local || '/', query: '', host } : { path: local.slice(0, mark) || '/', query: local.slice(mark + 1), host };
}

const fileNamePattern = /^[a-z0-9_-]{4,32}$/;

/** The file name that a path asks for, or the empty text. Some scanners write the whole address in capitals. */
export function fileNameOf(path: string): string {
  const name = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  if (fileNamePattern.test(name)) return name;
  const lower = name.toLowerCase();
  return fileNamePattern.test(lower) ? lower : '';
}

/** The value of a one-letter parameter, as it was written. */
export function parameterOf(query: string, name: 's' | 't'): string {
  for (const part of query.split('&')) if (part.startsWith(`${name}=`)) return part.slice(2);
  return '';
}

/** The messenger names itself so in its in-app browser, on phones and desktops, its enterprise version included. */
export const isMessenger = (userAgent: string): boolean => userAgent.includes('MicroMessenger/');
