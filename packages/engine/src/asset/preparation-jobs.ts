import type { AnyJob } from '../base/parallel.js';
import { fieldJob } from '../field/field-job.js';
import { joinJob } from '../hierarchy/join-patches.js';

/** All that a worker must know to help preparing bodies: hand it to `serveJobs`. */
export const preparationJobs: readonly AnyJob[] = [fieldJob, joinJob];
