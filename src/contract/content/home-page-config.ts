import { z } from 'zod';
import { call, group, longBody, requireAny } from '../kit/call.ts';
import { count, id, line, time } from '../kit/fields.ts';
import { richText } from '../kit/rich-text.ts';
import { checkJump, jumpFields } from '../links/jump.ts';

export const maxBlocks = 20;
export const maxLinks = 24;
export const maxAnnouncement = 50_000;

const common = { title: line(60), enabled: z.boolean() };
export const homeLink = z
  .strictObject({ title: line(40).min(1, 'required'), ...jumpFields, jump_address: jumpFields.jump_address.min(1, 'required') })
  .superRefine(checkJump);
export type HomeLink = z.infer<typeof homeLink>;

/** A part of the start page that the operator places. */
export const homeBlock = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('announcement'), ...common, body: richText(maxAnnouncement) }),
  z.strictObject({ kind: z.literal('banner'), ...common, rotation_type_id: id }),
  z.strictObject({ kind: z.literal('links'), ...common, links: z.array(homeLink).min(1, 'required').max(maxLinks) }),
]);
export type HomeBlock = z.infer<typeof homeBlock>;
export type HomeBlockKind = HomeBlock['kind'];
export const homeBlockKinds = ['announcement', 'banner', 'links'] as const satisfies readonly HomeBlockKind[];

const homePage = z.object({
  /** Grows with every change; an update that names an older one is refused with 409. */
  version: count,
  blocks: z.array(homeBlock),
  updated_at: time,
});

export const homePageConfig = group('home_page_config', {
  inquire: call({
    summary: "The operator's blocks of the start page, in their order.",
    access: requireAny('home_page_config'),
    input: z.object({}),
    output: homePage,
  }),
  update: call({
    summary: "Replace the operator's blocks of the start page.",
    access: requireAny('home_page_config.update'),
    bodyLimit: longBody,
    input: z.object({ version: count, blocks: z.array(homeBlock).max(maxBlocks) }),
    output: homePage,
    writes: true,
  }),
});
