-- Typed memories: one statement each, with what it takes to find, rank, inject, supersede and forget it.
create table memories (
    key integer primary key autoincrement,
    id text not null unique check (length(id) = 7),
    project text not null,
    reach text not null check (reach in ('user', 'project')),
    type text not null check (
        type in ('policy', 'workflow', 'pitfall', 'architecture', 'decision', 'preference', 'fact')
    ),
    priority text not null check (priority in ('critical', 'high', 'medium', 'normal')),
    content text not null check (length(content) > 0),
    title text not null,
    keywords text not null,
    context text not null,
    scope text,
    tags text not null check (json_type(tags) = 'array'),
    trust text not null check (trust in ('user', 'verified', 'agent', 'tool', 'external')),
    source text not null,
    claim text,
    reinforcement_count integer not null default 1 check (reinforcement_count >= 1),
    strength real not null,
    created_at text not null,
    updated_at text not null,
    accessed_at text not null,
    valid_from text not null,
    valid_to text,
    quarantined_at text,
    quarantine_reason text,
    archived_at text,
    superseded_by text,
    folded_into text,
    fingerprint text not null,
    -- of the message before: memories of one conversation are neighbours
    follows text,
    terms text not null,
    tag_terms text not null,
    scope_terms text not null,
    context_terms text not null,
    length integer not null check (length >= 0),
    -- current: this is what is held true now; only then may it be injected
    current integer not null generated always as (
        quarantined_at is null and archived_at is null and superseded_by is null and folded_into is null
    ) virtual,
    -- rank: most pressing first
    rank integer not null generated always as (
        case priority when 'critical' then 0 when 'high' then 1 when 'medium' then 2 else 3 end
    ) virtual,
    -- always: injected whatever the prompt says
    always integer not null generated always as (
        quarantined_at is null and archived_at is null and superseded_by is null and folded_into is null
        and type in ('policy', 'architecture', 'preference') and priority in ('critical', 'high')
        and trust in ('user', 'verified')
    ) virtual,
    -- hidden: found by nobody who does not ask for the past
    hidden integer not null generated always as (
        quarantined_at is not null or superseded_by is not null or folded_into is not null
    ) virtual
) strict;
create index memories_by_fingerprint on memories (project, fingerprint);
create index memories_by_claim on memories (project, claim) where claim is not null;
create index memories_by_scope on memories (project, scope) where scope is not null;
create index memories_in_quarantine on memories (project, quarantined_at) where quarantined_at is not null;
-- Half-lives are alike for all, so the order by strength never changes with time: an index can keep it.
create index memories_always on memories (project, always, rank, strength desc);
create index memories_by_strength on memories (project, current, strength);

-- What a memory said before it was edited.
create table memory_versions (
    key integer primary key,
    memory text not null,
    project text not null,
    was text not null check (json_valid(was)),
    until text not null,
    actor text not null
) strict;
create index memory_versions_by_memory on memory_versions (memory, key);

create virtual table memories_fts using fts5 (
    terms, tag_terms, scope_terms, context_terms, content = 'memories', content_rowid = 'key', tokenize = 'ascii'
);
create virtual table memories_vocabulary using fts5vocab ('memories_fts', 'row');
insert into corpora (name, rows, terms) values ('memories', 0, 0);

create trigger memories_fts_insert after insert on memories begin
    insert into memories_fts (rowid, terms, tag_terms, scope_terms, context_terms)
    values (new.key, new.terms, new.tag_terms, new.scope_terms, new.context_terms);
    update corpora set rows = rows + 1, terms = terms + new.length where name = 'memories';
end;
create trigger memories_fts_delete after delete on memories begin
    insert into memories_fts (memories_fts, rowid, terms, tag_terms, scope_terms, context_terms)
    values ('delete', old.key, old.terms, old.tag_terms, old.scope_terms, old.context_terms);
    update corpora set rows = rows - 1, terms = terms - old.length where name = 'memories';
end;
create trigger memories_fts_update after update of terms, tag_terms, scope_terms, context_terms, length on memories
begin
    insert into memories_fts (memories_fts, rowid, terms, tag_terms, scope_terms, context_terms)
    values ('delete', old.key, old.terms, old.tag_terms, old.scope_terms, old.context_terms);
    insert into memories_fts (rowid, terms, tag_terms, scope_terms, context_terms)
    values (new.key, new.terms, new.tag_terms, new.scope_terms, new.context_terms);
    update corpora set terms = terms - old.length + new.length where name = 'memories';
end;

-- Episodes: events with an outcome, worth remembering after the run.
create table episodes (
    key integer primary key autoincrement,
    id text not null unique,
    project text not null,
    event text not null check (length(event) > 0),
    outcome text,
    tags text not null check (json_type(tags) = 'array'),
    session text,
    trust text not null check (trust in ('user', 'verified', 'agent', 'tool', 'external')),
    source text not null,
    created_at text not null,
    terms text not null,
    length integer not null check (length >= 0)
) strict;
create index episodes_by_project on episodes (project, created_at);

create virtual table episodes_fts using fts5 (
    terms, content = 'episodes', content_rowid = 'key', tokenize = 'ascii'
);
create virtual table episodes_vocabulary using fts5vocab ('episodes_fts', 'row');
insert into corpora (name, rows, terms) values ('episodes', 0, 0);

create trigger episodes_fts_insert after insert on episodes begin
    insert into episodes_fts (rowid, terms) values (new.key, new.terms);
    update corpora set rows = rows + 1, terms = terms + new.length where name = 'episodes';
end;
create trigger episodes_fts_delete after delete on episodes begin
    insert into episodes_fts (episodes_fts, rowid, terms) values ('delete', old.key, old.terms);
    update corpora set rows = rows - 1, terms = terms - old.length where name = 'episodes';
end;
create trigger episodes_fts_update after update of terms, length on episodes begin
    insert into episodes_fts (episodes_fts, rowid, terms) values ('delete', old.key, old.terms);
    insert into episodes_fts (rowid, terms) values (new.key, new.terms);
    update corpora set terms = terms - old.length + new.length where name = 'episodes';
end;

-- Procedures: named workflows with ordered steps, and how often they worked.
create table procedures (
    key integer primary key autoincrement,
    id text not null unique,
    project text not null,
    name text not null check (length(name) > 0),
    context text not null,
    steps text not null check (json_type(steps) = 'array'),
    success_count integer not null default 0 check (success_count >= 0),
    failure_count integer not null default 0 check (failure_count >= 0),
    trust text not null check (trust in ('user', 'verified', 'agent', 'tool', 'external')),
    source text not null,
    created_at text not null,
    updated_at text not null,
    terms text not null,
    length integer not null check (length >= 0),
    unique (project, name)
) strict;

create virtual table procedures_fts using fts5 (
    terms, content = 'procedures', content_rowid = 'key', tokenize = 'ascii'
);
create virtual table procedures_vocabulary using fts5vocab ('procedures_fts', 'row');
insert into corpora (name, rows, terms) values ('procedures', 0, 0);

create trigger procedures_fts_insert after insert on procedures begin
    insert into procedures_fts (rowid, terms) values (new.key, new.terms);
    update corpora set rows = rows + 1, terms = terms + new.length where name = 'procedures';
end;
create trigger procedures_fts_delete after delete on procedures begin
    insert into procedures_fts (procedures_fts, rowid, terms) values ('delete', old.key, old.terms);
    update corpora set rows = rows - 1, terms = terms - old.length where name = 'procedures';
end;
create trigger procedures_fts_update after update of terms, length on procedures begin
    insert into procedures_fts (procedures_fts, rowid, terms) values ('delete', old.key, old.terms);
    insert into procedures_fts (rowid, terms) values (new.key, new.terms);
    update corpora set terms = terms - old.length + new.length where name = 'procedures';
end;

-- Turns: what was said in a session, in order, its secrets taken out.
create table turns (
    key integer primary key autoincrement,
    id text not null unique,
    project text not null,
    session text not null,
    role text not null,
    content text not null,
    created_at text not null
) strict;
create index turns_by_session on turns (project, session, key);

-- Injections: every block of context handed to an agent, with what was considered and why it was taken or left out.
create table injections (
    key integer primary key,
    id text not null unique,
    project text not null,
    session text not null,
    prompt text not null,
    path text,
    budget integer not null check (budget > 0),
    tokens integer not null check (tokens between 0 and budget),
    text text not null,
    hash text not null,
    candidates text not null check (json_type(candidates) = 'array'),
    position integer not null,
    created_at text not null
) strict;
create index injections_by_session on injections (project, session, key);

-- Which things stood in which injection.
create table injected (
    injection text not null,
    subject text not null,
    project text not null,
    primary key (injection, subject)
) strict, without rowid;
create index injected_by_subject on injected (subject);
