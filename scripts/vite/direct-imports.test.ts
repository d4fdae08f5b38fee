import { expect, test } from 'vitest';
import { originsOf } from './direct-imports.ts';

test('what an entry only hands on is found where it is made; what it makes itself is not', () => {
  const origins = originsOf(`import Field from "./Field";
import { FormProvider } from "./FormContext";
const InternalForm = React.forwardRef(FieldForm);
export { default as useEvent } from "./hooks/useEvent";
export { getId as makeId } from "./hooks/useId";
export { Field, FormProvider, InternalForm };
export default InternalForm;
`);
  expect(Object.fromEntries(origins)).toEqual({
    useEvent: { path: './hooks/useEvent', name: 'default' },
    makeId: { path: './hooks/useId', name: 'getId' },
    Field: { path: './Field', name: 'default' },
    FormProvider: { path: './FormContext', name: 'FormProvider' },
  });
});
