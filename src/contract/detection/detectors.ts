import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { crud, updateEnabled, updateSort } from '../kit/crud.ts';
import { count, id, line, rank, text, time, timestamps } from '../kit/fields.ts';

/**
 * What a detector asks. `gateway`: the messenger's own redirect gateway; `http_api`: a commercial detection API; `dns`, `tls`, `http`: the
 * domain itself.
 */
export const detectorKinds = ['gateway', 'http_api', 'dns', 'tls', 'http'] as const;
export type DetectorKind = (typeof detectorKinds)[number];
/** Only these know what a messenger blocks; the others say whether the domain answers at all, which is no verdict about messengers. */
export const messengerKinds = ['gateway', 'http_api'] as const satisfies readonly DetectorKind[];

/**
 * What a detector answered. `failed`: it could not tell, whatever the reason (time-out, captcha, quota, an answer that cannot be read): that
 * is neither normal nor blocked. `down` is said by detectors of the domain itself only.
 */
export const detectorAnswers = ['normal', 'blocked', 'down', 'failed'] as const;
export type DetectorAnswer = (typeof detectorAnswers)[number];

const header = z.object({ name: line(100).min(1, 'required'), value: line(1000) });
/** Values as an API writes them, compared as text: `2000`, `ok`, `true`. */
const values = z.array(line(200).min(1, 'required')).max(30);

/** How an answer is read; `{domain}` in a value stands for the host. What matches neither list, or both, is `failed`. */
export const reading = z.discriminatedUnion('by', [
  /** `path` as in `data.status` or `list[0].code`. */
  z.strictObject({ by: z.literal('json'), path: line(200).min(1, 'required'), normal: values, blocked: values }),
  /** Parts of the address that it redirects to. */
  z.strictObject({ by: z.literal('redirect'), normal: values, blocked: values }),
  /** HTTP statuses. */
  z.strictObject({ by: z.literal('status'), normal: values, blocked: values }),
  /** Texts within the body. */
  z.strictObject({ by: z.literal('text'), normal: values, blocked: values }),
]);
export type Reading = z.infer<typeof reading>;

/** What a kind needs, by kind. `{url}`, `{domain}` and `{key}` stand for the address encoded, its host, and the detector's key. */
export const detectorConfig = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('gateway'),
    /** Empty: the setting `messenger_gateway`. */
    url: line(500),
    /** Whether a page of warning, which lets visitors go on, counts as blocked. */
    warning_is_blocked: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('http_api'),
    url: line(2000).min(1, 'required'),
    method: z.enum(['GET', 'POST']),
    headers: z.array(header).max(20),
    /** JSON, or a form; empty: none. */
    body: text(4000),
    reading,
  }),
  z.strictObject({ kind: z.literal('dns') }),
  z.strictObject({ kind: z.literal('tls'), port: z.number().int().min(1).max(65_535) }),
  z.strictObject({
    kind: z.literal('http'),
    /** Of our own domains; empty: the address itself. Other addresses are asked as they were given. */
    path: line(500).regex(/^(\/.*)?$/, 'invalid_format'),
    /** Those that mean that it answers, as `200-399`. */
    statuses: z
      .string()
      .regex(/^\d{3}(-\d{3})?(,\d{3}(-\d{3})?)*$/, 'invalid_format')
      .max(100),
  }),
]);
export type DetectorConfig = z.infer<typeof detectorConfig>;

const fields = {
  name: line(60).min(1, 'required'),
  config: detectorConfig,
  /** Write only. Missing or empty in `update`: as it was. */
  key: z.string().max(500).optional(),
  timeout_ms: z.number().int().min(500).max(30_000).optional(),
  /** How many voices it has where detectors disagree. */
  weight: z.number().int().min(1).max(100).optional(),
  sort: rank.optional(),
  /** Null: no limit. */
  per_second: z.number().int().min(1).max(1000).nullable().optional(),
  per_day: z.number().int().min(1).max(10_000_000).nullable().optional(),
  enabled: z.boolean().optional(),
};

export const detector = z.object({
  id,
  ...z.object(fields).omit({ key: true }).required().shape,
  kind: z.enum(detectorKinds),
  has_key: z.boolean(),
  /** Switched off by itself until then, after a run of failures; null: it works. */
  stopped_until: time.nullable(),
  /** Of the last 24 hours. */
  health: z.object({
    checks: count,
    normal: count,
    blocked: count,
    failed: count,
    /** Median; null where nothing was answered. */
    latency_ms: count.nullable(),
    /** In the caller's language. */
    last_error: z.string().nullable(),
    last_error_at: time.nullable(),
  }),
  /** Of its limit of the day. */
  used_today: count,
  last_used_at: time.nullable(),
  ...timestamps,
});
export type Detector = z.infer<typeof detector>;

/** What one detector found about one address: the evidence of a verdict. Texts are cut. */
export const finding = z.object({
  detector_id: id.nullable(),
  detector: z.string(),
  kind: z.enum(detectorKinds),
  answer: z.enum(detectorAnswers),
  at: time,
  duration_ms: count,
  /** As it was sent, without keys. */
  request: z.object({ method: z.string(), url: z.string() }).nullable(),
  /** The addresses it led over, the last one that answered at the end. */
  hops: z.array(z.object({ url: z.string(), status: z.number().int() })),
  status: z.number().int().nullable(),
  title: z.string().nullable(),
  /** The text of the block page, or what the reader read. */
  text: z.string().nullable(),
  /** Why it failed, in the caller's language. */
  error: z.string().nullable(),
});
export type Finding = z.infer<typeof finding>;

const screen = 'we_chat_blocking_detection_configuration';

const rows = crud(screen, {
  row: detector,
  fields,
  filters: { name: z.string().max(60).optional(), kind: z.enum(detectorKinds).optional(), enabled: z.boolean().optional() },
  sortable: ['id', 'name', 'sort', 'weight', 'created_at'],
  nouns: ['a detector', 'detectors'],
});

export const detectors = group(screen, {
  ...rows,
  add: { ...rows.add, secrets: ['key'] },
  update: { ...rows.update, secrets: ['key'] },
  update_enabled: updateEnabled(screen, 'detectors'),
  update_sort: updateSort(screen, detector, 'a detector'),
  test: call({
    summary:
      'Ask a detector about an address, saved or not, and answer what was sent, what came back, what was read of it and what that means.',
    access: requireAny(`${screen}.test`),
    input: z.object({
      url: z.string().trim().min(1, 'required').max(2000),
      /** Of a saved detector, whose key is taken where none is given. */
      id: id.optional(),
      config: detectorConfig,
      key: fields.key,
      timeout_ms: fields.timeout_ms,
    }),
    output: finding.extend({
      /** The headers and the body that were sent, the key covered. */
      sent: z.object({ headers: z.array(header), body: z.string() }),
      /** The beginning of what came back. */
      answered: z.object({ headers: z.array(header), body: z.string() }),
      /** What stood at the path, and null where there was nothing. */
      read: z.object({ path: z.string(), value: z.string().nullable() }).nullable(),
    }),
    secrets: ['key'],
    limit: { max: 60, seconds: 60 },
  }),
});
