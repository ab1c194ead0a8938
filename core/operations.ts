import type { Operation } from './contract/operation.ts';
import { accountOperations } from './accounts/operations.ts';
import { adminOperations } from './admins/operations.ts';
import { auditOperations } from './audit/operations.ts';
import { apiKeyOperations } from './api-keys/operations.ts';
import { availabilityOperations } from './availability/operations.ts';
import { businessOperations } from './businesses/operations.ts';
import { driverAppOperations } from './driver-app/operations.ts';
import { driverOperations } from './drivers/operations.ts';
import { evidenceOperations } from './evidence/operations.ts';
import { executionOperations } from './execution/operations.ts';
import { jobOperations } from './jobs/operations.ts';
import { notificationOperations } from './notifications/operations.ts';
import { orderOperations } from './orders/operations.ts';
import { planOperations } from './plans/operations.ts';
import { planRouteOperations } from './plan-routes/operations.ts';
import { planningOperations } from './planning/operations.ts';
import { publicationOperations } from './publications/operations.ts';
import { pushOperations } from './push/operations.ts';
import { regionOperations } from './regions/operations.ts';
import { scenarioOperations } from './scenarios/operations.ts';
import { schemaOperations } from './schemas/operations.ts';
import { vehicleOperations } from './vehicles/operations.ts';
import { warehouseOperations } from './warehouses/operations.ts';
import { workingHoursOperations } from './working-hours/operations.ts';
import { webhookOperations } from './webhooks/operations.ts';

/** Every operation of the interface. */
export const operations: readonly Operation[] = [
  ...accountOperations, ...businessOperations, ...adminOperations, ...apiKeyOperations, ...auditOperations, ...notificationOperations,
  ...warehouseOperations, ...vehicleOperations, ...driverOperations, ...schemaOperations, ...orderOperations, ...scenarioOperations, ...regionOperations,
  ...planningOperations, ...jobOperations, ...planOperations, ...planRouteOperations, ...publicationOperations,
  ...availabilityOperations, ...workingHoursOperations,
  ...webhookOperations,
  ...driverAppOperations, ...pushOperations, ...executionOperations, ...evidenceOperations,
];
