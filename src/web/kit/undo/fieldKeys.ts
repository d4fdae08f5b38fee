/** The messages that may name a field of a version, best first: what an import has too is called the same there. */
export const fieldKeys = (field: string): string[] => [`code_version.fields.${field}`, `code_import.field.${field}`];
