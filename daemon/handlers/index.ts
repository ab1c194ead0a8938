import { schemaKind } from '../../core/schemas/kind.ts';
import { vehicleKind } from '../../core/vehicles/kind.ts';
import { warehouseKind } from '../../core/warehouses/kind.ts';
import type { Handlers } from '../call.ts';
import { accountHandlers } from './accounts.ts';
import { apiKeyHandlers } from './api-keys.ts';
import { auditHandlers } from './audit.ts';
import { availabilityHandlers } from './availability.ts';
import { businessHandlers } from './businesses.ts';
import { driverAppHandlers } from './driver-app.ts';
import { driverHandlers } from './drivers.ts';
import { evidenceHandlers } from './evidence.ts';
import { executionHandlers } from './execution.ts';
import { jobHandlers } from './jobs.ts';
import { notificationHandlers } from './notifications.ts';
import { orderHandlers } from './orders.ts';
import { planHandlers } from './plans.ts';
import { pushHandlers } from './push.ts';
import { recordHandlers } from './records.ts';
import { regionHandlers } from './regions.ts';
import { scenarioHandlers } from './scenarios.ts';
import { workingHoursHandlers } from './working-hours.ts';
import { webhookHandlers } from './webhooks.ts';

/** What answers each operation of the table. */
export const handlers: Handlers = {
  ...accountHandlers, ...businessHandlers, ...apiKeyHandlers, ...auditHandlers, ...notificationHandlers,
  ...recordHandlers('warehouses', warehouseKind), ...recordHandlers('vehicles', vehicleKind), ...driverHandlers,
  ...recordHandlers('schemas', schemaKind), ...orderHandlers, ...scenarioHandlers, ...regionHandlers,
  ...planHandlers, ...jobHandlers, ...webhookHandlers, ...driverAppHandlers, ...pushHandlers, ...executionHandlers, ...evidenceHandlers, ...availabilityHandlers, ...workingHoursHandlers,
};
