import { z } from 'zod';
import { messageAudiences, messageKinds, messagePlaces, notifyStatuses } from '../enums.ts';
import { call, group, loggedIn, requireAny } from '../kit/call.ts';
import { count, day, done, id, ids, line, oneOf, text, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** A message as its receiver sees it. */
export const receivedMessage = z.object({
  id,
  title: z.string(),
  /** Plain text. */
  content: z.string(),
  kind: z.enum(messageKinds),
  /** What it is about; null: nothing that has a screen. */
  place: z.enum(messagePlaces).nullable(),
  place_id: id.nullable(),
  notify_status: oneOf(notifyStatuses),
  sent_at: time,
  viewed_at: time.nullable(),
});
export type ReceivedMessage = z.infer<typeof receivedMessage>;

/** A message as those see it who send messages. */
export const sentMessage = z.object({
  id,
  title: z.string(),
  content: z.string(),
  kind: z.enum(messageKinds),
  audience: z.enum(messageAudiences),
  role_id: id.nullable(),
  role_name: z.string().nullable(),
  sender_id: id.nullable(),
  sender_account: z.string().nullable(),
  receiver_number: count,
  viewed_number: count,
  sent_at: time,
});
export type SentMessage = z.infer<typeof sentMessage>;

export const messageList = group('message_list', {
  inquire: call({
    summary: "The caller's own messages, newest first.",
    access: loggedIn,
    input: listInput(['id'], {
      notify_status: oneOf(notifyStatuses).optional(),
      /** Taken for the sake of older clients, which send it here too; only the header counts. */
      token: z.string().max(200).optional(),
    }),
    output: pageOf(receivedMessage),
  }),
  unread: call({
    summary: 'How many messages the caller has not viewed.',
    access: loggedIn,
    input: z.object({}),
    output: z.object({ count }),
  }),
  update_status: call({
    summary: "Mark one of the caller's messages as viewed.",
    access: loggedIn,
    input: z.object({ id }),
    output: done,
  }),
  view_all: call({
    summary: "Mark all of the caller's messages as viewed.",
    access: loggedIn,
    input: z.object({}),
    output: done,
  }),
  inquire_sent: call({
    summary: 'All messages that were sent, with how many have viewed them.',
    access: requireAny('message_list'),
    input: listInput(['id', 'receiver_number'], {
      search: z.string().max(100).optional(),
      audience: z.enum(messageAudiences).optional(),
      from: day.optional(),
      to: day.optional(),
    }),
    output: pageOf(sentMessage),
  }),
  send: call({
    summary: 'Send a message to everybody, to a role or to chosen users; open pages show it at once.',
    access: requireAny('message_list.send', 'user_list.message'),
    input: z.object({
      title: line(100).min(1, 'required'),
      content: text(4000).refine((value) => value.trim() !== '', 'required'),
      /** An alert where nothing is said. */
      kind: z.enum(messageKinds).optional(),
      audience: z.enum(messageAudiences),
      /** With audience `role`. */
      role_id: id.optional(),
      /** With audience `users`. */
      user_ids: ids.optional(),
    }),
    output: sentMessage,
    writes: true,
  }),
  clear: call({
    summary: 'Take messages back from everybody: these, or all.',
    access: requireAny('message_list.clear'),
    input: z.object({ ids: ids.optional() }),
    output: done,
    writes: true,
  }),
});
