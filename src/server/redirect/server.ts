import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { mayReadMetrics } from '../kit/metrics/guard.ts';
import { boundConnections, type ConnectionBounds, slowSenders } from '../kit/network/connections.ts';
import type { CidrSet } from '../kit/network/ip.ts';
import { visitOwnDevicePath } from '../kit/visits/own-devices.ts';
import { qrImagePrefix, reportQuery } from '../kit/visits/visit-paths.ts';
import { isPicturePath, servePicture } from './answers/pictures.ts';
import { createCertificates, isCertificateQuestion } from './certificates.ts';
import { readAskedImage } from './images/asked.ts';
import { answerFault } from './images/images.ts';
import type { Hosts } from './memory/hosts.ts';
import { longPressTokenOf } from './rotation/presses.ts';
import type { Visits } from './visits/visits.ts';

interface Options {
  visits: Visits;
  dataDir: string;
  onError: (error: unknown) => void;
  /** Whether visits can be recorded, and whether the database answers. */
  state: () => { journal: boolean; database: boolean };
  /** Undefined before anything is known. */
  hosts: () => Hosts | undefined;
  metrics: () => Promise<string>;
  metricsToken: string | undefined;
  proxies: CidrSet;
  connections?: Partial<ConnectionBounds> | undefined;
}

const headerBytes = 8 * 1024;
/** A slow sender of a body holds a connection no longer than this. */
const requestMilliseconds = 15_000;
const keepAliveMilliseconds = 20_000;
/** Carriers put thousands of phones behind one address. */
const bounds = { all: 20_000, perNetwork: 4_000 };

/** The HTTP server of the visit path. It does not listen yet. */
export function createVisitServer(options: Options): Server {
  const { visits, dataDir, onError, proxies, connections } = options;
  const certificateStatus = createCertificates(options);
  const server = createServer(
    {
      maxHeaderSize: headerBytes,
      ...slowSenders(connections?.headersMilliseconds),
      requestTimeout: requestMilliseconds,
      keepAliveTimeout: keepAliveMilliseconds,
      noDelay: true,
      // Spares the life cycle of a body stream for requests that have none.
      optimizeEmptyRequests: true,
    },
    (request, response) => {
      const { method } = request;
      if (isReport(request.url ?? '') && (method === 'POST' || method === 'GET')) {
        visits.report(request, response);
        return;
      }
      const token = method === 'POST' ? longPressTokenOf(request.url ?? '') : undefined;
      if (token !== undefined) visits.press(token, request, response);
      else if (method !== 'GET' && method !== 'HEAD') {
        response.writeHead(405, ['allow', 'GET, HEAD', 'content-length', '0']).end();
      } else if (!serveOther(request, response, options)) visits.take(request, response);
    },
  );
  boundConnections(server, { ...bounds, ...connections }, proxies);
  server.on('clientError', refuseMalformed);
  return server;

  function image(url: string, request: IncomingMessage, response: ServerResponse): boolean {
    const asked = readAskedImage(url);
    if (asked === undefined) return false;
    if ('fault' in asked) answerFault(response, asked.fault);
    else visits.image(asked, request, response);
    return true;
  }

  /** What is no visit, told by the path; false where it is one. */
  function serveOther(request: IncomingMessage, response: ServerResponse, { state, metrics, metricsToken }: Options): boolean {
    const url = request.url ?? '/';
    // Most file names are told apart by their second letter already.
    switch (url.charCodeAt(1)) {
      case 0x7e: // ~
        if (url.startsWith(visitOwnDevicePath)) {
          visits.ownDevice(request, response);
          return true;
        }
        if (!isPicturePath(url)) return false;
        servePicture(request, response, dataDir).catch((error) => {
          if (!response.destroyed) onError(error);
          response.destroy();
        });
        return true;
      case 0x66: // f
        return url === '/favicon.ico' && text(response, 204, '');
      case 0x68: // h
        return url === '/healthz' && text(response, 200, 'ok\n');
      case 0x6d: // m
        if (url !== '/metrics') return false;
        if (!mayReadMetrics(request, metricsToken)) return text(response, 403, '');
        void metrics().then(
          (told) => text(response, 200, told),
          () => text(response, 503, ''),
        );
        return true;
      case 0x71: // q
        return url.startsWith(qrImagePrefix) && image(url, request, response);
      case 0x72: // r
        if (url === '/robots.txt') return text(response, 200, 'User-agent: *\nDisallow: /\n');
        return url === '/readyz' && ready(response, state());
      case 0x74: // t
        if (!isCertificateQuestion(url)) return false;
        void certificateStatus(url).then(
          (status) => text(response, status, ''),
          (error) => {
            onError(error);
            text(response, 503, '');
          },
        );
        return true;
      default:
        return false;
    }
  }
}

const reportEnd = `?${reportQuery}`;
const isReport = (url: string): boolean => url.endsWith(reportEnd);

/** Visits are answered while the database is away, so that only a journal that takes none makes a process unready. */
function ready(response: ServerResponse, state: { journal: boolean; database: boolean }): true {
  return text(response, state.journal ? 200 : 503, `${JSON.stringify(state)}\n`, 'application/json');
}

function text(response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8'): true {
  response
    .writeHead(status, ['content-type', type, 'cache-control', 'no-store', 'content-length', String(Buffer.byteLength(body))])
    .end(body);
  return true;
}

function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
