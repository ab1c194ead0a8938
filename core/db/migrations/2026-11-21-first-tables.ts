import { Migration } from '@mikro-orm/migrations';

/** Accounts, businesses, records, plans, jobs and the outbox. */
export class FirstTables extends Migration {
  override up(): void {
    this.addSql(`create table accounts (
        id uuid not null,
        email varchar(320) not null,
        name varchar(200) null,
        password_hash text not null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create table businesses (
        id uuid not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        name varchar(200) not null,
        time_zone varchar(100) not null,
        planning jsonb not null,
        evidence jsonb not null,
        routing jsonb not null,
        active_scenario_id varchar(120) null,
        preview_epoch int not null default 0,
        primary key (id)
      )`);
    this.addSql(`alter table accounts add constraint accounts_email_unique unique (email)`);
    this.addSql(`create table api_keys (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        name varchar(200) not null,
        scopes jsonb not null,
        prefix varchar(20) not null,
        key_hash varchar(64) not null,
        last_used_at timestamptz null,
        expires_at timestamptz null,
        revoked_at timestamptz null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`alter table api_keys add constraint api_keys_key_hash_unique unique (key_hash)`);
    this.addSql(`create index api_keys_business_id_created_at_id_index on api_keys (business_id, created_at, id)`);
    this.addSql(`create table custom_schemas (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        name varchar(200) not null,
        fields jsonb not null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index custom_schemas_business_id_created_at_id_index on custom_schemas (business_id, created_at, id)`);
    this.addSql(`create table drivers (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        name varchar(200) not null,
        email varchar(320) not null,
        active boolean not null default true,
        duty_status varchar(10) not null default 'offline',
        duty_started_at timestamptz null,
        location jsonb null,
        location_recorded_at timestamptz null,
        location_permission varchar(10) null,
        activation_hash varchar(64) null,
        activation_expires_at timestamptz null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`alter table drivers add constraint drivers_activation_hash_unique unique (activation_hash)`);
    this.addSql(`create index drivers_business_id_created_at_id_index on drivers (business_id, created_at, id)`);
    this.addSql(`create table jobs (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        kind varchar(20) not null,
        status varchar(20) not null,
        progress jsonb not null,
        result jsonb null,
        error jsonb null,
        request jsonb not null,
        started_at timestamptz null,
        finished_at timestamptz null,
        attempt int not null default 0,
        heartbeat_at timestamptz null,
        cancel_requested_at timestamptz null,
        request_id varchar(200) null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index jobs_business_id_created_at_id_index on jobs (business_id, created_at, id)`);
    this.addSql(`create table job_events (
        business_id uuid not null,
        job_id varchar(120) not null,
        sequence int not null,
        type varchar(20) not null,
        data jsonb not null,
        created_at timestamptz not null,
        primary key (business_id, job_id, sequence),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create table memberships (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        email varchar(320) not null,
        account_id uuid null,
        state varchar(10) not null,
        invitation_hash varchar(64) null,
        invitation_expires_at timestamptz null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index memberships_account_id_index on memberships (account_id)`);
    this.addSql(`alter table memberships add constraint memberships_invitation_hash_unique unique (invitation_hash)`);
    this.addSql(`create index memberships_business_id_created_at_id_index on memberships (business_id, created_at, id)`);
    this.addSql(`create table orders (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        type varchar(10) not null,
        location jsonb not null,
        duration_seconds int not null,
        window_start timestamptz not null,
        window_end timestamptz not null,
        status varchar(20) not null default 'created',
        pending_status varchar(20) null,
        replacement_driver_id varchar(120) null,
        custom_fields jsonb not null,
        schema_snapshot jsonb not null,
        actual_started_at timestamptz null,
        actual_completed_at timestamptz null,
        selected_vehicle_id varchar(120) null,
        selected_driver_id varchar(120) null,
        selected_start_at timestamptz null,
        plan_id varchar(120) null,
        scheduled_at timestamptz null,
        vehicle_id varchar(120) null,
        driver_id varchar(120) null,
        published_plan_id varchar(120) null,
        published_scheduled_at timestamptz null,
        published_vehicle_id varchar(120) null,
        published_driver_id varchar(120) null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index orders_business_id_created_at_id_index on orders (business_id, created_at, id)`);
    this.addSql(`create table outbox (
        id bigserial primary key,
        queue varchar(40) not null,
        key varchar(200) not null,
        payload jsonb not null,
        created_at timestamptz not null
      )`);
    this.addSql(`create table plans (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        vehicle_id varchar(120) not null,
        driver_id varchar(120) null,
        shift_date varchar(10) not null,
        state varchar(20) not null,
        start_at timestamptz null,
        end_at timestamptz null,
        stops jsonb not null,
        return_leg jsonb null,
        warnings jsonb not null,
        unplanned_order_ids jsonb not null,
        published jsonb null,
        received_at timestamptz null,
        job_id varchar(120) null,
        origin jsonb null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index plans_business_id_created_at_id_index on plans (business_id, created_at, id)`);
    this.addSql(`create table publications (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        plan_ids jsonb not null,
        order_ids jsonb not null,
        acknowledged_warnings jsonb not null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index publications_business_id_created_at_id_index on publications (business_id, created_at, id)`);
    this.addSql(`create table scenarios (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        name varchar(200) not null,
        nodes jsonb not null,
        edges jsonb not null,
        samples jsonb not null,
        graph_hash varchar(64) not null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index scenarios_business_id_created_at_id_index on scenarios (business_id, created_at, id)`);
    this.addSql(`create table sessions (
        id uuid not null,
        kind varchar(10) not null,
        token_hash varchar(64) not null,
        account_id uuid null,
        business_id uuid null,
        driver_id varchar(120) null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        last_seen_at timestamptz not null,
        revoked_at timestamptz null,
        primary key (id)
      )`);
    this.addSql(`alter table sessions add constraint sessions_token_hash_unique unique (token_hash)`);
    this.addSql(`create index sessions_account_id_index on sessions (account_id)`);
    this.addSql(`create index sessions_business_id_driver_id_index on sessions (business_id, driver_id)`);
    this.addSql(`create table vehicles (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        name varchar(200) not null,
        warehouse_id varchar(120) not null,
        driver_id varchar(120) null,
        color varchar(40) null,
        height_meters double precision null,
        weight_kg double precision null,
        working_hours jsonb not null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index vehicles_business_id_created_at_id_index on vehicles (business_id, created_at, id)`);
    this.addSql(`create table warehouses (
        business_id uuid not null,
        id varchar(120) not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision int not null default 1,
        deleted_at timestamptz null,
        deleted_by uuid null,
        name varchar(200) not null,
        location jsonb not null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create index warehouses_business_id_created_at_id_index on warehouses (business_id, created_at, id)`);
    this.addSql(`create table events (
        business_id uuid not null,
        id uuid not null,
        type varchar(40) not null,
        data jsonb not null,
        request_id varchar(200) null,
        created_at timestamptz not null,
        primary key (business_id, id),
        foreign key (business_id) references businesses (id)
      )`);
    this.addSql(`create unique index plans_one_planning_version on plans (business_id, vehicle_id, shift_date) where state = 'planning' and deleted_at is null`);
    this.addSql(`create unique index plans_one_published_version on plans (business_id, vehicle_id, shift_date) where state = 'published' and deleted_at is null`);
    this.addSql(`create unique index memberships_one_per_address on memberships (business_id, email) where state <> 'removed'`);
    this.addSql(`create index vehicles_warehouse on vehicles (business_id, warehouse_id) where deleted_at is null`);
    this.addSql(`create index vehicles_driver on vehicles (business_id, driver_id) where deleted_at is null`);
    this.addSql(`create index orders_plan on orders (business_id, plan_id) where plan_id is not null`);
    this.addSql(`create index orders_published_plan on orders (business_id, published_plan_id) where published_plan_id is not null`);
    this.addSql(`create index orders_window on orders (business_id, window_start, window_end) where deleted_at is null`);
    this.addSql(`create index orders_unplanned on orders (business_id, created_at, id) where plan_id is null and deleted_at is null and status = 'created'`);
    this.addSql(`create index plans_time on plans (business_id, start_at, end_at) where deleted_at is null`);
    this.addSql(`create index jobs_id on jobs (id)`);
    this.addSql(`create index jobs_unfinished on jobs (status, heartbeat_at) where status in ('queued', 'running')`);
  }
}
