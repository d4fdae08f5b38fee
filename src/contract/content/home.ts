import { z } from 'zod';
import { call, group, holders, longBody } from '../kit/call.ts';
import { count, id, line, time } from '../kit/fields.ts';
import { richText } from '../kit/rich-text.ts';
import { checkJump, jumpFields } from '../links/jump.ts';

export const maximumBlocks = 20;
export const maximumLinks = 24;
export const maximumAnnouncement = 50_000;

const common = { title: line(60), enabled: z.boolean() };
export const homeLink = z
  .strictObject({ title: line(40).min(1, 'required'), ...jumpFields, jump_address: jumpFields.jump_address.min(1, 'required') })
  .superRefine(checkJump);
export type HomeLink = z.infer<typeof homeLink>;

/**
 * A part of the home screen. Announcements, banners and links are the operator's; the others are the user's own figures, the steps of a
 * new user and the ways to his screens, which a page has once.
 */
export const homeBlock = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('announcement'), ...common, body: richText(maximumAnnouncement) }),
  z.strictObject({ kind: z.literal('banner'), ...common, rotation_type_id: id }),
  z.strictObject({ kind: z.literal('links'), ...common, links: z.array(homeLink).min(1, 'required').max(maximumLinks) }),
  z.strictObject({ kind: z.literal('steps'), ...common }),
  z.strictObject({ kind: z.literal('figures'), ...common }),
  z.strictObject({ kind: z.literal('shortcuts'), ...common }),
]);
export type HomeBlock = z.infer<typeof homeBlock>;
export type HomeBlockKind = HomeBlock['kind'];
export const ownBlockKinds = ['announcement', 'banner', 'links'] as const;
export const fixedBlockKinds = ['steps', 'figures', 'shortcuts'] as const;

const homePage = z.object({
  /** Grows with every change; an update that names an older one is refused with 409. */
  version: count,
  blocks: z.array(homeBlock),
  updated_at: time,
});

export const homePageConfig = group('home_page_config', {
  inquire: call({
    summary: 'The blocks of the home screen, in their order.',
    access: holders('home_page_config'),
    input: z.object({}),
    output: homePage,
  }),
  update: call({
    summary: 'Replace the blocks of the home screen.',
    access: holders('home_page_config.update'),
    bodyLimit: longBody,
    input: z.object({ version: count, blocks: z.array(homeBlock).max(maximumBlocks) }),
    output: homePage,
    writes: true,
  }),
});

/** A figure of today and the same figure of yesterday up to the same time. */
const compared = z.object({ today: count, yesterday: count });

export const home = group('home', {
  inquire: call({
    summary: "The home screen: the operator's blocks, and the caller's own figures.",
    access: holders('home'),
    input: z.object({}),
    output: z.object({
      blocks: z.array(homeBlock),
      now: time,
      member_expires_at: time.nullable(),
      today: z.object({ visits: compared, ips: compared, new_ips: compared, refused: compared }),
      /** Visits that passed by the hours of today that have begun. */
      trend: z.array(count),
      /** `expiring`: open ones with a target that ends soon. */
      codes: z.object({ total: count, open: count, expiring: count }),
      domains: z.object({ total: count, blocked: count }),
      /** What the caller himself has done already. */
      steps: z.object({ domain: z.boolean(), code: z.boolean(), scan: z.boolean() }),
    }),
  }),
});
export type Home = z.infer<(typeof home)['calls']['inquire']['output']>;
