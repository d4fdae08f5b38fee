import { z } from 'zod';

const number = z.number().int();
/** PostgreSQL stores neither NUL nor half a surrogate pair. */
const text = (max: number) => z.string().transform((value) => value.slice(0, max).replaceAll('\u0000', '').toWellFormed());

const person = z.object({
  id: number,
  is_bot: z.boolean().optional(),
  first_name: text(128).optional(),
  last_name: text(128).optional(),
  username: text(64).optional(),
  language_code: text(20).optional(),
});
const chat = z.object({
  id: number,
  type: text(20),
  title: text(256).optional(),
  first_name: text(128).optional(),
  last_name: text(128).optional(),
  username: text(64).optional(),
});
const message = z.object({
  message_id: number,
  message_thread_id: number.optional(),
  is_topic_message: z.boolean().optional(),
  from: person.optional(),
  /** Of administrators who write as their group. */
  sender_chat: z.object({ id: number }).optional(),
  chat,
  text: text(4096).optional(),
  /** One picture in several sizes. */
  photo: z
    .array(z.object({ file_id: text(300), file_size: number.optional(), width: number, height: number }))
    .max(20)
    .optional(),
  /** A file; a picture that was sent as one is as it was made. */
  document: z.object({ file_id: text(300), mime_type: text(100).optional(), file_size: number.optional() }).optional(),
  /** What stands below a picture or file. */
  caption: text(1024).optional(),
  migrate_to_chat_id: number.optional(),
});

/** What of an update is looked at; all else is left out before it is kept. */
export const update = z.object({
  update_id: number,
  message: message.optional(),
  callback_query: z
    .object({ id: text(100), from: person, data: text(64).optional(), message: z.object({ message_id: number, chat }).optional() })
    .optional(),
  my_chat_member: z.object({ chat, from: person, new_chat_member: z.object({ status: text(20) }) }).optional(),
});
export type Update = z.infer<typeof update>;
export type Message = z.infer<typeof message>;
export type Person = z.infer<typeof person>;
export type Chat = z.infer<typeof chat>;

/** What Telegram is asked for. */
export const allowedUpdates = ['message', 'callback_query', 'my_chat_member'] as const;

export const chatOf = ({ message: sent, callback_query, my_chat_member }: Update): Chat | undefined =>
  sent?.chat ?? callback_query?.message?.chat ?? my_chat_member?.chat;

export const nameOf = ({ first_name = '', last_name = '' }: { first_name?: string | undefined; last_name?: string | undefined }): string =>
  `${first_name} ${last_name}`.trim();
