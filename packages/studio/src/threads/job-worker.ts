/** One of the threads that the preparation of a body shares its work among. */
import { preparationJobs, serveJobs } from '@palpable/engine/advanced';
import { portOfThisWorker } from './browser-workers.js';

serveJobs(portOfThisWorker(), preparationJobs);
