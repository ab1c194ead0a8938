import { Migration } from '@mikro-orm/migrations';

/**
 * Tentative reservations of windows; an index on what drivers have begun, which availability asks for every time; and who took the
 * capacity last, so that one transaction moves the epoch by one.
 */
export class Reservations extends Migration {
  override up(): void {
    this.addSql(`create table reservations (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        group_id uuid not null,
        state varchar(10) not null default 'open',
        window_start timestamptz not null,
        window_end timestamptz not null,
        location jsonb not null,
        duration_seconds int not null,
        schedule_lock boolean not null,
        assignment_lock boolean not null,
        vehicle_id varchar(120) not null,
        shift_date varchar(10) not null,
        start_at timestamptz not null,
        expires_at timestamptz not null,
        order_id varchar(120) null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index reservations_business_id_created_at_id_index on reservations (business_id, created_at, id)`);
    this.addSql(`create index reservations_group on reservations (business_id, group_id)`);
    this.addSql(`create unique index reservations_one_confirmed on reservations (business_id, group_id) where state = 'confirmed'`);
    this.addSql(`create unique index reservations_one_order on reservations (business_id, order_id) where order_id is not null`);
    this.addSql(`alter table businesses add column capacity_taken_by xid8 null`);
    this.addSql(`create index orders_begun_plan on orders (business_id, plan_id) where status in ('in_progress', 'completed', 'unable_to_complete')`);
    this.addSql(`create index orders_begun_published_plan on orders (business_id, published_plan_id) where status in ('in_progress', 'completed', 'unable_to_complete')`);
  }
}
