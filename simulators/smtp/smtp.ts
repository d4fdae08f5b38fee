import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { escaped, page } from '../page.ts';
import { type ReceivedMail, readMail } from './mail.ts';

/** Unless more are asked for. */
const keptMails = 500;

export type MailSimulator = {
  host: string;
  port: number;
  /** Where its page shows the mails, the newest first. */
  url: string;
  mails: ReceivedMail[];
  /** From now on it refuses every receiver with this answer, such as `550 no such mailbox`; null: it takes mails again. */
  refuse: (answer: string | null) => void;
  /** How long it takes to answer a mail that it has. */
  delay: (milliseconds: number) => void;
  stop: () => Promise<void>;
};

type Options = { port?: number; pagePort?: number; user?: string; password?: string; kept?: number };

/** A mail server that keeps what it is sent and delivers nothing. With a user it asks for the login. */
export async function startMailSimulator({
  port = 0,
  pagePort = 0,
  user,
  password,
  kept = keptMails,
}: Options = {}): Promise<MailSimulator> {
  const mails: ReceivedMail[] = [];
  let refusal: string | null = null;
  let pause = 0;
  const smtp = new SMTPServer({
    authOptional: user === undefined,
    // It runs beside the product, on the same machine.
    allowInsecureAuth: true,
    disabledCommands: user === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    logger: false,
    onAuth(auth, _session, done) {
      if (auth.username === user && auth.password === password) done(null, { user: auth.username });
      else done(Object.assign(new Error('Invalid login'), { responseCode: 535 }));
    },
    onRcptTo(_address, _session, done) {
      if (refusal === null) return done();
      const responseCode = Number(refusal.slice(0, 3)) || 550;
      done(Object.assign(new Error(refusal.slice(4)), { responseCode }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) };
        mails.push(readMail(Buffer.concat(chunks).toString(), envelope));
        if (mails.length > kept) mails.shift();
        setTimeout(() => done(null, 'kept'), pause);
      });
    },
  });
  // A client that goes away in the middle is none of its business.
  smtp.on('error', () => {});
  await new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', () => resolve()));

  const list = () =>
    mails
      .toReversed()
      .map(
        (mail) =>
          `<h2>${escaped(mail.subject)}</h2><p>${escaped(`${mail.to.join(', ')} · ${mail.at}`)}</p><pre>${escaped(mail.text)}</pre>`,
      )
      .join('');
  const http = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page(`Mails: ${mails.length}`, list()));
  });
  await new Promise<void>((resolve) => http.listen(pagePort, '127.0.0.1', resolve));

  return {
    host: '127.0.0.1',
    port: (smtp.server.address() as AddressInfo).port,
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    mails,
    refuse: (answer) => {
      refusal = answer;
    },
    delay: (milliseconds) => {
      pause = milliseconds;
    },
    async stop() {
      http.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => smtp.close(() => resolve())),
        new Promise<void>((resolve) => http.close(() => resolve())),
      ]);
    },
  };
}
