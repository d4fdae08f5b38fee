import { z } from 'zod';
import { type Call, failure, type Group } from '../../../contract/kit/call.ts';
import { bodyLimitOf } from './input-bounds.ts';

type Json = Record<string, unknown>;

type Upload = { path: string; summary: string; output: z.ZodType };

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', cycles: 'ref', target: 'openapi-3.0' }) as Json;

/** Moves what a schema defines because it refers to itself to the document's components, where references find it. */
function outputSchema(schema: z.ZodType, operationId: string, components: Json): Json {
  const named = JSON.stringify(jsonSchema(schema, 'output')).replaceAll('"#/definitions/__', `"#/components/schemas/${operationId}_`);
  const { definitions = {}, ...own } = JSON.parse(named) as Json & { definitions?: Json };
  for (const [name, definition] of Object.entries(definitions)) components[name.replace('__', `${operationId}_`)] = definition;
  return own;
}

const answers = (output: Json): Json => ({
  200: { description: 'Done.', content: { 'application/json': { schema: output } } },
  ...Object.fromEntries(
    [
      [400, 'The input is wrong; `fields` says what and where.'],
      [401, 'Not logged in.'],
      [403, 'The role lacks the permission.'],
      [404, 'There is no such row, or not for this caller.'],
      [409, 'It contradicts the present state.'],
      [413, 'The body is larger than the call takes.'],
      [429, 'Too many calls; see Retry-After.'],
      [503, 'The database does not answer, or the site is under maintenance; see Retry-After.'],
    ].map(([status, description]) => [
      status,
      { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } } },
    ]),
  ),
});

/** What a call asks for besides the session. */
function proofTerms({ proved }: Call): string[] {
  if (!proved) return [];
  const { needs_code, super_only, unless = {}, by_service } = proved === true ? {} : proved;
  const asked = by_service ? 'For some changes it asks' : 'It asks';
  const code = needs_code || super_only ? 'a code of the second factor (`totp`)' : 'where there is a second factor a code (`totp`)';
  const exempt = Object.entries(unless).map(([field, value]) => ` unless \`${field}\` is ${value}`);
  return [
    ...(super_only ? ['Only for super administrators in person.'] : []),
    `${asked} for the own \`password\` and ${code}${exempt.join('')}.`,
  ];
}

function operation(group: Group, action: string, call: Call, components: Json): Json {
  const operationId = `${group.name}_${action}`;
  const input = jsonSchema(call.input, 'input');
  const properties = {
    ...(input.properties as Json),
    ...(call.writes ? { request_id: { type: 'string', format: 'uuid', description: 'Repeating it repeats the answer.' } } : {}),
  };
  const access =
    call.access.kind === 'nodes'
      ? `Needs one of: ${call.access.nodes.map((node) => `\`${node}\``).join(', ')}.`
      : call.access.kind === 'login'
        ? 'Needs a login.'
        : 'Public.';
  const forMachines = call.access.kind === 'public' || call.machines ? [] : ['Not for API tokens.'];
  const size = `Takes a body of ${Math.floor(bodyLimitOf(call) / 1024)} kB.`;
  return {
    post: {
      tags: [group.name],
      operationId,
      summary: call.summary,
      description: [access, ...forMachines, ...proofTerms(call), size].join(' '),
      security: call.access.kind === 'public' ? [] : [{ token: [] }],
      requestBody: { required: true, content: { 'application/json': { schema: { ...input, properties } } } },
      responses: answers(outputSchema(call.output, operationId, components)),
    },
  };
}

function uploadOperation({ path, summary, output }: Upload, components: Json): Json {
  const operationId = path.replace('/', '_');
  const file = { type: 'string', format: 'binary' };
  const schema = { type: 'object', properties: { file }, required: ['file'] };
  return {
    post: {
      tags: [path.slice(0, path.indexOf('/'))],
      operationId,
      summary,
      security: [{ token: [] }],
      requestBody: { required: true, content: { 'multipart/form-data': { schema } } },
      responses: answers(outputSchema(output, operationId, components)),
    },
  };
}

/** The OpenAPI 3 document of all calls, made from the contract. */
export function openApiDocument(groups: readonly Group[], uploads: readonly Upload[], title: string): Json {
  const schemas: Json = { Failure: jsonSchema(failure, 'output') };
  const paths = groups.flatMap((group) =>
    Object.entries(group.calls).map(([action, call]) => [`/api/${group.name}/${action}`, operation(group, action, call, schemas)]),
  );
  const uploadPaths = uploads.map((upload) => [`/api/${upload.path}`, uploadOperation(upload, schemas)]);
  return {
    openapi: '3.0.3',
    info: {
      title,
      version: '1',
      description: [
        'Every call is POST with JSON in and out. Times are ISO 8601 in UTC. Unknown input fields are refused.',
        'Machines send an API token, made on the screen `api_token`, as `Authorization: Bearer lc_…`. It may make the calls whose nodes were chosen for it, as long as its owner holds them; `api_token/self` says which. Calls that only a person may make answer it 403 `token_not_allowed`; a token that is unknown, revoked or expired gets 401 `token_invalid`, one from a wrong address 403 `token_wrong_address`, and beyond its calls in a minute 429 with `Retry-After`.',
        'Pictures are uploaded to `POST /api/file/add` (multipart, field `file`), results of exports fetched from the address that `async_operations/link` answers, both with the same header.',
        'A call that writes takes a `request_id`, a UUID: repeating it repeats the answer.',
      ].join('\n\n'),
    },
    paths: Object.fromEntries([...paths, ...uploadPaths]),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token (`lc_…`), or the token of a login.' } },
      schemas,
    },
  };
}
