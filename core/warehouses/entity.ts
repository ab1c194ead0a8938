import { p } from '@mikro-orm/postgresql';
import type { Location } from '../contract/schemas.ts';
import { recordEntity } from '../records/entity.ts';

const schema = recordEntity('Warehouse', 'warehouses', {
  name: p.string().length(200),
  location: p.json<Location>(),
});
export class Warehouse extends schema.class {}
schema.setClass(Warehouse);
