import { Account, Session } from '../accounts/entity.ts';
import { Membership } from '../admins/entity.ts';
import { ApiKey } from '../api-keys/entity.ts';
import { Reservation } from '../availability/entity.ts';
import { AuditEntry } from '../audit/entity.ts';
import { Business } from '../businesses/entity.ts';
import { Driver } from '../drivers/entity.ts';
import { DomainEvent } from '../events/entity.ts';
import { IdempotencyKey } from '../idempotency/entity.ts';
import { Evidence } from '../evidence/entity.ts';
import { DriverAction } from '../execution/entity.ts';
import { Job, JobEvent } from '../jobs/entity.ts';
import { Notification } from '../notifications/entity.ts';
import { Order } from '../orders/entity.ts';
import { Plan } from '../plans/entity.ts';
import { Publication } from '../publications/entity.ts';
import { PushDelivery, PushDevice } from '../push/entity.ts';
import { Region, RegionDataset } from '../regions/entity.ts';
import { Scenario } from '../scenarios/entity.ts';
import { CustomSchema } from '../schemas/entity.ts';
import { Vehicle } from '../vehicles/entity.ts';
import { Warehouse } from '../warehouses/entity.ts';
import { Webhook, WebhookDelivery } from '../webhooks/entity.ts';
import { OutboxEntry } from './outbox-entity.ts';

/** Every table of the store. */
export const entities = [
  Account, Session, Business, Membership, ApiKey,
  Warehouse, Vehicle, Driver, CustomSchema, Order, Scenario, Region, RegionDataset,
  Plan, Publication, Job, JobEvent, DriverAction, Evidence, DomainEvent, Webhook, WebhookDelivery, OutboxEntry, IdempotencyKey, Notification, PushDevice, PushDelivery, AuditEntry, Reservation,
];
