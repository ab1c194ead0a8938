import { Migration } from '@mikro-orm/migrations';

/** What drivers do and prove, and what publication does to their work. */
export class Execution extends Migration {
  override up(): void {
    this.addSql(`create table driver_actions (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        driver_id varchar(120) not null,
        order_id varchar(120) null,
        kind varchar(30) not null,
        at timestamptz not null,
        reason text null,
        action_id varchar(120) null,
        fingerprint varchar(64) null,
        answer json null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index driver_actions_business_id_created_at_id_index on driver_actions (business_id, created_at, id)`);
    this.addSql(`create index driver_actions_order on driver_actions (business_id, order_id, created_at, id) where order_id is not null`);
    this.addSql(`create unique index driver_actions_once on driver_actions (business_id, driver_id, action_id) where action_id is not null`);
    this.addSql(`create table evidence (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        order_id varchar(120) not null,
        kind varchar(20) not null,
        content_type varchar(20) not null,
        size_bytes int not null,
        sha256 varchar(64) not null,
        width int not null,
        height int not null,
        uploaded_by varchar(120) not null,
        object_key varchar(200) not null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id),
        foreign key (business_id, order_id) references orders (business_id, id)
      )`);
    this.addSql(`alter table evidence add constraint evidence_object_key_unique unique (object_key)`);
    this.addSql(`create index evidence_business_id_created_at_id_index on evidence (business_id, created_at, id)`);
    this.addSql(`create unique index evidence_once on evidence (business_id, order_id, kind, sha256) where deleted_at is null`);
    this.addSql(`alter table orders add column pending_from varchar(20) null, add column released_to varchar(120) null, add column released_at timestamptz null`);
    this.addSql(`create unique index orders_one_in_progress on orders (business_id, published_driver_id) where status = 'in_progress' and deleted_at is null`);
    this.addSql(`create index orders_of_driver on orders (business_id, published_driver_id) where published_plan_id is not null and deleted_at is null and status in ('created', 'on_road', 'in_progress')`);
    this.addSql(`alter table drivers add column duty_vehicle_id varchar(120) null, add column last_action_at timestamptz null`);
    this.addSql(`alter table publications add column published_by uuid null, add column status_changes jsonb not null default '[]'`);
  }
}
