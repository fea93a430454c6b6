import { preparationJobs, serveJobs } from '@palpable/engine/advanced';
import { portOfThisWorker } from './node-workers.js';

serveJobs(portOfThisWorker(), preparationJobs);
