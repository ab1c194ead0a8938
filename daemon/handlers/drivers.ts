import { issueActivationCode } from '../../core/drivers/activation.ts';
import type { Driver } from '../../core/drivers/entity.ts';
import { driverKind, endDriverSessions, presentDriver } from '../../core/drivers/kind.ts';
import { transaction } from '../../core/db/store.ts';
import { createRecord, lockRecord } from '../../core/records/write-records.ts';
import type { Handlers } from '../call.ts';
import { intentOf } from '../routes.ts';
import { created, recordHandlers } from './records.ts';

export const driverHandlers: Handlers = {
  ...recordHandlers('drivers', driverKind),
  'drivers.create': async (call) => {
    const { driver, code } = await transaction(call.service.store, call.businessId, async (em) => {
      const record = await createRecord<Driver>(em, call.businessId, driverKind, call.body);
      return { driver: record, code: await issueActivationCode(em, record) };
    });
    return created(call, 'drivers', { ...presentDriver(driver), activation_code: code }, driver.id);
  },
  'drivers.reset': async (call) => {
    const { driver, code } = await transaction(call.service.store, call.businessId, async (em) => {
      const record = await lockRecord<Driver>(em, driverKind, call.params.record_id, intentOf(call));
      await endDriverSessions(em, record);
      return { driver: record, code: await issueActivationCode(em, record) };
    });
    return { body: { ...presentDriver(driver), activation_code: code } };
  },
};
