import { z } from 'zod';

// The pages run under a policy that forbids code made from text, which Zod's fast path would try; this must come before the contract.
z.config({ jitless: true });
