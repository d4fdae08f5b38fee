import http from 'node:http';

export type Reply = { status: number; milliseconds: number; bytes: number; retryAfter: string | undefined; visitId: string | undefined };
type Asked = {
  method?: 'GET' | 'POST';
  port: number;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
  agent?: http.Agent;
  timeoutSeconds?: number;
};

/** One request to this machine. Status 0 where no answer came: the connection broke, or the time was over. */
export function send({
  port,
  path,
  headers = {},
  body,
  agent,
  method = body ? 'POST' : 'GET',
  timeoutSeconds = 60,
}: Asked): Promise<Reply> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, bytes: number, found: http.IncomingHttpHeaders = {}) => {
      clearTimeout(timer);
      const visitId = found['x-visit-id'];
      resolve({
        status,
        milliseconds: performance.now() - startedAt,
        bytes,
        retryAfter: found['retry-after'],
        visitId: typeof visitId === 'string' ? visitId : undefined,
      });
    };
    const request = http.request({ method, host: '127.0.0.1', port, path, agent, headers }, (response) => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      response.once('end', () => end(response.statusCode ?? 0, bytes, response.headers));
      response.once('error', () => end(0, bytes));
    });
    const timer = setTimeout(() => request.destroy(new Error('too late')), timeoutSeconds * 1000);
    request.once('error', () => end(0, 0));
    request.end(body);
  });
}

export type User = { token: string; address: string };

/** A call of the API; each user comes from an address of his own. */
export const callAs = (port: number, user: User | undefined, path: string, body: Buffer | object, agent?: http.Agent): Promise<Reply> => {
  const payload = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const headers = {
    'content-type': 'application/json',
    'content-length': String(payload.length),
    ...(user ? { authorization: `Bearer ${user.token}`, 'x-forwarded-for': user.address } : {}),
  };
  return send({ port, path: `/api/${path}`, headers, body: payload, ...(agent && { agent }) });
};

export function uploadAs(port: number, user: User, path: string, file: { name: string; bytes: Buffer }): Promise<Reply> {
  const boundary = 'abuse-boundary';
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\n\r\n`),
    file.bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(body.length),
    authorization: `Bearer ${user.token}`,
    'x-forwarded-for': user.address,
  };
  return send({ port, path: `/api/${path}`, headers, body });
}
