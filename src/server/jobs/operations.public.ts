import { asyncOperationsService } from './async-operations.service.ts';

/** Ends an operation that is in progress, as its list does; 409 where it is over. */
export const cancelOperation = asyncOperationsService.cancel;
